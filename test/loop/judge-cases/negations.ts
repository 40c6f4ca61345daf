// Mechanical turns of a true claim into something that is none. They know nothing of the heuristic: they work on every
// sentence and on every word that could carry a claim, so that no claim of the text is left standing.

/** Words that say that something has been reached, in the languages of the set. */
const REACHED =
  /\b(?:complete[ds]?|done|finished|implemented|achieved|satisfied|fulfilled|met|ticked|checked off|in place|pass|in order|ready|abgeschlossen|fertig|terminées?|completadas|completate)(?![\w-])|已完成/giu
const BE =
  /\b(?:is|are|was|has been|have been|have|I've|sind|ist|sont|están|sono)(?: now| all| fully| successfully)*\s+$/i
const NONE_LEFT =
  /\b(?:(?:there is |there's )?nothing (?:is |else )?(?:left|to do)|no remaining work|no tasks remain|no further work is needed)/gi
const WHOLE =
  /\b(?:all(?: of)?(?: the)?|every|everything|both|alle|toutes les|todas las|tutte le|tutti i)(?![\w-])|所有/giu

export const negations: Record<string, (text: string) => string> = {
  negate: text => reached(text, ['not', 'not yet', 'never', 'in no way'], false).replace(NONE_LEFT, 'much is left'),

  condition: text =>
    sentences(text, [
      'Once the review is through, ',
      'If the last run is green, ',
      'As soon as the printer works, ',
      'Provided that CI agrees, ',
      'Unless the reviewer objects, ',
      'Assuming that nothing breaks, ',
      'When the remaining piece is in, ',
      'After the next iteration, ',
    ]),

  future: text =>
    reached(text, ['will be', 'is going to be', 'is about to be', 'still has to be', 'is to be'], true).replace(
      NONE_LEFT,
      'soon nothing will be left',
    ),

  part: text =>
    reached(text, ['partly', 'almost', '80%', 'half', 'mostly', 'nearly'], false)
      .replace(NONE_LEFT, 'little is left')
      .replace(WHOLE, cycle(['most of the', '3 of 7', 'some of the', 'nearly all'])),

  doubt: text =>
    reached(
      sentences(text, ['I think ', 'As far as I can tell ', 'I believe ', 'Presumably ', 'Hopefully ']),
      DOUBT,
      true,
    ),

  quote: text => lines(text, line => `> ${line}`),
  'code block': text => `\`\`\`\n${text.replaceAll('```', '~~~')}\n\`\`\``,
  heading: text => lines(text, line => `## ${line.replace(/^[#\s]+/, '')}`),
  'failing tests': text => `${text}\n\n\`\`\`\nTests  2 failed | 210 passed (212)\n\`\`\`\n`,
  'failing in words': text => `${text}\n\nTwo tests still fail.`,
  exception: text => `${text}\n\nWhat is still missing: the last criterion.`,
}

const DOUBT = ['should be', 'might be', 'is probably', 'seems', 'may be', 'could be', 'appears to be']

/** The word before each claim; `instead` of the verb that stands there, because that one says that it is so. */
function reached(text: string, before: string[], instead: boolean): string {
  const next = cycle(before)
  let out = ''
  let from = 0
  for (const match of text.matchAll(REACHED)) {
    const lead = text.slice(from, match.index)
    const word = match[0] === '已完成' ? '未完成' : match[0]
    out += `${instead ? lead.replace(BE, '') : lead} ${next()} ${word}`.replace(/ {2,}/g, ' ')
    from = match.index + match[0].length
  }
  return out + text.slice(from)
}

/** The words before each sentence, behind whatever makes it a list item or a table row. */
function sentences(text: string, before: string[]): string {
  const next = cycle(before)
  return lines(text, line => {
    if (/^\s*(?:```|[|\s:-]*$)/.test(line)) return line
    return line
      .split(/(?<=[.!?:;。])\s+|(?<=\|)\s*/)
      .map(sentence =>
        sentence.replace(/^((?:[#>*\-\s✅✓☒🎉|]|\d+\.\s|\[.\]\s)*)(?=\S)/u, (_, lead) => `${lead}${next()}`),
      )
      .join(' ')
  })
}

function lines(text: string, each: (line: string) => string): string {
  return text
    .split('\n')
    .map(line => (line.trim() === '' ? line : each(line)))
    .join('\n')
}

function cycle(words: string[]): () => string {
  let n = 0
  return () => words[n++ % words.length]!
}
