import fc from 'fast-check'
import * as z from 'zod'
import { defineState, type Entry, type Message } from 'minutebook'
import { entryOf, traits, type EntryFacts } from 'minutebook/store'
import { assistant, call, result, system, user } from '@minutebook/testing'

/** Every result that counted, by seq and text: nothing that matters is forgotten. */
export const tape = defineState({
  name: 'tape',
  initial: [] as (readonly [number, string])[],
  tools: {
    note_down: { schema: z.string(), reduce: (state, text, { entry }) => [...state, [entry.seq, text] as const] },
  },
})

interface Line {
  readonly message: Message
  readonly facts: EntryFacts
  /** Goes on from the entry so many back instead of from the newest. */
  readonly back: number
}

const often = <T>(usual: T, ...others: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 5, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...others) })

const id = fc.constantFrom('1', '2', '3')
const calls = fc
  .uniqueArray(id, { maxLength: 3 })
  .chain((ids) => fc.tuple(...ids.map((one) => often('note_down', 'look').map((name) => call(one, name)))))
const word = fc.nat({ max: 1_000_000 }).map((n) => `w${n}`)
const status = often<NonNullable<EntryFacts['status']>>('complete', 'partial', 'failed', 'cancelled')

const spoken: fc.Arbitrary<Omit<Line, 'back'>> = fc.oneof(
  { weight: 2, arbitrary: word.map((text) => ({ message: user(text), facts: {} })) },
  {
    weight: 6,
    arbitrary: fc
      .record({ text: word, asked: calls, origin: often<'model' | 'import'>('model', 'import'), status })
      .map(({ text, asked, ...facts }) => ({ message: assistant(text, ...asked), facts })),
  },
  {
    weight: 12,
    arbitrary: fc
      .record({
        id,
        text: word,
        origin: often<'tool' | 'import' | 'minutebook'>('tool', 'import', 'minutebook'),
        status,
      })
      .map(({ id: answered, text, ...facts }) => ({ message: result(answered, text), facts })),
  },
  { weight: 1, arbitrary: word.map((text) => ({ message: system(text), facts: {} })) },
  {
    weight: 3,
    arbitrary: fc
      .record({ text: word, kind: fc.constantFrom('note' as const, 'receipt' as const, 'journal' as const) })
      .map(({ text, kind }) => ({ message: system(text), facts: { kind } })),
  },
)

const line: fc.Arbitrary<Line> = fc
  .tuple(spoken, fc.oneof({ weight: 8, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 20 }) }))
  .map(([said, back]) => ({ ...said, back }))

/**
 * A log of any branches: calls that are answered, forged, doubled, given up and left open, with notes and receipts in
 * between.
 */
export const someLog: fc.Arbitrary<Entry[]> = fc.array(line, { maxLength: 60, size: 'max' }).map((lines) => {
  const log: Entry[] = []
  for (const { message, facts, back } of lines) {
    const after = log[Math.max(0, log.length - 1 - back)]
    const { seq: _, ...entry } = entryOf(message, after, facts)
    if (!log.some(({ id: known }) => known === entry.id)) log.push({ ...entry, seq: log.length })
  }
  return log
})

/** Every entry that could be a head. */
export function heads(log: readonly Entry[]): string[] {
  return log.filter(({ kind }) => traits[kind].chained).map(({ id: head }) => head)
}
