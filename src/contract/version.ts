/** Negative when a is older than b. A pre-release is older than its release; what cannot be read is oldest. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [parts(a), parts(b)]
  for (let i = 0; i < 3; i++) {
    const difference = left.numbers[i]! - right.numbers[i]!
    if (difference !== 0) return difference
  }
  if (left.pre === right.pre) return 0
  if (left.pre === '') return 1
  if (right.pre === '') return -1
  return left.pre < right.pre ? -1 : 1
}

function parts(version: string): { numbers: [number, number, number]; pre: string } {
  const match = /^(\d{1,9})\.(\d{1,9})\.(\d{1,9})(?:-([0-9A-Za-z.-]+))?/.exec(version)
  if (!match) return { numbers: [-1, -1, -1], pre: '' }
  return { numbers: [Number(match[1]), Number(match[2]), Number(match[3])], pre: match[4] ?? '' }
}
