import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { badSources, goodSources } from './architecture/bad-sources.ts'
import { ruleNames, violations } from './architecture/check.ts'
import { floors } from './architecture/floors.ts'
import { house, sources } from './architecture/house.ts'
import { DOC, redrawn } from './architecture/rooms-doc.ts'
import type { House } from './architecture/rule.ts'

const claims = [
  { claim: 'imports point one way [architecture-directions]', rules: ['direction', 'room-known'] },
  {
    claim: 'folders of core and daemon import downwards only [architecture-floors]',
    rules: ['folder-known', 'folder-direction'],
  },
  { claim: 'every import leads to a file that is there [architecture-imports-exist]', rules: ['imports-exist'] },
  {
    claim: 'contract, config, core, view and web run in a browser [architecture-browser-safe]',
    rules: ['browser-safe', 'browser-safe-names'],
  },
  { claim: 'core is pure [architecture-core-pure]', rules: ['core-pure-names', 'core-pure-syntax'] },
  { claim: 'only listed and installed packages are imported [architecture-dependencies]', rules: ['packages'] },
  { claim: `no file is longer than one concept [architecture-file-size]`, rules: ['file-size'] },
  {
    claim: 'every file name says what is inside, and no two files of src share one [architecture-file-names]',
    rules: ['file-name', 'file-name-once'],
  },
  { claim: 'every path that a paper names is there [architecture-papers-true]', rules: ['papers-true'] },
  { claim: 'nothing is true on one machine only [architecture-any-machine]', rules: ['machine-text'] },
]

const found = violations(sources(), house())

test.each(claims)('in the whole house: $claim', ({ rules }) => {
  expect(found.filter(({ rule }) => rules.includes(rule)).map(({ text }) => text)).toEqual([])
})

test('every folder that has a floor is there [architecture-floors]', () => {
  const { files } = house()
  const folders = Object.entries(floors).flatMap(([room, all]) => all.flat().map(({ name }) => `src/${room}/${name}/`))
  const isThere = (folder: string) => [...files].some(file => file.startsWith(folder.replace('/./', '/')))
  expect(folders.filter(folder => !isThere(folder))).toEqual([])
  expect(new Set(folders).size).toBe(folders.length)
})

test('docs/architecture.md draws the floors that the imports keep to [architecture-floors-drawn]', () => {
  const document = readFileSync(DOC, 'utf8')
  const anew = 'the floors have changed; draw them again: node test/architecture/write-rooms.ts'
  expect(document, anew).toBe(redrawn(document))
})

test('every rule speaks for a promise and is seen to fail [architecture-rules-bite]', () => {
  expect(claims.flatMap(({ rules }) => rules).sort()).toEqual([...ruleNames].sort())
  expect(new Set(badSources.map(({ rule }) => rule))).toEqual(new Set(ruleNames))
})

const small: House = {
  files: new Set([
    'src/contract/errors.ts',
    'src/core/effect.ts',
    'src/ports.ts',
    'src/daemon/main.ts',
    'src/daemon/loops/loops.ts',
  ]),
  devDependencies: new Set(['zod', 'execa', 'vitest']),
}

test.each(badSources)('$rule finds in $path: $says [architecture-rules-bite]', ({ rule, path, text, says }) => {
  const said = violations([{ path, text }], small).filter(violation => violation.rule === rule)
  expect(said.map(violation => violation.text).join('\n')).toContain(says)
})

test.each(goodSources)('nothing is found in $path: $what [architecture-rules-bite]', source => {
  expect(violations([source], small)).toEqual([])
})
