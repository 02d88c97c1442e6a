import { appendFileSync } from 'node:fs'

/** What a fault test counted, as it stands in the file that `npm run bench:reliability` reads. */
export interface Tally {
  /** Which test it was. */
  readonly test: string
  readonly counts: Readonly<Record<string, number>>
}

/** Notes what a test counted, in the file that TALLY names, if there is one. Only a test that has passed calls it. */
export function tally(test: string, counts: Tally['counts']): void {
  const file = process.env['TALLY']
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ test, counts } satisfies Tally)}\n`)
}
