// What is the smallest input that still fails? Parts are taken away for as long as it does.
import type { Sample, SampleRound, SampleTurn } from './sample.ts'

/** At most this many samples are tried for one failure. */
const mostTries = 1000

/**
 * Takes away turns, rounds, calls and words, and makes the window smaller, as long as the sample still fails. The same
 * sample always ends as the same one.
 */
export async function shrunk(
  sample: Sample,
  stillFails: (smaller: Sample) => Promise<boolean>,
  sizeOf: (sample: Sample) => number,
): Promise<Sample> {
  let smallest = sample
  let tries = 0
  for (let isSmaller = true; isSmaller;) {
    isSmaller = false
    for (const candidate of smallerSamples(smallest, sizeOf)) {
      if (++tries > mostTries) return smallest
      if (!(await stillFails(candidate))) continue
      smallest = candidate
      isSmaller = true
      break
    }
  }
  return smallest
}

/** Every candidate is smaller than the sample: it has less of something, and more of nothing. */
function* smallerSamples(sample: Sample, sizeOf: (sample: Sample) => number): Iterable<Sample> {
  for (const parts of smallerConversations(sample)) {
    const candidate = { ...sample, ...parts }
    // The window may have to become smaller with the conversation, or everything fits.
    const window = Math.floor(sample.window - (sizeOf(sample) - sizeOf(candidate)))
    if (window > 0 && window < sample.window) yield { ...candidate, window }
    yield candidate
  }
  for (const window of smallerNumbers(sample.window, 1)) yield { ...sample, window }
  if (sample.style !== 'plain') yield { ...sample, style: 'plain' }
}

function* smallerConversations({ system, turns }: Sample): Iterable<Partial<Sample>> {
  if (turns.length > 3) yield { turns: turns.slice(Math.floor(turns.length / 2)) }
  // The last turn waits for the model. If it goes, the one before it has no answer yet.
  const before = turns.at(-2)
  if (before) yield { turns: [...turns.slice(0, -2), { ...before, answer: null }] }
  for (const fewer of oneFewer(turns.slice(0, -1))) yield { turns: [...fewer, ...turns.slice(-1)] }
  for (const fewer of oneFewer(system)) yield { system: fewer }
  const shortest = turns.map((turn) => ({ ...turn, question: 1, answer: turn.answer && 1 }))
  if (turns.some(({ question, answer }) => question > 1 || (answer ?? 0) > 1)) yield { turns: shortest }
  for (const smaller of oneSmaller(turns, smallerTurns)) yield { turns: smaller }
  for (const smaller of oneSmaller(system, (words) => smallerNumbers(words, 1))) yield { system: smaller }
}

function* smallerTurns(turn: SampleTurn): Iterable<SampleTurn> {
  for (const rounds of oneFewer(turn.rounds)) yield { ...turn, rounds }
  for (const rounds of oneSmaller(turn.rounds, smallerRounds)) yield { ...turn, rounds }
  for (const question of smallerNumbers(turn.question, 1)) yield { ...turn, question }
  for (const answer of smallerNumbers(turn.answer ?? 0, 1)) yield { ...turn, answer }
}

function* smallerRounds(round: SampleRound): Iterable<SampleRound> {
  if (round.calls.length > 1) for (const calls of oneFewer(round.calls)) yield { ...round, calls }
  for (const text of smallerNumbers(round.text, 0)) yield { ...round, text }
  for (const calls of oneSmaller(round.calls, function* (call) {
    for (const argument of smallerNumbers(call.argument, 1)) yield { ...call, argument }
    for (const result of smallerNumbers(call.result ?? 0, 1)) yield { ...call, result }
  }))
    yield { ...round, calls }
}

function* oneFewer<T>(list: readonly T[]): Iterable<readonly T[]> {
  for (const index of list.keys()) yield list.toSpliced(index, 1)
}

function* oneSmaller<T>(list: readonly T[], smaller: (item: T) => Iterable<T>): Iterable<readonly T[]> {
  for (const [index, item] of list.entries()) for (const each of smaller(item)) yield list.with(index, each)
}

function* smallerNumbers(number: number, least: number): Iterable<number> {
  if (number <= least) return
  yield least
  const half = Math.floor(number / 2)
  if (half > least) yield half
  if (number - 1 > half) yield number - 1
}
