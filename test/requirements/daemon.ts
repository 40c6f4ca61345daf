import type { Requirement } from './requirement.ts'

const where = 'docs/architecture.md'

export const daemon: Requirement[] = [
  {
    id: 'daemon-cannot-start',
    where,
    promise: 'A daemon that cannot start says why at once, and is not started again and again.',
  },
  {
    id: 'daemon-commands-at-once',
    where,
    promise: 'Ten commands at once with no daemon running are all answered, by one daemon with one supervisor.',
    provenBy: 'both',
  },
  {
    id: 'daemon-ended-meanwhile',
    where,
    promise: 'A session that ended while no daemon ran is read to its end by the next one.',
  },
  {
    id: 'daemon-files-private',
    where,
    promise: 'Socket, registration and key are 0600 in a 0700 directory, and so is all that a run leaves.',
  },
  {
    id: 'daemon-gives-up',
    where,
    promise:
      'The supervisor gives up at the fifth death within ten minutes with a notice; the next command starts anew.',
  },
  { id: 'daemon-half-request', where, promise: 'Half a request, on either door, makes nobody wait.' },
  {
    id: 'daemon-home-unusable',
    where,
    promise: 'A state directory that cannot be one is refused with a sentence that names it.',
  },
  { id: 'daemon-just-ending', where, promise: 'A command is answered while the daemon that served is just ending.' },
  { id: 'daemon-logs', where, promise: 'daemon logs shows the last lines, as many as asked for, and needs no daemon.' },
  {
    id: 'daemon-newer-replaces',
    where,
    promise: 'A newer command replaces the daemon without ending its session, and whoever waits goes on waiting.',
  },
  {
    id: 'daemon-next-command',
    where,
    promise: 'With its supervisor killed too, the next command starts the daemon again, which takes the session back.',
  },
  {
    id: 'daemon-older-told',
    where,
    promise: 'A command that is older than the daemon is told so with code 2, and nothing changes.',
  },
  {
    id: 'daemon-one-serves',
    where,
    promise: 'Of several daemons started at once one serves and the others step down.',
  },
  {
    id: 'daemon-port-configured',
    where,
    promise: 'A port from the configuration is used, and nothing is listened on but loopback.',
  },
  {
    id: 'daemon-port-taken',
    where,
    promise:
      'A port that another program took meanwhile is left to it: a new one is chosen, kept, and said in the log.',
  },
  { id: 'daemon-same-port', where, promise: 'The port stays the same after a kill, and after a stop and a start.' },
  {
    id: 'daemon-socket-foreign',
    where,
    promise: 'A short path that somebody else made beforehand is refused with a sentence.',
  },
  {
    id: 'daemon-socket-short',
    where,
    promise: 'A state directory whose path is too long for a socket is served over a short path of its user.',
  },
  {
    id: 'daemon-spawn-again',
    where,
    promise: 'A spawn whose answer was lost is sent again: one run, with the credentials that came along again.',
  },
  {
    id: 'daemon-start',
    where,
    promise: 'Daemon start starts one and says what daemon status says; a second start changes nothing.',
  },
  { id: 'daemon-status', where, promise: 'Daemon status says that none runs, with code 1, and starts none.' },
  { id: 'daemon-stop', where, promise: 'Daemon stop ends daemon and supervisor, and says so when none ran.' },
  {
    id: 'daemon-stop-keeps-sessions',
    where,
    promise: 'A session goes on after daemon stop and is taken back at the next start.',
  },
  {
    id: 'daemon-stop-waiting',
    where,
    promise: 'daemon stop ends a supervisor also while it waits to start the daemon again.',
  },
  {
    id: 'daemon-supervised',
    where,
    promise: 'The supervisor starts a daemon that was killed again, on the same port.',
  },
  {
    id: 'daemon-taken-back',
    where,
    promise:
      'The daemon is killed twice in the middle of a session of the real client, and the run ends as if nothing had happened.',
    provenBy: 'both',
  },
  { id: 'daemon-term', where, promise: 'A daemon that is asked by TERM to end does so in order and for good.' },
  {
    id: 'daemon-wait-brings-back',
    where,
    promise: 'A command that waits for a run brings the daemon back by itself when its supervisor is killed too.',
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
  { id: 'feed-bad-cursor', where, promise: 'A bad cursor is refused with 400 and a sentence.' },
  { id: 'feed-cursor', where, promise: 'A cursor is read back as it was written.' },
  { id: 'feed-live', where, promise: 'Those who follow live see what those who come later see.' },
  { id: 'feed-restart', where, promise: 'A feed that was cut by kills of the daemon and resumed has everything once.' },
  { id: 'feed-resume', where, promise: 'A feed resumed after any of its cursors gives exactly what comes after it.' },
  {
    id: 'feed-slow-reader',
    where,
    promise: 'Readers who do not read cost no memory and make nobody wait, and get everything when they do.',
  },
  { id: 'feed-unknown-run', where, promise: 'The feed of a run that does not exist is refused with 404.' },
  { id: 'loopback-forged', where, promise: 'A token that is forged, cut or altered in any one character is refused.' },
  {
    id: 'loopback-host',
    where,
    promise: 'A request for another host, or from a page of another origin, is refused whatever its token.',
  },
  { id: 'loopback-no-token', where, promise: 'Without a token nothing is served, not even that there is something.' },
  {
    id: 'loopback-own-session',
    where,
    promise: 'The token of a session reaches that session, and says whose run it is.',
  },
  {
    id: 'loopback-scope',
    where,
    promise: 'The token of a session reaches nothing else: no list, no run, no command, no stop.',
  },
  {
    id: 'loopback-heir',
    where,
    promise:
      'A client that was cleared in its pane is heard under its new id, with the token of the old one; nobody else is.',
  },
  { id: 'loopback-token-restart', where, promise: 'A token is good across a restart of the daemon, on the same port.' },
  {
    id: 'daemon-one-session',
    where,
    promise:
      'Killed between "decided" and "started", or between "started" and "written down": one session, not two, not none.',
  },
]
