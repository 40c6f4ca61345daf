import type { Requirement } from './requirement.ts'

const where = 'docs/rules.md'

export const rules: Requirement[] = [
  {
    id: 'rules-match',
    where,
    promise: 'x * is x with any arguments or none, x y is exactly that, and the rest is asked.',
  },
  {
    id: 'rules-deny-wins',
    where,
    promise: 'A deny wins over every allow, however the name is written and wherever the flags stand.',
  },
  {
    id: 'rules-compound',
    where,
    promise: 'A compound command is allowed only if each simple command in it is, and denied if one is.',
  },
  { id: 'rules-substitution', where, promise: 'What is substituted counts, wherever it stands.' },
  {
    id: 'rules-redirection',
    where,
    promise: 'A redirection inside the project is a read or a write there, /dev/null is nothing, elsewhere asks.',
  },
  {
    id: 'rules-here-document',
    where,
    promise: 'Commands in here-documents and here-strings count, unless the delimiter is quoted.',
  },
  {
    id: 'rules-environment',
    where,
    promise: 'A variable that is set asks: before a command, alone, or as the name in a loop.',
  },
  {
    id: 'rules-wrappers',
    where,
    promise: 'A wrapper asks whatever the rules say, unless it or what can be seen in it is denied.',
  },
  { id: 'rules-tricks', where, promise: 'What shells, screens and people could read differently is asked.' },
  {
    id: 'rules-directory',
    where,
    promise: 'After cd every possible directory counts, and outside the project it asks.',
  },
  {
    id: 'rules-subcommand-flags',
    where,
    promise: 'Flags before a subcommand are looked past: harmless ones when allowing, all when denying.',
  },
  { id: 'rules-never-rehoboam', where, promise: 'No rule allows rehoboam itself.' },
  {
    id: 'rules-kept-places',
    where,
    promise:
      'Under a rule with * no argument may name what steers git, the client, the shell or us, or what a rule denies.',
  },
  {
    id: 'rules-attack',
    where,
    promise: 'In whatever form, a command that is unlisted or denied is never allowed.',
  },
  {
    id: 'rules-attack-real',
    where,
    promise: 'When rules allow a command, a real shell runs only programs and writes only files that they allow.',
  },
  {
    id: 'rules-typed',
    where,
    promise:
      'A rule as typed is read, or refused with a sentence that says what to type. A rule that could never allow anything is told so.',
  },
  {
    id: 'rules-file',
    where: 'docs/configuration.md',
    promise: 'The rules file survives JSON; a wrong one is refused whole.',
  },
  {
    id: 'rules-files',
    where,
    promise:
      'Files are judged inside the project by documented patterns, without .., with case, and never into what steers others.',
  },
  {
    id: 'rules-tools',
    where,
    promise: 'Tools are allowed, denied and asked by name, MCP servers as a whole; unknown input fields ask.',
  },
  { id: 'rules-fetch', where, promise: 'WebFetch is judged by its host; an address that is not plain asks.' },
  { id: 'rules-scope', where, promise: 'A rule holds in its run with children, in its project, or everywhere.' },
  { id: 'rules-why', where, promise: 'Every decision says why in one line that is harmless to print.' },
  {
    id: 'rules-laws',
    where,
    promise:
      'Order changes nothing, a deny more never loosens, and no input, however hostile, makes rules throw, allow or take long.',
  },
  { id: 'rules-suggest', where, promise: '"Always" offers the narrowest rules that would have answered, or none.' },
]
