import { treeChanges } from '../../adapters/git/tree-changes.ts'
import type { WardCommand } from '../../contract/ward.ts'
import { tamperedSince } from '../../core/ward/tampering.ts'
import type { Tampering } from '../../core/ward/tampering-found.ts'

const DEFINITIONS = ['package.json', 'GNUmakefile', 'makefile', 'Makefile']

/** What makes a green ward on one commit no proof, compared with the base of its run. */
export async function tamperedBetween(between: {
  /** Of the user, for git. */
  environment: Record<string, string>
  /** Somewhere in the repository. */
  directory: string
  base: string
  commit: string
  /** The project's place in the repository: '' for its root. */
  project: string
  commands: Pick<WardCommand, 'command'>[]
}): Promise<Tampering[]> {
  const { environment, directory, base, commit, project } = between
  const pathOf = (name: string) => (project === '' ? name : `${project}/${name}`)
  const also = DEFINITIONS.map(pathOf)
  const { changed, texts: found } = await treeChanges(environment, { directory, from: base, to: commit, also })
  if (changed === null) {
    return [{ what: 'definition', path: project, sentence: 'too much has changed since the base to be looked through' }]
  }
  const texts: Record<string, string> = {}
  for (const name of DEFINITIONS) {
    const text = found[pathOf(name)]
    if (text !== undefined) texts[name] = text
  }
  return tamperedSince({ changed, commands: between.commands.map(({ command }) => command), project, texts })
}
