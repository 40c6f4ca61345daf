/** `<process id> <key>`: who decides shows that it holds the file open that it was invited with. */
export const PEER_HEADER = 'x-rehoboam-peer'
