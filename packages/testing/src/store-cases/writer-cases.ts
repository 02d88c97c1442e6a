import { history } from 'minutebook'
import { user } from '../builders.ts'
import { checkConsistency } from '../consistency.ts'
import {
  casesOf,
  chain,
  eachOf,
  equal,
  hang,
  idsOf,
  seqsOf,
  talk,
  thread,
  upTo,
  write,
  type StoreCase,
} from './harness.ts'
import { runWriters } from './writers.ts'

/** Many at once on one thread. */
export const writerCases: readonly StoreCase[] = [
  ...eachOf(
    'writers',
    [
      { writers: 2, appends: 20 },
      { writers: 8, appends: 10 },
      { writers: 50, appends: 2 },
      { writers: 8, appends: 8, batch: 3 },
      { writers: 8, appends: 9, retryEvery: 3 },
      { writers: 4, appends: 8, batch: 4, retryEvery: 2 },
      { writers: 2, appends: 10, linked: true },
      { writers: 8, appends: 5, linked: true },
      { writers: 5, appends: 5, linked: true, batch: 3 },
      { writers: 5, appends: 6, linked: true, retryEvery: 2 },
    ],
    (options) => `${JSON.stringify(options)} pass the five checks`,
    async (options, { store }) => {
      const operations = await runWriters(store, thread, options)
      equal(checkConsistency(operations), [], 'the findings')
      equal(
        seqsOf(await store.read(thread)),
        upTo(options.writers * options.appends * (options.batch ?? 1)),
        'the seqs',
      )
    },
  ),
  ...casesOf('writers', {
    'who appends after the head that was read loses no update: one line of all entries': async ({ store }) => {
      await runWriters(store, thread, { writers: 6, appends: 6, linked: true })
      const log = await store.read(thread)
      equal(idsOf(history(log)), idsOf(log), 'the history')
      equal(log.length, 36, 'how many entries there are')
    },
    'of 50 appends after one head one is written': async ({ store }) => {
      const [first] = talk(1)
      await write(store, thread, [first!])
      const answers = await Promise.all(
        upTo(50).map((index) => store.append(thread, chain([user(`${index}`)], first), { head: first!.id })),
      )
      equal(answers.filter(({ ok }) => ok).length, 1, 'how many were written')
      equal(
        [...new Set(answers.map((answer) => (answer.ok ? 'ok' : answer.reason)))].toSorted(),
        ['conflict', 'ok'],
        'the answers',
      )
      equal((await store.read(thread)).length, 2, 'how many entries there are')
    },
    'of 20 runners only the last to claim writes': async ({ store }) => {
      const runs = upTo(20).map(async (index) => {
        const { term } = await store.claim(thread)
        return { term, answer: await store.append(thread, chain([user(`${index}`)]), { term }) }
      })
      const outcomes = await Promise.all(runs)
      const written = outcomes.filter(({ answer }) => answer.ok)
      equal((await store.read(thread)).length, written.length, 'how many entries there are')
      equal(outcomes.find(({ term }) => term === 20)?.answer.ok, true, 'whether the last claim writes')
    },
    'writers of different threads do not disturb one another': async ({ store }) => {
      const all = await Promise.all(
        upTo(5).map((index) => runWriters(store, `thread ${index}`, { writers: 3, appends: 5 })),
      )
      equal(all.map(checkConsistency), [[], [], [], [], []], 'the findings')
    },
    'an erasure among appends loses none': async ({ store }) => {
      const [first] = chain([user('to be erased')])
      await write(store, thread, [first!])
      const writing = upTo(20).map((index) => write(store, thread, [hang('note', `note ${index}`, first)]))
      await Promise.all([...writing, store.erase(thread, [first!.id])])
      equal(seqsOf(await store.read(thread)), upTo(21), 'the seqs')
      equal((await store.read(thread))[0]?.status, 'erased', 'the status of the first')
    },
    'every read during appends of three shows whole appends': async ({ store }) => {
      const operations = await runWriters(store, thread, { writers: 6, appends: 6, batch: 3 })
      const lengths = operations
        .filter((operation) => operation.kind === 'read')
        .map(({ entries }) => entries.length % 3)
      equal([...new Set(lengths)], [0], 'what is left of the lengths by three')
    },
  }),
]
