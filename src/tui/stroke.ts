/** One key, whatever the terminal calls it. */
export type NamedKey =
  | 'up'
  | 'down'
  | 'left'
  | 'right'
  | 'pageUp'
  | 'pageDown'
  | 'home'
  | 'end'
  | 'enter'
  | 'escape'
  | 'tab'
  | 'backTab'
  | 'backspace'

export type Stroke = { key: NamedKey } | { char: string } | { ctrl: string } | { paste: string }

/** As Ink reports it. */
type Reported = {
  upArrow: boolean
  downArrow: boolean
  leftArrow: boolean
  rightArrow: boolean
  pageUp: boolean
  pageDown: boolean
  home: boolean
  end: boolean
  return: boolean
  escape: boolean
  tab: boolean
  shift: boolean
  backspace: boolean
  delete: boolean
  ctrl: boolean
  meta: boolean
}

const NAMES: [keyof Reported, NamedKey][] = [
  ['upArrow', 'up'],
  ['downArrow', 'down'],
  ['leftArrow', 'left'],
  ['rightArrow', 'right'],
  ['pageUp', 'pageUp'],
  ['pageDown', 'pageDown'],
  ['home', 'home'],
  ['end', 'end'],
  ['return', 'enter'],
  ['escape', 'escape'],
  // Many terminals send what is called delete for the key that erases backwards.
  ['backspace', 'backspace'],
  ['delete', 'backspace'],
]

const CONTROLS: Record<string, NamedKey> = { '\r': 'enter', '\n': 'enter', '\t': 'tab', '\u007f': 'backspace' }

/** What was typed fast or sent by a program may come as one piece: it is as many keys as it has characters. */
export function strokesOf(input: string, key: Reported): Stroke[] {
  if (key.tab) return [{ key: key.shift ? 'backTab' : 'tab' }]
  const named = NAMES.find(([name]) => key[name])
  if (named) return [{ key: named[1] }]
  if (key.ctrl) return input ? [{ ctrl: input }] : []
  return [...input].flatMap((char): Stroke[] => {
    const control = CONTROLS[char]
    if (control) return [{ key: control }]
    return /\p{Cc}/u.test(char) ? [] : [{ char }]
  })
}
