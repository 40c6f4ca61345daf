import { join } from 'node:path'

/** What the tests start: the built program, the puppet client, and the real one. */
export const PROGRAM = join(import.meta.dirname, '../../dist/rehoboam.cjs')
export const PUPPET = join(import.meta.dirname, '../../node_modules/.cache/puppet/puppet.cjs')
export const REAL_CLIENT = join(import.meta.dirname, '../../node_modules/.bin/claude')
