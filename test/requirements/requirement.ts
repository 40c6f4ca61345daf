/** Something that we promised, as data: the gate (test/gate) wants at least one passing test for each. */
export interface Requirement {
  /** kebab-case, topic first. Tests cite it at the end of their titles: `[journal-torn-line]`. */
  id: string
  /** The page of this repository that is about it, such as docs/loops.md. */
  where: string
  /** One sentence that is either true or not. */
  promise: string
  /** `test:all`: only files named *.all.test.ts prove it. `both`: `npm test` proves a part, `npm run test:all` the whole sentence. */
  provenBy?: 'test:all' | 'both'
}
