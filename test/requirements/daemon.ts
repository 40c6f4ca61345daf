import type { Requirement } from './requirement.ts'

const where = 'docs/architecture.md'

export const daemon: Requirement[] = [
  {
    id: 'daemon-cannot-start',
    where,
    promise:
      'A daemon that cannot start, or whose directory or socket cannot be used, says why at once, and is not started again and again.',
  },
  {
    id: 'daemon-files-private',
    where,
    promise: 'Everything in the state directory is for its owner only, whatever the umask.',
  },
  { id: 'daemon-logs', where, promise: 'daemon logs shows the last lines, as many as asked for, and needs no daemon.' },
  {
    id: 'daemon-newer-replaces',
    where,
    promise:
      'A newer command replaces the daemon without ending its sessions. An older command is told so with code 2, and nothing changes.',
  },
  {
    id: 'daemon-one-serves',
    where,
    promise:
      'However many commands start a daemon at once, or meet one that is just ending, one daemon serves and all are answered.',
  },
  {
    id: 'daemon-same-port',
    where,
    promise:
      'The port is the configured one or stays the same, on loopback only. When another program has taken it, a new one is chosen and said.',
  },
  {
    id: 'daemon-spawn-again',
    where,
    promise: 'A spawn whose answer was lost is sent again: one run, with the credentials that came along again.',
  },
  {
    id: 'daemon-start',
    where,
    promise:
      'daemon start, status and stop say what they did. Starting twice changes nothing, and stopping ends the supervisor too.',
  },
  {
    id: 'daemon-stop-keeps-sessions',
    where,
    promise: 'A session goes on after daemon stop and is taken back at the next start.',
  },
  {
    id: 'daemon-supervised',
    where,
    promise:
      'A daemon that was killed is started again by its supervisor or by the next command. The supervisor gives up at the fifth death within ten minutes.',
  },
  {
    id: 'daemon-taken-back',
    where,
    promise: 'A session goes on while its daemon is killed, and the next daemon reads it to its end.',
    provenBy: 'both',
  },
  {
    id: 'follow-given-up',
    where,
    promise: 'Whoever follows a run gives up with the daemon’s supervisor, and names the daemon’s log.',
    provenBy: 'test:all',
  },
  {
    id: 'follow-stopped',
    where,
    promise: 'After daemon stop, whoever waits or follows says so and how to look again, and starts no daemon.',
  },
  {
    id: 'feed-bad-cursor',
    where,
    promise: 'A bad cursor or an unknown run is refused with a sentence.',
  },
  {
    id: 'feed-resume',
    where,
    promise:
      'A feed resumed after any of its cursors, also across kills of the daemon, gives exactly what comes after it.',
  },
  {
    id: 'feed-slow-reader',
    where,
    promise: 'Readers who do not read and clients that send half a request cost no memory and make nobody wait.',
  },
  {
    id: 'loopback-no-token',
    where,
    promise: 'Without a token that the daemon made, or for another host or origin, loopback serves nothing.',
  },
  {
    id: 'loopback-own-session',
    where,
    promise:
      'The token of a session reaches that session and nothing else, also after a restart and under the new id of a cleared pane.',
  },
  {
    id: 'daemon-one-session',
    where,
    promise:
      'Killed between "decided" and "started", or between "started" and "written down": one session, not two, not none.',
  },
]
