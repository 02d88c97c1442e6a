import { memoryStore, type Entry, type Message, type Store } from 'minutebook'
import { traits } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { system, user } from '@minutebook/testing'
import { relayBook, said } from '../../../../tests/support/relays.ts'

/** Clients that send everything, each in its own way. */
const clients: Readonly<Record<string, (kept: readonly Message[], turn: number) => readonly Message[]>> = {
  'sends all of it': (kept) => kept,
  'dates its system message': (kept, turn) => [system(`It is day ${turn}.`), ...kept],
  'sends the last 20': (kept) => kept.slice(-20),
  'sends the last 20 and a dated system message': (kept, turn) => [system(`It is day ${turn}.`), ...kept.slice(-20)],
  'strips all thinking': (kept) => kept.map(({ role, content }) => ({ role, content })),
  'strips older thinking': (kept) =>
    kept.map((message, index) =>
      index < kept.length - 2 ? { role: message.role, content: message.content } : message,
    ),
  'writes texts as parts': (kept) =>
    kept.map(({ role, content }) => ({ role, content: [{ type: 'text', text: content }] })),
  'trims answers': (kept) => kept.map((message) => ({ ...message, content: String(message.content).trim() })),
}

async function talk(store: Store, way: (typeof clients)[string], turns: number, trusted: boolean): Promise<number[]> {
  const thread = relayBook({ window: 1_000_000 }, store).thread('t')
  const kept: Message[] = []
  const sizes: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    kept.push(user(`What happened on day ${turn} at the harbour?`))
    const relay = await thread.relay(way(kept, turn), { trusted })
    const answer = {
      role: 'assistant',
      content: `On day ${turn} nothing happened. `,
      thinking: `Let me think about day ${turn}.`,
    }
    await relay.answer(said(answer))
    kept.push(answer)
    if (turn % (turns / 4) === turns / 4 - 1) sizes.push(JSON.stringify(await store.read('t')).length)
  }
  return sizes
}

/** KEPT_TURNS=200 for a longer look; a multiple of four. */
const many = Number(process.env['KEPT_TURNS'] ?? 80)

describe(`${many} turns of a client`, () => {
  test.each(
    Object.keys(clients).flatMap(
      (name) =>
        [
          [name, true],
          [name, false],
        ] as const,
    ),
  )('that %s (trusted: %s) take room in proportion', async (name, trusted) => {
    const store = memoryStore()
    const sizes = await talk(store, clients[name]!, many, trusted)
    const [first, , , last] = sizes
    expect(last! / first!).toBeLessThan(4.3)
    const entries = await store.read('t')
    expect(entries.filter(({ kind }) => kind === 'assistant')).toHaveLength(many)
    const thread = relayBook({}, store).thread('t')
    expect(await thread.branches()).toHaveLength(1)
    expect(await thread.verify()).toMatchObject({ ok: true, prompts: many, underivable: 0 })
  })
})

describe('an erasure', () => {
  const told = async (): Promise<{ store: Store; entries: readonly Entry[] }> => {
    const store = memoryStore()
    await talk(store, clients['writes texts as parts']!, 8, true)
    return { store, entries: await store.read('t') }
  }

  test('takes every form of what is erased along', async () => {
    const { store, entries } = await told()
    const erased = entries.find(({ kind, text }) => kind === 'assistant' && text.includes('day 3'))!
    expect(entries.filter(({ kind }) => kind === 'form').length).toBeGreaterThan(5)
    const thread = relayBook({}, store).thread('t')
    await thread.erase([erased.id])
    expect(JSON.stringify(await store.read('t'))).not.toContain('On day 3 nothing')
    const { ok, prompts, underivable } = await thread.verify()
    expect({ ok, all: prompts + underivable, some: prompts > 0 && underivable > 0 }).toEqual({
      ok: true,
      all: 7,
      some: true,
    })
    // A client that still has it does not bring it back, and is relayed all the same.
    const kept = entries.filter(({ kind }) => traits[kind].chained).map(({ raw }) => raw)
    const relay = await thread.relay([...kept, user('And now?')], { trusted: true })
    const { receipt } = await relay.answer(said('Nothing.'))
    expect(JSON.stringify(relay.messages)).toContain('On day 3 nothing')
    expect(JSON.stringify(await store.read('t'))).not.toContain('On day 3 nothing')
    expect(await thread.dump({ receipt: receipt.id })).toMatchObject({ same: false })
    expect(await thread.verify()).toMatchObject({ ok: true })
  })

  test('of everything leaves nothing in receipts', async () => {
    const { store } = await told()
    const thread = relayBook({}, store).thread('t')
    await thread.erase()
    expect(JSON.stringify(await store.read('t'))).not.toContain('harbour')
    expect(await thread.verify()).toMatchObject({ ok: true, prompts: 0 })
  })
})

test('a fork, and what is restored from an export, tell what was sent', async () => {
  const store = memoryStore()
  await talk(store, clients['strips older thinking']!, 12, true)
  const book = relayBook({}, store)
  const thread = book.thread('t')
  const question = (await thread.entries()).filter(({ kind }) => kind === 'user')[7]!
  const fork = await thread.fork({ as: 'fork', at: question.id })
  expect(await fork.verify()).toMatchObject({ ok: true, prompts: 7, underivable: 0 })
  await (await fork.relay([user('What happened on day 0 at the harbour?')])).answer(said('Something else.'))
  expect(await fork.verify()).toMatchObject({ ok: true, prompts: 8, underivable: 0 })
  const lines: string[] = []
  for await (const line of thread.export()) lines.push(line)
  expect(await (await book.restore('copy', lines)).verify()).toMatchObject({ ok: true, prompts: 12, underivable: 0 })
})

test('a replay takes the path that the other options leave', async () => {
  const store = memoryStore()
  await talk(store, clients['sends all of it']!, 8, true)
  const thread = relayBook({}, store).thread('t')
  expect((await thread.replay({})).map(({ same }) => same)).toEqual(Array.from({ length: 8 }, () => true))
  const smaller = await thread.replay({ window: 80, reserve: 20 })
  expect(smaller.map(({ same }) => same)).toEqual(
    [true, true, true, ...Array.from({ length: 5 }, () => false)].slice(0, 8),
  )
  expect(smaller.every(({ prompt }) => prompt.compiled.tokens <= 60)).toBe(true)
})

test('a dump says what was sent, what the client left out, and explains itself', async () => {
  const store = memoryStore()
  await talk(store, clients['sends the last 20 and a dated system message']!, 16, true)
  const thread = relayBook({}, store).thread('t')
  const { plan, text, messages } = await thread.dump({ turn: 16 })
  expect(messages).toHaveLength(21)
  expect(text).toContain('--- SYSTEM ---\nIt is day 15.')
  expect(new Set(plan.spans.map(({ verdict }) => verdict))).toEqual(new Set(['omitted', 'verbatim']))
  expect(plan.spans.reduce((sum, { from, to }) => sum + to - from, 0)).toBe(plan.entries)
})
