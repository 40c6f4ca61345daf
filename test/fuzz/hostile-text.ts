import type { Random } from '../runtime/lane/random.ts'

/** Text that would do something to whoever shows it, keeps it, looks for it on the disk or hands it to a shell. */
export function hostileText(random: Random, canary: string): string {
  switch (random.weighted({ escape: 5, control: 4, bidi: 3, surrogate: 2, shell: 4, path: 4, long: 0.3, huge: 0.01 })) {
    case 'escape':
      return `a${random.pick(ESCAPES)}b`
    case 'control':
      return Array.from({ length: random.between(1, 20) }, () => String.fromCharCode(random.between(0, 0x9f))).join('')
    case 'bidi':
      return `user${random.pick(HIDDEN)}txt.exe${random.pick(HIDDEN)}`
    case 'surrogate':
      return random.pick(['\ud800', 'a\udc00b', '\udfff\ud83d', '\ud83d'.repeat(50)])
    case 'shell':
      return random.pick(SHELL).replaceAll('CANARY', canary)
    case 'path':
      return random.pick(PATHS)
    case 'long':
      return random.pick(['x', '\u{1f600}', '\x1b[2J', ' \n', '$(']).repeat(random.between(100, 1_500))
    case 'huge':
      return random.pick(['x', '\u00e9', '\x1b']).repeat(random.between(70_000, 400_000))
  }
}

const ESCAPES = [
  '\x1b[2J\x1b[1;1H',
  '\x1b]0;owned\x07',
  '\x1b]52;c;ZXZpbA==\x1b\\',
  '\x1b]8;;http://evil\x1b\\click\x1b]8;;\x1b\\',
  '\x1b[31m',
  '\x1bP+q544e\x1b\\',
  '\x9b2J',
  '\x9d0;owned\x9c',
  '\x1b[?1049h',
  '\x1b[6n',
  '\x1b',
  '\r\x1b[Kfake line',
  '\x08\x08\x08rm',
]

const HIDDEN = ['\u202e', '\u2066', '\u200f', '\u061c', '\u2069', '\ufeff', '\u00ad', '\u{e0041}', '\u2028', '\u2029']

const SHELL = [
  '$(touch CANARY)',
  '`touch CANARY`',
  '; touch CANARY #',
  '| touch CANARY',
  "' && touch CANARY '",
  '" && touch CANARY "',
  '\ntouch CANARY\n',
  '--version; touch CANARY',
  '#{E:touch CANARY}',
  '#(touch CANARY)',
  '-oProxyCommand=touch CANARY',
]

const PATHS = [
  '../../../../etc/passwd',
  '/dev/zero',
  '/dev/urandom',
  '/dev/stdin',
  '/dev/tty',
  '/proc/self/mem',
  '/proc/self/environ',
  '/proc/kmsg',
  '/etc/passwd\0.jsonl',
  '/etc/passwd',
  '~/.ssh/id_rsa',
  '/',
  '.',
  '',
  '//tmp//',
  `/${'a/'.repeat(2000)}`,
  'file:///etc/passwd',
  '\\\\server\\share',
  'CON',
]
