import { Refusal } from './refusal.ts'

// As long as the client waits for a pipe that somebody left open and says nothing into.
const SILENCE_MS = 3000

/** The prompt: the argument, then what comes by stdin. */
export async function readPrompt(argument: string | undefined): Promise<string> {
  const piped = process.stdin.isTTY ? '' : await readStdin(argument === undefined ? undefined : SILENCE_MS)
  const prompt = [argument, piped].filter(Boolean).join('\n')
  if (prompt.trim() === '') {
    throw new Refusal('Error: Input must be provided either through stdin or as a prompt argument when using --print')
  }
  return prompt
}

function readStdin(silenceMs: number | undefined): Promise<string> {
  return new Promise(resolve => {
    let text = ''
    const silent = () => {
      process.stderr.write(
        `Warning: no stdin data received in ${SILENCE_MS / 1000}s, proceeding without it. If piping from a slow command, redirect stdin explicitly: < /dev/null to skip, or wait longer.\n`,
      )
      process.stdin.destroy()
      resolve('')
    }
    const timer = silenceMs === undefined ? undefined : setTimeout(silent, silenceMs)
    process.stdin.setEncoding('utf8')
    process.stdin.on('data', piece => {
      clearTimeout(timer)
      text += piece
    })
    process.stdin.on('end', () => {
      clearTimeout(timer)
      resolve(text)
    })
    process.stdin.on('error', () => resolve(text))
  })
}
