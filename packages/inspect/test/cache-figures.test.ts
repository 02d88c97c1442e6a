import { describe, expect, test } from 'vitest'
import { assistant, system, user, words } from '@minutebook/testing'
import { cacheUsage, type CacheUsage } from '@minutebook/inspect'
import { memoryStore, type Message } from 'minutebook'
import type { Stabiliser } from 'minutebook/inspect'
import { relayBook, said } from '../../../tests/support/relays.ts'

// What a server counts, and what the figures of its calls say then.

type Counts = NonNullable<ReturnType<typeof said>['usage']>

const long = (about: string): string => `${about} ${'word '.repeat(400)}`
const talk: readonly Message[] = [
  system(long('Be brief.')),
  user(long('first')),
  assistant('yes'),
  user(long('second')),
  assistant('yes'),
  user(long('third')),
]

/** The figures of a client that re-sends its history, by what the server says of each call. */
async function figures(
  counts: readonly Counts[],
  prompts: readonly (readonly Message[])[] = [2, 4, 6].map((length) => talk.slice(0, length)),
): Promise<readonly CacheUsage[]> {
  const store = memoryStore()
  const thread = relayBook({}, store).thread('t')
  for (const [index, usage] of counts.entries()) {
    const relay = await thread.relay(prompts[index]!, { trusted: true })
    await relay.answer(said('yes', { usage }))
  }
  return cacheUsage(await store.read('t'), { counter: words })
}

describe('the figures of a call', () => {
  test('are in the tokens of the server, even if it counts far fewer than predicted', async () => {
    const [first, second, third] = await figures([{ prompt: 300 }, { prompt: 400 }, { prompt: 560 }])
    expect([first, second, third].map((use) => use!.total)).toEqual([300, 400, 560])
    expect(second!.kept).toBeLessThanOrEqual(300)
    expect(third!.kept).toBeLessThanOrEqual(400)
  })

  test('say that kept is what the server took from its cache: less than both prompts begin with, or more', async () => {
    const [, less, more] = await figures([
      { prompt: 800, cached: 0, seconds: 1 },
      { prompt: 1200, cached: 700, seconds: 1 },
      { prompt: 1600, cached: 1210, seconds: 1 },
    ])
    expect(less).toMatchObject({ kept: 700, lost: 0, cached: 700 })
    expect(more).toMatchObject({ kept: more!.previous, lost: 0, cached: 1210 })
    const other = [talk.slice(0, 4), [...talk.slice(0, 3), user(long('other')), ...talk.slice(4)]]
    const [, found] = await figures(
      [
        { prompt: 1200, cached: 0, seconds: 1 },
        { prompt: 1600, cached: 1190, seconds: 1 },
      ],
      other,
    )
    expect(found).toMatchObject({ kept: 1190, lost: 0 })
  })

  test('count nothing as lost if a hosted server keeps no prompt that is so short', async () => {
    const [, short, longer] = await figures([
      { prompt: 800, cached: 0 },
      { prompt: 1000, cached: 0 },
      { prompt: 1600, cached: 0 },
    ])
    expect(short).toMatchObject({ kept: 0, lost: 0 })
    expect(longer).toMatchObject({ kept: 0, cause: 'server' })
  })
})

describe('of a server that caches what a client marks', () => {
  test('nothing behind the last mark counts as lost', async () => {
    const [, second, third] = await figures([
      { prompt: 1300, cached: 0, written: 450 },
      { prompt: 2000, cached: 450, written: 0 },
      { prompt: 2700, cached: 450, written: 0 },
    ])
    expect(second).toMatchObject({ kept: 450, lost: 0, cached: 450 })
    expect(third).toMatchObject({ kept: 450, lost: 0, cached: 450 })
    expect([second!.cause, third!.cause]).toEqual([undefined, undefined])
  })

  test('nothing is kept or lost without a mark, even if the client changes its first message', async () => {
    const changed = [talk.slice(0, 4), [system(long('Be quick.')), ...talk.slice(1)]]
    const [, second] = await figures(
      [
        { prompt: 1800, cached: 0, written: 0 },
        { prompt: 2400, cached: 0, written: 0 },
      ],
      changed,
    )
    expect(second).toMatchObject({ kept: 0, lost: 0, cached: 0 })
    expect(second!.cause).toBeUndefined()
  })

  test('what it had is lost if it is read again, because of a change or of the server', async () => {
    const counts = [
      { prompt: 1800, cached: 0, written: 1800 },
      { prompt: 2400, cached: 0, written: 2400 },
    ]
    const [, gone] = await figures(counts, [talk.slice(0, 4), talk])
    expect(gone).toMatchObject({ kept: 0, cause: 'server' })
    const [, other] = await figures(counts, [talk.slice(0, 4), [system(long('Look. Be brief.')), ...talk.slice(1)]])
    expect(other).toMatchObject({ kept: 0, cause: 'system' })
    expect(other!.lost).toBeGreaterThan(1500)
  })
})

describe('a client that dates its system text, and sends its tools in another order each time', () => {
  const tools = ['wait', 'ask', 'look'].map((name) => ({ type: 'function', function: { name, parameters: {} } }))

  async function played(stabilise: readonly Stabiliser[]): Promise<readonly CacheUsage[]> {
    const store = memoryStore()
    const thread = relayBook({}, store).thread('t')
    for (const turn of [0, 1, 2]) {
      const opening = system(`Be brief.\nIt is 12:0${turn} on Monday.\nDoors: 1 and 2.\nNever lie.`)
      const given = turn % 2 === 0 ? tools : tools.toReversed()
      const options = { tools: given, trusted: true, stabilise }
      await (await thread.relay([opening, ...talk.slice(1, 2 * turn + 2)], options)).answer(said('yes'))
    }
    return cacheUsage(await store.read('t'), { counter: words })
  }

  test('loses less with each stabiliser', async () => {
    expect((await played([])).map(({ cause }) => cause)).toEqual([undefined, 'tool_order', 'tool_order'])
    expect((await played(['tools'])).map(({ cause }) => cause)).toEqual([undefined, 'system', 'system'])
    const [, moved, later] = await played(['tools', 'system'])
    expect(later!.kept).toBeGreaterThan(moved!.kept)
  })
})

test('a client that asks for another answer, after it had edited a message, has compacted nothing', async () => {
  const edited = [talk[0]!, user(long('edited')), ...talk.slice(2), assistant('yes'), user('And then?')]
  const counts = [{ prompt: 2000 }, { prompt: 1600 }]
  const [, again] = await figures(counts, [edited, talk])
  expect(again!.cause).toBe('edit')
  const [, summed] = await figures(counts, [edited, [talk[0]!, user('All went well.'), talk.at(-1)!]])
  expect(summed!.cause).toBe('client_compaction')
})
