/** The client says a sentence on stderr and ends with 1, before it has done anything. */
export class Refusal extends Error {}
