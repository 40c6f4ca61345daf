/** The client that the puppet is the double of. The conformance test fails when the installed one is another. */
export const VERSION = '2.1.325'
