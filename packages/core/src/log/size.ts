/** About how many characters a plain value holds, names of fields included: what it takes in memory, and as JSON. */
export function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (typeof value !== 'object' || value === null) return 8
  let size = 2
  // What nests without end was refused when it was read.
  for (const name of Object.keys(value)) size += name.length + 4 + sizeOf((value as Readonly<Record<string, unknown>>)[name])
  return size
}
