import fc from 'fast-check'

/**
 * How many cases does each property try? `npm test` and CI try `cases` of them with one fixed seed. `npm run prove` draws
 * a new seed and tries `PROVE_RUNS` cases, or this `share` of them.
 *
 * What a property finds becomes an example of it. The property also gets a row here, which it keeps for a month.
 */
const counts = {
  /** Has found nothing for a month. A case takes a few milliseconds. */
  usual: { cases: 20, share: 1 },
  /** Has found nothing for a month. A case takes 10 to 200 ms: a thread, a server or a file. */
  long: { cases: 4, share: 1 / 8 },
  /** A case takes longer still, or there are few different ones. */
  few: { cases: 5, share: 1 / 400 },
  /** 2026-11-16: a verdict that fell. 11-17: a missing marker. 11-19: two verdicts, in one case of 64 to 633.
   * 11-20: a note in the head that was clipped among messages, in one case of 263 to 6,420. */
  compile: { cases: 100, share: 1 },
  /** 2026-11-19: a part of a pinned step was recalled once more. A case takes 100 ms. */
  pins: { cases: 30, share: 1 / 8 },
  /** 2026-11-18: a message that no longer waited was answered twice. A case takes 200 to 800 ms. */
  checkpoints: { cases: 8, share: 1 / 8 },
  /** 2026-11-18: `not_loaded` although the log has the entry, twice. */
  threads: { cases: 20, share: 1 / 4 },
  /** 2026-11-17: an answer of a later term continued an earlier text, twice. */
  instances: { cases: 40, share: 1 / 2 },
  /** 2026-11-18: a segment had postings of another branch. */
  segments: { cases: 6, share: 1 / 8 },
  /** 2026-11-17: no widths if all sections have the size 0. */
  sections: { cases: 100, share: 1 },
  /** Found nothing, but it is what attackers try. */
  attacks: { cases: 200, share: 1 },
} as const

/** How many cases a property tries, if not the usual number: `fc.assert(property, { numRuns: cases('long') })`. */
export function cases(of: keyof typeof counts): number {
  const { cases: few, share } = counts[of]
  return asked === undefined ? few : Math.max(few, Math.ceil(asked * share))
}

const asked = askedRuns(process.env)

/** True if properties are proved with many cases, which may take hours. Tests that are long by size are larger then. */
export const proves: boolean = asked !== undefined

function askedRuns({ PROVE_RUNS: runs = '' }: Record<string, string | undefined>): number | undefined {
  if (runs === '') return undefined
  const count = Number(runs)
  if (!Number.isSafeInteger(count) || count < 1)
    throw new Error(`PROVE_RUNS must be a positive whole number, not "${runs}".`)
  return count
}

/**
 * For a property that counts what it has seen: `fc.assert(fc.property(...drawn, check), withSure(sure, cases('usual'), drawn))`.
 * The first `sure` cases are drawn with a seed of their own, so they do not depend on the seed of the run, and neither
 * does a count that they reach. Cases by chance follow, up to `numRuns`.
 */
export function withSure<Drawn extends [unknown, ...unknown[]]>(
  sure: number,
  numRuns: number,
  drawn: { readonly [Index in keyof Drawn]: fc.Arbitrary<Drawn[Index]> },
): fc.Parameters<Drawn> {
  const examples = fc.sample(fc.tuple<Drawn>(...(drawn as never)), { seed: 1, numRuns: sure })
  return { numRuns: Math.max(sure, numRuns), examples }
}
