import { RehoboamError } from '../../contract/errors.ts'
import type { House } from './house.ts'

/** A page on another host name that points here (DNS rebinding) has its own name in Host or Origin. */
export function requireOwnHost(
  { registration: { port } }: House,
  host: string | undefined,
  origin: string | undefined,
): void {
  const own = [`127.0.0.1:${port}`, `localhost:${port}`]
  if (!own.includes(host ?? '') || (origin && !own.some(name => origin === `http://${name}`))) {
    throw new RehoboamError('host-refused', 'only 127.0.0.1 and localhost are served')
  }
}

/** The session whose token this is, or null. */
export function sessionOfToken({ tokens }: House, authorization: string | undefined): string | null {
  return tokens.sessionOf(authorization?.startsWith('Bearer ') ? authorization.slice(7) : '')
}

export function requireSession(house: House, authorization: string | undefined): string {
  const session = sessionOfToken(house, authorization)
  if (!session) throw new RehoboamError('token-refused', 'a token of a session is needed')
  return session
}
