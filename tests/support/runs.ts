/** How many cases each property is tried with: `fc.assert(property, { numRuns: runs })`. */
export const runs: number = readRuns(process.env)

/** The same for a property whose cases take long: an eighth, but not fewer than twenty-five. */
export const longRuns: number = Math.max(Math.ceil(runs / 8), Math.min(runs, 25))

function readRuns(environment: Record<string, string | undefined>): number {
  const asked = environment['PROVE_RUNS']
  if (asked === undefined || asked === '') return environment['CI'] === undefined ? 200 : 60
  const count = Number(asked)
  if (!Number.isSafeInteger(count) || count < 1)
    throw new Error(`PROVE_RUNS must be a positive whole number, not "${asked}".`)
  return count
}
