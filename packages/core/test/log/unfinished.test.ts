import fc from 'fast-check'
import { memoryStore, type Entry, type Kind, type Store } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { cases, withSure } from '../../../../tests/support/runs.ts'
import { needsWork } from '../../src/log/next.ts'

const call = { id: 'c', type: 'function', function: { name: 'look', arguments: '{}' } }
const asked = { role: 'user', content: 'And now?' }
const called = { role: 'assistant', content: '', tool_calls: [call] }

async function isListed(store: Store): Promise<boolean> {
  return (await store.list({ unfinished: true })).threads.length === 1
}

/** The entries of each append in turn. Returns after which of them the thread is listed as unfinished. */
async function listedAfter(...appends: readonly (readonly Entry[])[]): Promise<boolean[]> {
  const store = memoryStore()
  const listed: boolean[] = []
  for (const entries of appends) {
    await store.append('t', entries)
    listed.push(await isListed(store))
  }
  return listed
}

describe('a thread may need work', () => {
  const question = entryOf(asked)
  const answer = entryOf({ role: 'assistant', content: 'Nothing.' }, question)
  const pending = entryOf({ role: 'user', content: 'Wait!' }, question, { kind: 'pending', key: 'k' })

  test('from its question to its answer', async () => {
    expect(await listedAfter([question], [answer])).toEqual([true, false])
    expect(await listedAfter([question, answer])).toEqual([false])
  })

  test('while a call has no result, unless a client runs it', async () => {
    const calls = entryOf(called, question)
    const relayed = entryOf({ role: 'system', content: '{"mode":"unchanged"}' }, calls, { kind: 'receipt' })
    expect(await listedAfter([question, calls])).toEqual([true])
    expect(await listedAfter([question, calls, relayed])).toEqual([false])
  })

  test('not after a stop, but after a retry', async () => {
    const stop = entryOf({ role: 'system', content: '{"code":"x","reason":"y"}' }, question, { kind: 'stop' })
    const retry = entryOf({ role: 'system', content: '' }, question, { kind: 'retry' })
    expect(await listedAfter([question], [stop], [retry])).toEqual([true, false, true])
  })

  test('while a message waits, and no longer', async () => {
    const admitted = entryOf({ role: 'user', content: 'Wait!' }, answer, { key: 'k' })
    const last = entryOf({ role: 'assistant', content: 'I wait.' }, admitted)
    expect(await listedAfter([question], [pending], [answer], [admitted, last])).toEqual([true, true, true, false])
    const taken = entryOf({ role: 'system', content: pending.id }, answer, { kind: 'revocation' })
    expect(await listedAfter([question, pending, answer], [taken])).toEqual([true, false])
  })

  test('not after it was removed', async () => {
    const store = memoryStore()
    await store.append('t', [question])
    await store.remove('t')
    await store.append('t', [entryOf({ role: 'system', content: 'Be brief.' })])
    expect(await isListed(store)).toBe(false)
  })
})

const kinds: readonly Kind[] = [
  'system',
  'user',
  'assistant',
  'tool',
  'pending',
  'stop',
  'retry',
  'receipt',
  'revocation',
  'note',
]

/** One entry: what it is, how far back its parent is, whether an assistant calls, and whether it begins an append. */
const drawn = fc.record({
  kind: fc.constantFrom(...kinds),
  back: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.nat({ max: 5 }) }),
  calls: fc.boolean(),
  relayed: fc.boolean(),
  splits: fc.boolean(),
  erases: fc.nat({ max: 19 }),
})

test('whatever needs work by its log is listed, after any appends and erasures', async () => {
  let [needing, resting] = [0, 0]
  const plans = [fc.array(drawn, { minLength: 1, maxLength: 12 })] as const
  const property = fc.asyncProperty(...plans, async (plan) => {
    const store = memoryStore()
    const log: Entry[] = []
    let batch: Entry[] = []
    for (const [index, { kind, back, calls, relayed, splits, erases }] of plan.entries()) {
      const parents = log.filter((entry) => ['system', 'user', 'assistant', 'tool'].includes(entry.kind))
      const entry = entryOf(
        messageOf(kind, { calls, relayed, text: textFor(kind, log, index) }),
        parents.at(-1 - back),
        {
          ...(kind !== 'system' && { kind }),
          ...((kind === 'pending' || kind === 'user') && { key: `k${back}` }),
        },
      )
      log.push(entry)
      batch.push(entry)
      if (!splits) continue
      await store.append('t', batch)
      batch = []
      if (erases === 0) await store.erase('t', [log[back % log.length]!.id])
      const isNeeding = await needsWork(store, 't').catch(() => true)
      if (isNeeding) needing++
      if (isNeeding) expect(await isListed(store), log.map((each) => each.kind).join(' ')).toBe(true)
      else if (!(await isListed(store))) resting++
    }
  })
  await fc.assert(property, withSure(40, cases('usual'), plans))
  expect(Math.min(needing, resting)).toBeGreaterThan(10)
})

function messageOf(
  kind: Kind,
  { calls, relayed, text }: { readonly calls: boolean; readonly relayed: boolean; readonly text: string },
): Parameters<typeof entryOf>[0] {
  if (kind === 'assistant') return calls ? { ...called, content: text } : { role: 'assistant', content: text }
  if (kind === 'tool') return { role: 'tool', content: text, tool_call_id: 'c' }
  if (kind === 'receipt')
    return { role: 'system', content: JSON.stringify({ text, ...(relayed && { mode: 'unchanged' }) }) }
  return { role: kind === 'user' || kind === 'pending' ? 'user' : 'system', content: text }
}

function textFor(kind: Kind, log: readonly Entry[], index: number): string {
  if (kind === 'revocation') return log.findLast((entry) => entry.kind === 'pending')?.id ?? ''
  return kind === 'stop' ? `{"code":"x","reason":"${index}"}` : `text ${index}`
}
