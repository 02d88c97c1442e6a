/** The known name that is nearest to one that is not known, if any is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > longest) return undefined
  const [best] = known.map((candidate) => ({ candidate, far: distance(name.toLowerCase(), candidate.slice(0, longest).toLowerCase()) })).toSorted((one, other) => one.far - other.far)
  if (best && best.far <= Math.max(1, Math.floor(best.candidate.length / 3))) return best.candidate
  return known.find((candidate) => beginsWith(name.toLowerCase(), candidate.toLowerCase()) || beginsWith(candidate.toLowerCase(), name.toLowerCase()))
}

/** `bobby` and `bob`: a beginning that says enough. */
function beginsWith(name: string, beginning: string): boolean {
  return beginning.length >= 3 && name.length <= beginning.length + 3 && name.startsWith(beginning)
}

/** What to do about a name that is not known. */
export function meant(name: string, known: readonly string[]): string {
  const near = nearest(name, known)
  if (near !== undefined) return `did you mean "${near}"?`
  if (known.length === 0) return 'there are none'
  const shown = known.slice(0, mostShown).join(', ')
  return `there is ${shown}${known.length > mostShown ? ', …' : ''}`
}

/** Characters of a name that are compared. */
const longest = 64
const mostShown = 20

/** How many letters must be changed, added, left out or swapped with their neighbour. */
function distance(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const change = (rows[i - 1]?.[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const swap = isSwap ? (rows[i - 2]?.[j - 2] ?? 0) + 1 : Infinity
      row.push(Math.min((rows[i - 1]?.[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, change, swap))
    }
    rows.push(row)
  }
  return rows[one.length]?.[other.length] ?? 0
}
