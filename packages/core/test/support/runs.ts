/** How many cases each property is tried with: `fc.assert(property, { numRuns: runs })`. */
export const runs: number = readRuns(process.env)

export function readRuns(environment: Record<string, string | undefined>): number {
  const asked = environment['PROVE_RUNS']
  if (asked === undefined || asked === '') return environment['CI'] === undefined ? 200 : 2000
  const count = Number(asked)
  if (!Number.isSafeInteger(count) || count < 1) throw new Error(`PROVE_RUNS must be a positive whole number, not "${asked}".`)
  return count
}
