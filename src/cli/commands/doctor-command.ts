import { resolve } from 'node:path'
import { Command } from 'commander'
import type { Finding } from '../../contract/doctor.ts'
import { RehoboamError } from '../../contract/errors.ts'
import { plainLine } from '../../view/plain.ts'
import { type Face, wholeEnvironment } from '../face.ts'

/** What is installed, what is missing, how to mend it; the exit code says whether anything is bad. */
export function doctorCommand(face: Face): Command {
  return new Command('doctor')
    .description('what is installed, what is missing, how to mend it')
    .option('--json', 'for scripts')
    .action(async ({ json }: { json?: boolean }) => {
      const findings = [...(await daemonFindings(face)), ...staleMark(face)]
      if (json) face.out.json(findings)
      else for (const finding of findings) print(face, finding)
      if (findings.some(({ state }) => state === 'bad')) process.exitCode = 1
    })
}

async function daemonFindings(face: Face): Promise<Finding[]> {
  try {
    const program = { node: process.execPath, script: face.script }
    const body = { directory: resolve('.'), environment: wholeEnvironment(face.env), program }
    return await face.daemon.ask<Finding[]>({ method: 'POST', path: '/v1/doctor', body })
  } catch (error) {
    if (!(error instanceof RehoboamError)) throw error
    return [{ what: 'daemon', state: 'bad', text: error.message, mend: 'rehoboam daemon logs' }]
  }
}

/** A terminal that was opened inside an agent keeps its mark, and our commands then refuse to change anything. */
function staleMark(face: Face): Finding[] {
  if (!face.env.CLAUDECODE) return []
  const text = 'CLAUDECODE is set: commands that change something are refused here'
  return [{ what: 'terminal', state: 'warn', text, mend: 'unset CLAUDECODE, unless this is inside an agent' }]
}

const MARKS = { ok: 'ok  ', warn: 'warn', bad: 'BAD ' }

function print(face: Face, { what, state, text, mend }: Finding): void {
  face.out.line(`${MARKS[state]}  ${what.padEnd(9)} ${plainLine(text, 300)}`, state === 'ok' ? 'good' : 'fail')
  if (mend) face.out.line(`      ${plainLine(mend, 300)}`)
}
