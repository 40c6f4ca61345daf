/** The candidate that was probably meant, or null: a wrong guess costs more than none. */
export function nearest(name: string, candidates: readonly string[]): string | null {
  const wanted = folded(name)
  if (wanted === '' || name.length > LONGEST_GUESSED) return null
  let best: { candidate: string; score: number } | null = null
  for (const candidate of candidates) {
    const score = distance(wanted, folded(candidate), folded(candidate.slice(candidate.lastIndexOf('.') + 1)))
    if (best === null || score < best.score) best = { candidate, score }
  }
  // One slip in three letters is a slip; more is another word.
  return best !== null && best.score <= Math.max(1, Math.floor(wanted.length / 3)) ? best.candidate : null
}

// No key of ours is half as long. The price of comparing grows with the square, and the text is foreign.
const LONGEST_GUESSED = 64

/** `max-cost`, `MAX_COST` and `maxCost` are the same attempt. */
function folded(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, '')
}

function distance(wanted: string, whole: string, last: string): number {
  if (wanted === whole) return 0
  if (wanted === last) return 0.5
  if (wanted.length >= 4 && (whole.startsWith(wanted) || wanted.startsWith(whole))) return 1
  return Math.min(edits(wanted, whole), edits(wanted, last) + 0.5)
}

/** Letters added, lost, changed, or two neighbours swapped. */
function edits(a: string, b: string): number {
  let before: number[] = []
  let above = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const here = [row]
    for (let column = 1; column <= b.length; column++) {
      const changed = a[row - 1] === b[column - 1] ? 0 : 1
      let cost = Math.min(above[column]! + 1, here[column - 1]! + 1, above[column - 1]! + changed)
      const swapped = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (swapped) cost = Math.min(cost, before[column - 2]! + 1)
      here.push(cost)
    }
    before = above
    above = here
  }
  return above[b.length]!
}
