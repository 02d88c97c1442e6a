import type { Hosted } from './hosted.ts'

/** Milliseconds without a new entry after which a turn may have been given up. */
const longQuiet = 10_000

/** Wakes a thread whose turn is unfinished and has not been heard of for long: a run that could not go on does not block it for good. */
export async function stir({ log, wake, clock, thread }: Hosted): Promise<void> {
  const time = log.entries.at(-1)?.time
  const quiet = time === undefined ? Infinity : Date.parse(clock.now()) - Date.parse(time)
  if (!(quiet < longQuiet)) await wake(thread, [])
}
