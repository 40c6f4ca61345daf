/** Programs that change nothing, however they are called, but for what is named behind them. */
const READERS: Record<string, RegExp | null> = {
  ...Object.fromEntries(
    [
      ...[
        'ls',
        'cat',
        'head',
        'tail',
        'grep',
        'egrep',
        'fgrep',
        'rg',
        'wc',
        'uniq',
        'cut',
        'tr',
        'diff',
        'cmp',
        'stat',
        'file',
      ],
      ...[
        'pwd',
        'echo',
        'printf',
        'true',
        'false',
        'test',
        '[',
        'tree',
        'du',
        'df',
        'jq',
        'cd',
        'which',
        'type',
        'date',
        'nl',
      ],
      ...[
        'basename',
        'dirname',
        'realpath',
        'readlink',
        'column',
        'fold',
        'tac',
        'rev',
        'seq',
        'sha256sum',
        'md5sum',
        'env',
      ],
    ].map(name => [name, null]),
  ),
  sort: /^(-o|--output)/,
  find: /^-(exec|execdir|ok|okdir|delete|fprint|fprintf|fprint0|fls)$/,
  sed: /^(-[a-z]*i|--in-place|-f|--file)|^w /,
}
const GIT_READS = [
  'log',
  'show',
  'diff',
  'status',
  'ls-files',
  'ls-tree',
  'grep',
  'blame',
  'rev-parse',
  'rev-list',
  'cat-file',
  'describe',
  'shortlog',
]

/** A command as its words; null stands for one that only the shell knows. */
export function isReading(words: (string | null)[]): boolean {
  const [name, ...rest] = words
  if (name === undefined || name === null) return false
  if (name === 'git') return gitReads(rest)
  if (name === 'rehoboam') return rest[0] === 'task' || rest[0] === 'show' || rest[0] === 'runs'
  // It runs what is named behind it.
  if (name === 'env') return rest.length === 0
  if (!Object.hasOwn(READERS, name)) return false
  const writes = READERS[name]
  return !writes || rest.every(word => word !== null && !writes.test(word))
}

function gitReads([verb, ...rest]: (string | null)[]): boolean {
  return (
    verb != null &&
    GIT_READS.includes(verb) &&
    rest.every(word => word !== null && !/^(--output|--ext-diff|--textconv|-O)/.test(word))
  )
}
