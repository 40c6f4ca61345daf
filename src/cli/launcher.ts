// The one file that every Node can read: it starts fast, and on an old Node it says what is needed.
declare const REHOBOAM_VERSION: string

const wanted = 24
const major = Number(process.versions.node.split('.')[0])

if (process.argv[2] === 'hook') {
  // Before anything else: it runs inside somebody's session, on whatever Node is there, and must never be in the way.
  import('./hook/run-hook.ts')
    .then(({ hook }) => hook(process.env, process.argv.slice(3)))
    // With nothing to say it leaves at once: taking everything down in order takes a tenth of its time.
    .then(answer => (answer ? process.stdout.write(answer) : process.exit(0)))
    .catch(() => {})
} else if (major < wanted) {
  process.stderr.write(
    `rehoboam needs Node ${wanted} or newer; this is ${process.version}. Install it from your package manager or with: npm install -g node@${wanted}\n`,
  )
  process.exitCode = 2
} else if (process.argv.length === 3 && (process.argv[2] === '--version' || process.argv[2] === '-V')) {
  process.stdout.write(`${REHOBOAM_VERSION}\n`)
} else {
  // The compiled code is kept by Node between starts, which saves a third of the time of every command. Where only its
  // user can write: what lies in a directory in /tmp that somebody else made would be run here.
  const cache = process.env.XDG_CACHE_HOME || (process.env.HOME && `${process.env.HOME}/.cache`)
  if (cache) require('node:module').enableCompileCache?.(`${cache}/rehoboam`)
  import(`${__dirname}/main.mjs`).then(main => main.main(REHOBOAM_VERSION, __filename))
}
