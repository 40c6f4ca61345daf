/** The longest body that the daemon reads; `rehoboam hook` cuts an event that would be longer. */
export const BODY_LIMIT = 4_000_000

/**
 * The same for the hooks that a client sends itself, which nobody can cut: an event holds what a tool was given and gave
 * back whole, a picture or a large file twice over. A refusal stands in its user's screen at every such call.
 */
export const CLIENT_HOOK_LIMIT = 32_000_000

/** No prompt is longer than this: the client itself refuses far shorter ones. */
export const TEXT_LIMIT = 1_000_000
