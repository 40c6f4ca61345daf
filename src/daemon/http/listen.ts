import { chmod, lstat, mkdir, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import { dirname } from 'node:path'
import { getRequestListener } from '@hono/node-server'
import type { Hono } from 'hono'
import { RehoboamError } from '../../contract/errors.ts'
import type { FirstDoor } from './hook-door.ts'

/** Everything that is served at one address: the frequent requests by the first, the others by the app. */
export type Door = { first: FirstDoor; app: Hono }

/** More than any face and 16 sessions need; a program that opens thousands must not take us down. */
const MOST_CONNECTIONS = 512

export async function listenOnSocket(door: Door, path: string): Promise<Server> {
  await ownDirectory(dirname(path))
  // The lock is ours, so whoever left this socket is dead.
  await rm(path, { force: true })
  const server = serverFor(door)
  const before = process.umask(0o177)
  try {
    await listen(server, { path })
  } finally {
    process.umask(before)
  }
  await chmod(path, 0o600)
  return server
}

/** The wished port, when somebody else has taken it another one: then sessions from before cannot reach us. */
export async function listenOnLoopback(door: Door, wished: number): Promise<{ server: Server; port: number }> {
  const first = serverFor(door)
  try {
    return { server: first, port: await listen(first, { host: '127.0.0.1', port: wished }) }
  } catch (error) {
    if (wished === 0 || (error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error
    const second = serverFor(door)
    return { server: second, port: await listen(second, { host: '127.0.0.1', port: 0 }) }
  }
}

function serverFor({ first, app }: Door): Server {
  const rest = getRequestListener(app.fetch)
  const server = createServer((request, response) => {
    if (!first(request, response)) void rest(request, response)
  })
  server.maxConnections = MOST_CONNECTIONS
  server.headersTimeout = 10_000
  server.requestTimeout = 30_000
  return server
}

function listen(server: Server, where: { path: string } | { host: string; port: number }): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(where, () => {
      server.removeListener('error', reject)
      const address = server.address()
      resolve(address && typeof address === 'object' ? address.port : 0)
    })
  })
}

/** A directory in /tmp that somebody else made beforehand could be opened by them. */
async function ownDirectory(path: string): Promise<void> {
  await mkdir(path, { recursive: true, mode: 0o700 })
  const found = await lstat(path)
  if (!found.isDirectory() || found.uid !== process.getuid?.()) {
    throw new RehoboamError(
      'directory-foreign',
      `${path} belongs to somebody else; set REHOBOAM_HOME to a directory of yours`,
    )
  }
  if (found.mode & 0o077) await chmod(path, 0o700)
}
