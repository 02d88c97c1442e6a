import type { Store } from 'minutebook'
import {
  entryOf,
  mostKeys,
  mostModels,
  sumFigures,
  type StoredFigures,
  type FigureQuery,
  type NewCount,
} from 'minutebook/store'
import { assistant, user } from '../builders.ts'
import { casesOf, equal, hang, refuse, talk, thread, upTo, write, type StoreCase } from './harness.ts'

/** What a store counts with its appends: once for each entry, and for good. */
export const figureCases: readonly StoreCase[] = [
  ...casesOf('figures', {
    'of a new store are empty': async ({ store }) => {
      equal(await store.figures(), [], 'the figures')
    },
    'are added by the hour, the model and the key': async ({ store }) => {
      const [one, two, three, four] = talk(4)
      await write(store, thread, [one!], { count: counted(one!.id, { calls: 1, sentTokens: 10 }) })
      await write(store, thread, [two!], { head: one!.id, count: counted(two!.id, { calls: 1, sentTokens: 5 }) })
      await write(store, thread, [three!], { count: { ...counted(three!.id), hour: 8 } })
      await write(store, thread, [four!], { count: { ...counted(four!.id), model: 'other', key: 'app' } })
      equal(
        await seen(store),
        [
          [7, 'gemma', '', 2, 15],
          [7, 'other', 'app', 1, 0],
          [8, 'gemma', '', 1, 0],
        ],
        'the figures',
      )
    },
    'have every name, as whole numbers from 0 on': async ({ store }) => {
      const [one] = talk(1)
      await write(store, thread, [one!], { count: counted(one!.id, { calls: 1, omitted: 2.6, failed: -1 }) })
      const [row] = await store.figures()
      equal(row?.figures, { ...sumFigures([]), calls: 1, omitted: 3 }, 'the figures')
    },
    'leave out what cannot be a count, and the append holds': async ({ store }) => {
      const [one] = talk(1)
      const impossible = { calls: 1, sentTokens: 1e300, readTokens: Infinity, cachedTokens: NaN, cutTokens: 2 ** 63 }
      await write(store, thread, [one!], { count: counted(one!.id, impossible) })
      const [row] = await store.figures()
      equal(row?.figures, { ...sumFigures([]), calls: 1 }, 'the figures')
      equal((await store.read(thread)).length, 1, 'how many entries there are')
    },
    'hold large sums': async ({ store }) => {
      const entries = talk(3)
      for (const entry of entries)
        await write(store, thread, [entry], { count: counted(entry.id, { sentTokens: 2 ** 40 }) })
      equal(await seen(store), [[7, 'gemma', '', 0, 3 * 2 ** 40]], 'the sum')
    },
    'of an append that is retried are added once': async ({ store }) => {
      const [one, two] = talk(2)
      const terms = { count: counted(two!.id) }
      await write(store, thread, [one!, two!], terms)
      await write(store, thread, [one!, two!], terms)
      await write(store, thread, [two!], terms)
      await write(store, thread, [...talk(3)], terms)
      equal(await calls(store), 1, 'the calls')
    },
    'are added if only the counted entry is new': async ({ store }) => {
      const [one, two] = talk(2)
      await write(store, thread, [one!])
      await write(store, thread, [one!, two!], { count: counted(two!.id) })
      await write(store, thread, [one!, two!], { count: counted(one!.id) })
      equal(await calls(store), 1, 'the calls')
    },
    'are added with records, and with an entry off the chain': async ({ store }) => {
      const [one, two] = talk(2)
      await write(store, thread, [one!, two!])
      const receipt = hang('receipt', '{}', one)
      await write(store, thread, [receipt], { count: counted(receipt.id), records: [{ name: 'lamp', value: 1 }] })
      equal(
        (await store.records.find({ name: 'lamp' })).map(({ value }) => value),
        [1],
        'the record',
      )
      equal(await calls(store), 1, 'the calls')
    },
    'of an entry that is not of the append are not added': async ({ store }) => {
      await write(store, thread, talk(1), { count: counted('another') })
      await write(store, thread, [], { count: counted('another') })
      equal(await store.figures(), [], 'the figures')
    },
    'of an append that is refused are not added': async ({ store }) => {
      const [one, two] = talk(2)
      await write(store, thread, [one!])
      const terms = { count: counted(two!.id) }
      equal(await refuse(store, thread, [two!], { ...terms, head: null }), 'conflict', 'another head')
      const { term } = await store.claim(thread)
      await store.claim(thread)
      equal(await refuse(store, thread, [two!], { ...terms, term }), 'fenced', 'a term that has passed')
      const stray = entryOf(user('stray'), entryOf(assistant('elsewhere')))
      equal(await refuse(store, thread, [stray], { count: counted(stray.id) }), 'absent', 'a parent that is not there')
      const expected = [{ name: 'lamp', value: 1, expected: 3 }]
      equal(await refuse(store, thread, [two!], { ...terms, records: expected }), 'conflict', 'another version')
      equal(await store.figures(), [], 'the figures')
    },
    'outlive what was said': async ({ store }) => {
      const [one, two] = talk(2)
      await write(store, thread, [one!, two!], { count: counted(two!.id) })
      await store.erase(thread, [two!.id])
      await store.erase(thread)
      await store.remove(thread)
      equal(await calls(store), 1, 'the calls')
    },
    'of a removed entry that is written again are added again': async ({ store }) => {
      const [one] = talk(1)
      const terms = { count: counted(one!.id) }
      await write(store, thread, [one!], terms)
      await store.remove(thread)
      await write(store, thread, [one!], terms)
      equal(await calls(store), 2, 'the calls')
    },
    'of many writers at once are all there': async ({ store }) => {
      const writers = upTo(12).map(async (number) => {
        let last = talk(1, undefined, `thread ${number}`)[0]!
        for (const turn of upTo(5)) {
          await write(store, `thread ${number}`, [last], { count: counted(last.id) })
          last = entryOf(user(`${turn}`), last)
        }
      })
      await Promise.all(writers)
      equal(await calls(store), 60, 'the calls')
    },
  }),
  ...casesOf('figures are read', {
    'of a range of hours': async ({ store }) => {
      await hours(store, [3, 5, 6, 9])
      equal(await hoursOf(store, { from: 5, to: 9 }), [5, 6], 'from and to')
      equal(await hoursOf(store, { from: 6 }), [6, 9], 'from')
      equal(await hoursOf(store, { to: 6 }), [3, 5], 'to')
      equal(await hoursOf(store, { from: 7, to: 7 }), [], 'an empty range')
    },
    'in steps of several hours, from the first one on': async ({ store }) => {
      await hours(store, [3, 5, 6, 9, 10])
      const rows = await store.figures({ from: 3, to: 10, step: 3 })
      equal(
        rows.map(({ hour, figures }) => [hour, figures.calls]),
        [
          [3, 2],
          [6, 1],
          [9, 1],
        ],
        'the sums',
      )
    },
  }),
  ...casesOf('figures are bounded', {
    'by the models of an hour and a key': async ({ store }) => {
      await counting(store, upTo(mostModels + 3), (number) => ({ model: `model ${number}`, key: 'a' }))
      // The same again: those that are told apart still are.
      await counting(store, [0, mostModels + 1], (number) => ({ model: `model ${number}`, key: 'a' }), 'again')
      await counting(store, [0], () => ({ model: 'late', key: 'b' }), 'of another key')
      await counting(store, [0], () => ({ model: 'late', key: 'a', hour: 8 }), 'of another hour')
      const rows = await store.figures({ to: 8 })
      equal(rows.filter(({ key }) => key === 'a').length, mostModels + 1, 'the rows of the key')
      const callsOf = (model: string | null, key = 'a'): number | undefined =>
        rows.find((row) => row.model === model && row.key === key)?.figures.calls
      equal([callsOf('model 0'), callsOf(null), callsOf('late', 'b')], [2, 4, 1], 'the calls')
      equal((await store.figures({ from: 8 }))[0]?.model, 'late', 'the model of the next hour')
    },
    'by the keys of an hour': async ({ store }) => {
      await counting(store, upTo(mostKeys + 2), (number) => ({ key: `key ${number}` }))
      const rows = await store.figures()
      equal(rows.length, mostKeys + 1, 'the rows')
      equal(rows.find(({ key }) => key === null)?.figures.calls, 2, 'the calls of all others')
    },
    'by the length of names, which may be any text': async ({ store }) => {
      const names = ['', 'null', '\u0000', '\ud800', "'; drop table figure", 'é"\\', 'x'.repeat(5000)]
      await counting(store, upTo(names.length), (number) => ({ model: names[number]!, key: names[number]! }))
      const rows = await store.figures()
      const known = new Set(rows.map(({ model }) => model))
      equal(known.size, names.length, 'the number of models')
      equal(
        names.filter((name) => !known.has(name.slice(0, 120))),
        [],
        'the models that are missing',
      )
      equal(
        rows.every(({ model, key }) => model === key),
        true,
        'the keys are the same',
      )
    },
  }),
]

/** What one entry adds: a call of the same hour, model and key. */
function counted(entry: string, figures: NewCount['figures'] = { calls: 1 }): NewCount {
  return { entry, hour: 7, model: 'gemma', key: '', figures }
}

/** A call for each number, each in an append of its own. */
async function counting(
  store: Store,
  numbers: readonly number[],
  of: (number: number) => Partial<NewCount>,
  word = 'call',
): Promise<void> {
  let last = (await store.read(thread, { last: 1 }))[0]
  for (const number of numbers) {
    const entry = entryOf(user(`${word} ${number}`), last)
    const { entries } = await write(store, thread, [entry], { count: { ...counted(entry.id), ...of(number) } })
    last = entries[0]
  }
}

function hours(store: Store, all: readonly number[]): Promise<void> {
  return counting(store, all, (hour) => ({ hour }))
}

async function hoursOf(store: Store, query: FigureQuery): Promise<number[]> {
  return (await store.figures(query)).map(({ hour }) => hour)
}

async function calls(store: Store): Promise<number> {
  return sumFigures((await store.figures()).map(({ figures }) => figures)).calls
}

/** The rows in brief, in a fixed order. */
async function seen(store: Store): Promise<unknown[]> {
  const brief = ({ hour, model, key, figures }: StoredFigures): unknown[] => [
    hour,
    model,
    key,
    figures.calls,
    figures.sentTokens,
  ]
  return (await store.figures())
    .map(brief)
    .toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
}
