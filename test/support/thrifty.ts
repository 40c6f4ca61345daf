/**
 * Said to the engine of the real client: no second compiler, one thread for garbage. Its sessions here are too short to earn
 * either back, and a fifth of what their start costs is what they cost.
 */
export const THRIFTY = { BUN_JSC_useDFGJIT: '0', BUN_JSC_numberOfGCMarkers: '1' }
