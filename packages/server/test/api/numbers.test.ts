import type { Entry } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { expect, test } from 'vitest'
import type { Explanation, ShownThread } from '../../src/archive/archive.ts'
import type { Inspection } from '../../src/archive/inspection.ts'
import type { EntryLane } from '../../src/archive/lane.ts'
import type { FoundEntry } from '../../src/archive/search.ts'
import { native, nativeServer } from '../../../../tests/support/server/native.ts'

const fact = 'Lena sits in a wheelchair, so no steps.'

test('a message has one number: in the prompt, in the plan, in the inspection, in the lane, in search and in the thread', async () => {
  const { running } = await nativeServer(
    { answer: `A tower. ${'It has stairs. '.repeat(30)} [NOTE TO SELF: stairs]` },
    { policy: { preset: 'default', notes: true } },
  )
  const admin = native(running.url, running.token)
  const get = async <T>(path: string): Promise<T> => (await admin.ask('GET', path)).body as T
  const say = (message: string, after?: string | null): Promise<unknown> =>
    admin.stream('POST', '/threads/prague/turns', { body: { message, ...(after !== undefined && { after }) } })
  await admin.ask('POST', '/threads', { thread: 'prague', setup: { system: 'You know Prague.', window: 1024 } })
  await say('What should we see?')
  await say(fact)
  for (let day = 1; day <= 8; day++) await say(`Which tower${day} has view${day}?`)
  await say('Are there steps for the wheelchair?')

  const { entries } = await get<ShownThread>('/threads/prague/entries')
  const own = entries.find(({ text }) => text === fact)!
  expect(own).toMatchObject({ number: 3, turn: 2 })
  expect(own.seq).toBeGreaterThan(3)
  const { found } = await get<{ readonly found: readonly FoundEntry[] }>('/search?query=sits')
  expect(found).toEqual([
    {
      thread: 'prague',
      title: 'What should we see?',
      id: own.id,
      seq: own.seq,
      text: fact,
      kind: 'user',
      time: own.time,
      number: 3,
      turn: 2,
    },
  ])
  const lane = await get<EntryLane>(`/threads/prague/entries/${own.id}/lane`)
  expect(lane).toMatchObject({ number: 3, turn: 2 })
  const last = lane.calls.at(-1)!
  expect(last.verdict).toBe('recalled')
  const drawn = await get<Inspection>(`/threads/prague/calls/${last.receipt}`)
  expect(drawn.entries.find(({ id }) => id === own.id)).toMatchObject({ number: 3, seq: own.seq })
  const { plan } = await get<Explanation>('/threads/prague/explain')
  expect(plan.spans.find(({ title }) => title.startsWith('Lena'))).toMatchObject({ numbers: [3, 3] })
  const { text } = await get<{ readonly text: string }>('/threads/prague/dump')
  expect(text).toContain(`#3 user> ${fact}`)

  // An erased message keeps its number, and so do those after it.
  await admin.ask('POST', '/threads/prague/erase', { entries: [entries[0]!.id] })
  const shown = await get<ShownThread>('/threads/prague/entries')
  expect(shown.entries.find(({ id }) => id === own.id)?.number).toBe(3)
  const after = await get<Explanation>('/threads/prague/explain')
  expect(after.plan.spans.find(({ title }) => title.startsWith('Lena'))).toMatchObject({ numbers: [3, 3] })

  // On another branch, it is the place on that branch.
  await say('What else?', entries[1]!.id)
  const { found: branched } = await get<{ readonly found: readonly FoundEntry[] }>('/search?query=else')
  expect(branched).toMatchObject([{ number: 3, turn: 2, kind: 'user' }])
})

test('search says who wrote what it found in which thread, and leaves out the number of what is far down', async () => {
  const { running } = await nativeServer({ answer: 'Ferns.' })
  const admin = native(running.url, running.token)
  await admin.ask('POST', '/threads', { thread: 'long' })
  const lines = Array.from({ length: 2100 }, (_, index) => ({
    role: index % 2 ? 'assistant' : 'user',
    content: index === 2098 ? 'a late needle' : index === 10 ? 'an early needle' : `hay ${index}`,
  }))
  const log: Entry[] = []
  for (const line of lines) log.push(entryOf(line, log.at(-1)))
  await running.services.stores.of('default').store.append('hay', log)
  const { found } = (await admin.ask('GET', '/search?query=needle')).body as { readonly found: readonly FoundEntry[] }
  expect(found.map(({ text, number, turn, title }) => ({ text, number, turn, title }))).toEqual([
    { text: 'a late needle', title: 'hay 0' },
    { text: 'an early needle', number: 10, turn: 6, title: 'hay 0' },
  ])
  await admin.stream('POST', '/threads/long/turns', { body: { message: 'What grows?' } })
  expect((await admin.ask('GET', '/search?query=ferns')).body).toMatchObject({
    found: [{ kind: 'assistant', number: 1, turn: 1, title: 'What grows?' }],
  })
})
