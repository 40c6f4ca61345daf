// Records the fixtures again from the installed client: `node test/client/record.ts`, then look at the diff.
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { openBench } from '../support/real-client.ts'
import { fixturePath, neutralLines } from './recording.ts'
import { scenes } from './scenes.ts'

const recorded = scenes.filter(scene => scene.recorded)
const folder = dirname(fixturePath(recorded[0]!))
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
for (const scene of recorded) {
  await using bench = await openBench(scene.rules)
  const lines = neutralLines(bench, await scene.play(bench))
  writeFileSync(fixturePath(scene), `${lines.join('\n')}\n`)
  console.log(`${lines.length} lines: ${scene.name}`)
}
