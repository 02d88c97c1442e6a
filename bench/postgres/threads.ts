import { createHash } from 'node:crypto'

/**
 * The threads that are there before anything is measured, numbered from 0. Each party has its own, every `parties`th,
 * so that it knows where they stand; and each of its clients has its own of those, so that nobody waits for another.
 */
export interface SeededThreads {
  readonly count: number
  readonly entriesEach: number
}

/** pgbench cannot know where a thread stands: all of its threads stand at this entry, for ever. */
export const pgbenchHead: string = digest('the head of the threads of pgbench')

export const parties = 4
export const pgbenchParty = 0
/** Our one process, and our two. */
export const ourParties: readonly (readonly number[])[] = [[1], [2, 3]]

/** Whose threads they are. */
export const tenant = 'bench'

/** What a runner of turns would have claimed. */
export const term = 1

/** Names are numbers, because pgbench has no other values that change. */
export function nameOf(thread: number): string {
  return String(firstName + BigInt(thread))
}

export const firstName: bigint = 10n ** 18n

/** The id of a seeded entry, also made in `seed.ts`. */
export function seededId(thread: number, seq: number): string {
  return digest(`${nameOf(thread)}/${seq}`)
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
