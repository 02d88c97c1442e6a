import { user } from '@minutebook/testing'
import type { StrictUpstream } from '@minutebook/testing/server'
import type { Store } from 'minutebook'
import { afterAll, describe, expect, test } from 'vitest'
import { cases, type ChatCase } from './support/cases.ts'
import { createPairs } from './support/pairs.ts'
import { ask, type Ask, type ClientName } from './support/wire.ts'

interface Row extends ChatCase {
  readonly wire: ClientName
  readonly stream: boolean
}

const rows: readonly Row[] = cases.flatMap((each) =>
  (each.wires ?? (['ollama', 'openai', 'anthropic'] as const)).flatMap((wire) =>
    (each.streams ?? [true, false]).map((stream) => ({ ...each, wire, stream })),
  ),
)

const pairs = createPairs()
afterAll(() => pairs.close())

describe('what the official clients see through the gateway is what they see without it', () => {
  test('in 250 cases at least', () => expect(rows.length).toBeGreaterThanOrEqual(250))

  for (const row of rows) {
    test(`${row.wire}, ${row.stream ? 'streamed' : 'whole'}: ${row.name}`, async () => {
      const { wire } = row
      const asked = askOf(row)
      const { bare, upstream, running } = await pairs.of(row.upstream)
      const { store } = running.services.stores.of('default')
      const [earlier, chatsBefore] = [new Set(await threadsIn(store)), chats(bare).length]
      const [expected, seen] = [await ask(wire, bare.url, asked), await ask(wire, running.url, asked)]
      if (row.differs === 'error') {
        expect(seen.error).toBeDefined()
        expect(seen.chunks).toEqual(expected.chunks)
      } else expect(seen).toEqual(expected)
      const [plain, through] = [chats(bare).slice(chatsBefore), chats(upstream).slice(chatsBefore)]
      await Promise.all(through.map(({ closed }) => closed))
      expect(through.map(({ text }) => text)).toEqual(plain.map(({ text }) => text))
      expect(through).toHaveLength(row.requests ?? plain.length)
      if (asked.leaveAfter !== undefined) expect(through[0]?.aborted).toBe(true)
      const threads = (await threadsIn(store)).filter((thread) => !earlier.has(thread))
      expect(threads).toHaveLength(row.recorded === false ? 0 : 1)
      if (threads[0] !== undefined)
        await expectAnswers(
          store,
          threads[0],
          typeof row.answers === 'function' ? row.answers(wire) : (row.answers ?? []),
        )
    })
  }
})

function askOf({ wire, stream, messages = [user('Hello, who are you?')], fields = {}, ask: more }: Row): Ask {
  return {
    stream,
    messages: typeof messages === 'function' ? messages(wire) : messages,
    fields: typeof fields === 'function' ? (fields as (wire: ClientName) => object)(wire) : fields,
    ...more,
  }
}

const chats = ({ requests }: StrictUpstream): StrictUpstream['requests'] =>
  requests.filter(({ method, path }) => method === 'POST' && path !== '/api/show')

/** The threads of people. */
async function threadsIn(store: Store): Promise<readonly string[]> {
  return (await store.list({ limit: 1000 })).threads
    .map(({ thread }) => thread)
    .filter((thread) => !thread.startsWith('minutebook:'))
}

async function expectAnswers(store: Store, thread: string, answers: readonly string[]): Promise<void> {
  await expect.poll(async () => (await store.read(thread)).some(({ kind }) => kind === 'receipt')).toBe(true)
  const log = await store.read(thread)
  const given = log.filter(({ kind, origin }) => kind === 'assistant' && origin === 'model')
  expect(
    given.map(({ status, text, calls }) => [`${status}: ${text}`, ...calls.map(({ name }) => name)].join(' ')),
  ).toEqual(answers)
}
