import fc from 'fast-check'

/** How many cases each property is tried with: `fc.assert(property, { numRuns: runs })`. */
export const runs: number = readRuns(process.env)

/** The same for a property whose cases take long: an eighth, but not fewer than ten. */
export const longRuns: number = Math.max(Math.ceil(runs / 8), Math.min(runs, 10))

/** Whether properties are proved with many cases, which may take hours. What is long by its size is larger then, too. */
export const proves: boolean = (process.env['PROVE_RUNS'] ?? '') !== ''

function readRuns(environment: Record<string, string | undefined>): number {
  const asked = environment['PROVE_RUNS']
  if (asked === undefined || asked === '') return environment['CI'] === undefined ? 200 : 40
  const count = Number(asked)
  if (!Number.isSafeInteger(count) || count < 1)
    throw new Error(`PROVE_RUNS must be a positive whole number, not "${asked}".`)
  return count
}

/**
 * For a property that counts what it has seen: `fc.assert(fc.property(...drawn, check), withSure(sure, numRuns, drawn))`.
 * The first `sure` cases are drawn with a seed of their own, and are the same in each run. So a count that these reach
 * does not depend on luck. `numRuns` cases by chance follow.
 */
export function withSure<Drawn extends [unknown, ...unknown[]]>(
  sure: number,
  numRuns: number,
  drawn: { readonly [Index in keyof Drawn]: fc.Arbitrary<Drawn[Index]> },
): fc.Parameters<Drawn> {
  const examples = fc.sample(fc.tuple<Drawn>(...(drawn as never)), { seed: 1, numRuns: sure })
  return { numRuns: sure + numRuns, examples }
}
