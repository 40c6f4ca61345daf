// Records again what the installed client does: `node test/client/record.ts`, then look at the diff.
import { execFileSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { claude } from '../support/real-client.ts'
import { groups } from './performances.ts'
import { CLIENT_VERSION, fixturePath, type Recording, recordingPath } from './recording.ts'

const folders = [dirname(recordingPath('any')), dirname(fixturePath('any'))]
for (const folder of folders) {
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
}
for (const [group, acts] of Object.entries(groups)) {
  const recording: Recording = { version: CLIENT_VERSION, performances: {} }
  for (const { name, perform } of acts) {
    const { performance, stream } = await perform(claude)
    recording.performances[name] = performance
    if (stream) writeFileSync(fixturePath(name), `${stream.join('\n')}\n`)
    console.log(`${group}: ${name}`)
  }
  writeFileSync(recordingPath(group), JSON.stringify(recording))
}
execFileSync(join(import.meta.dirname, '../../node_modules/.bin/biome'), ['format', '--write', folders[0]!])
