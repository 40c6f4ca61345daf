import { Bell } from './bell.ts'
import { type Face, wholeEnvironment } from './face.ts'

/** `rehoboam` without a command, and only with what every command takes. Without a terminal its help is all there is. */
export function isDashboard(argv: string[]): boolean {
  const hasTerminal = process.stdin.isTTY && process.stdout.isTTY
  return hasTerminal && argv.slice(2).every(word => word === '--plain' || word === '--debug')
}

export async function openDashboard(face: Face, argv: string[]): Promise<number> {
  const isPlain = argv.includes('--plain') || face.env.TERM === 'dumb'
  const bell = new Bell(face.out)
  const { dashboard } = await import('../tui/dashboard.ts')
  try {
    return await dashboard({
      daemon: face.daemon,
      environment: wholeEnvironment(face.env),
      directory: process.cwd(),
      isPlain,
      colourBits: face.out.mayEscape ? process.stdout.getColorDepth(process.env) : 1,
      mayChange: face.mayChange,
      async editPlan(run) {
        const { editedPlan } = await import('./commands/steps-command.ts')
        return (await editedPlan(face, run)).isChanged
      },
      ring: (ids, isQuiet) => bell.tell(ids, isQuiet),
    })
  } finally {
    bell.stop()
  }
}
