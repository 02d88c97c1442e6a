/** What is wrong with one setting. Never holds its value, which may be a secret. */
export interface Problem {
  /** `upstreams[1].url` */
  readonly field: string
  /** What is wrong and how to mend it, in one line. */
  readonly text: string
}

export function problemText({ field, text }: Problem): string {
  return field === '' ? text : `${field}: ${text}`
}

/** A path as people write it: `upstreams[1].url`. */
export function fieldName(path: readonly PropertyKey[]): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`
    const text = String(part)
    const isPlain = /^[A-Za-z_][A-Za-z0-9_]*$/.test(text)
    if (!isPlain) return `${name}["${text}"]`
    return name === '' ? text : `${name}.${text}`
  }, '')
}

/** The known name that is nearest to one that is not known, if any is near. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const [best] = known.map((candidate) => ({ candidate, far: distance(name.toLowerCase(), candidate.toLowerCase()) })).toSorted((a, b) => a.far - b.far)
  return best && best.far <= Math.max(1, Math.floor(best.candidate.length / 3)) ? best.candidate : undefined
}

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
