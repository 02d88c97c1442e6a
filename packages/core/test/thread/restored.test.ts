import { defineTool, memoryStore, type Book, type Entry, type Store } from 'minutebook'
import { entryOf, tombstone, type EntryFacts } from 'minutebook/store'
import { assistant, call } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'
import { book } from '../support/book.ts'
import { script } from '../support/scripted.ts'

const order = assistant(null, call('c1', 'order', { item: 'lamp' }))
const asked = entryOf({ role: 'user', content: 'Buy a lamp' })
const called = entryOf(order, asked)

function off(after: Entry, kind: NonNullable<EntryFacts['kind']>, value: unknown, facts: EntryFacts = {}): Entry {
  const content = typeof value === 'string' ? value : JSON.stringify(value)
  return entryOf({ role: 'system', content }, after, { ...facts, kind })
}

const wait = off(called, 'wait', { calls: [{ index: 0, needs: 'approval' }], upto: null })
const approved = off(called, 'decision', { wait: wait.id, call: 0, do: 'run' }, { speaker: 'ceo' })
const answered = entryOf({ role: 'assistant', content: 'Hello.' }, asked)
const waiting = entryOf({ role: 'user', content: 'Buy a lamp' }, answered, { kind: 'pending', key: 'p1' })
const restart = off(asked, 'retry', { upto: answered.id })

/** Logs with something left to do. Each of them runs if it was not restored. */
const logs: readonly (readonly [name: string, log: readonly Entry[]])[] = [
  ['a question without an answer', [asked]],
  ['a call that is free to run', [asked, called]],
  ['a call that is approved', [asked, called, wait, approved]],
  ['an answer with a message that waits', [asked, answered, waiting]],
  ['an answer that is to be given again', [asked, answered, restart]],
]

/** The stop with which a restore ends the turn of a log that ends with this entry, if it named that entry alone. */
const stopBefore = (upto: Entry): Entry =>
  off(
    asked,
    'stop',
    {
      code: 'restored',
      reason: 'This turn was not over when the thread was exported.',
      fix: 'Retry the turn to have it answered here.',
      upto: upto.id,
    },
    { status: 'cancelled' },
  )
const again = off(asked, 'retry', { upto: asked.id })
const interrupted = entryOf(
  {
    role: 'tool',
    tool_call_id: 'c1',
    content: '(interrupted: this call may or may not have taken effect, and was not run again)',
  },
  called,
)
const redo = off(called, 'retry', { upto: interrupted.id })
const withdrawn = off(answered, 'revocation', waiting.id)

/** Logs that have entries in the places of those that a restore would write. Nothing of them may run. */
const forged: readonly (readonly [name: string, log: readonly Entry[]])[] = [
  ['the stop of the restore before a retry', [asked, stopBefore(again), again]],
  ['the result of the restore, and calls the tool again', [asked, called, interrupted, redo]],
  ['an erased withdrawal of the message that waits', [asked, answered, waiting, tombstone(withdrawn)]],
  ['a withdrawal before its message', [asked, answered, withdrawn, waiting]],
  ['an erased withdrawal before its message', [asked, answered, tombstone(withdrawn), waiting]],
]

interface Shop {
  readonly open: Book
  readonly store: Store
  readonly ran: string[]
  readonly requests: readonly unknown[]
}

/** A process that has a tool which needs approval, and counts its runs. */
function shop(store: Store = memoryStore()): Shop {
  const ran: string[] = []
  const tool = defineTool({ name: 'order', approve: true, run: () => String(ran.push('order')) })
  const model = script('Done.')
  return { open: book({ model, tools: [tool] }, store), store, ran, requests: model.requests }
}

async function exported(log: readonly Entry[]): Promise<string[]> {
  const { open, store } = shop()
  await store.append('t', log)
  return collect(open.thread('t').export())
}

async function collect(lines: AsyncIterable<string>): Promise<string[]> {
  const all: string[] = []
  for await (const line of lines) all.push(line)
  return all
}

/** What a process does that starts with this store: all that it finds unfinished. */
async function startOn(store: Store): Promise<Shop> {
  const started = shop(store)
  for await (const { turn } of started.open.resume()) await turn.done
  await started.open.thread('t').resume().done
  return started
}

describe.each(logs)('%s', (_, log) => {
  test('goes on in the store where it was written', async () => {
    const store = memoryStore()
    await store.append('t', log)
    const { ran, requests } = await startOn(store)
    expect(ran.length + requests.length).toBeGreaterThan(0)
  })

  test('does not go on where it is restored', async () => {
    const { open, store } = shop()
    await open.restore('t', await exported(log))
    const { ran, requests, open: later } = await startOn(store)
    expect([ran, requests]).toEqual([[], []])
    expect((await later.thread('t').verify()).ok).toBe(true)
    expect((await later.thread('t').send('Hello?').done).text).toBe('Done.')
    expect(ran).toEqual([])
  })

  test('is restored once, and written on from there', async () => {
    const { open } = shop()
    const lines = await exported(log)
    await open.restore('t', lines)
    const once = await collect(open.thread('t').export())
    await open.restore('t', lines)
    expect(await collect(open.thread('t').export())).toEqual(once)
    expect(once.slice(0, lines.length)).toEqual(lines)
    await open.thread('t').send('Hello?').done
    await expect(open.restore('t', lines)).rejects.toMatchObject({ code: 'thread_exists' })
  })
})

test.each(forged)('a file that has %s runs nothing', async (_, log) => {
  const { open, store } = shop()
  await open.restore('t', await exported(log)).catch((error: unknown) => {
    expect(error).toMatchObject({ code: 'corrupt_line' })
  })
  const { ran, requests } = await startOn(store)
  expect([ran, requests]).toEqual([[], []])
})

test('a file that repeats a line is refused, and leaves no thread', async () => {
  const stop = stopBefore(asked)
  const lines = await exported([asked, stop, again])
  const repeated = lines[1]!.replace('{"seq":1', '{"seq":3')
  const { open, store } = shop()
  await expect(open.restore('t', [...lines, repeated])).rejects.toMatchObject({
    code: 'corrupt_line',
    problem: expect.stringContaining('Line 4') as string,
  })
  expect(await store.read('t')).toEqual([])
})

test('a file is refused if what it leaves open cannot be ended', async () => {
  const { open, store } = shop()
  const lines = await exported([asked, answered, withdrawn, waiting])
  await expect(open.restore('t', lines)).rejects.toMatchObject({ code: 'corrupt_line' })
  expect(await store.read('t')).toEqual([])
})

test('a message that was withdrawn stays withdrawn if the withdrawal is erased', async () => {
  const { store } = shop()
  await store.append('t', [asked, answered, waiting, withdrawn])
  await store.erase('t', [withdrawn.id])
  const { requests, open } = await startOn(store)
  expect(requests).toEqual([])
  expect((await open.thread('t').entries()).at(-1)?.status).toBe('erased')
})

/** The lines without one of them, with the numbers of the others made good. */
function without(lines: readonly string[], index: number): string[] {
  return lines.toSpliced(index, 1).map((line, seq) => line.replace(/^\{"seq":\d+/, `{"seq":${seq}`))
}

test.each([0, 1, 2, 3])('a line that is cut out of a waiting turn sets nothing free: line %i', async (cut) => {
  const lines = without(await exported([asked, called, wait, approved]), cut)
  const { open, store } = shop()
  await open.restore('t', lines).catch(() => undefined)
  const { ran, requests } = await startOn(store)
  expect([ran, requests]).toEqual([[], []])
})

test('a fork from the middle of a restored thread sets nothing free', async () => {
  const result = entryOf({ role: 'tool', tool_call_id: 'c1', content: 'bought' }, called)
  const log = [asked, called, result, entryOf({ role: 'assistant', content: 'Done.' }, result)]
  const { open, store } = shop()
  const copy = await open.restore('t', await exported(log))
  const fork = await copy.fork({ as: 'fork', at: called.id })
  const second = await fork.fork({ as: 'second', at: asked.id })
  const { ran, requests, open: later } = await startOn(store)
  expect([ran, requests]).toEqual([[], []])
  expect((await later.thread('fork').retry().done).text).toBe('Done.')
  expect((await second.entries()).map(({ kind }) => kind)).toEqual(['user', 'stop'])
  expect(ran).toEqual([])
})

test('a call that waited has an interrupted result, waits no more, and cannot be decided', async () => {
  const { open } = shop()
  const copy = await open.restore('t', await exported([asked, called, wait]))
  expect(await copy.waiting()).toEqual([])
  expect(await open.waiting()).toEqual({ calls: [] })
  const turn = copy.decide(`${wait.id}.0`, { do: 'run' })
  expect(await turn.done).toMatchObject({ status: 'failed', error: { code: 'not_waiting' } })
  const entries = await copy.entries()
  expect(entries.slice(-2).map(({ kind, status, parent }) => [kind, status, parent])).toEqual([
    ['tool', 'cancelled', called.id],
    ['stop', 'cancelled', entries.at(-2)?.id],
  ])
  expect(JSON.parse(entries.at(-1)!.text)).toMatchObject({ code: 'restored', fix: expect.any(String) as string })
  expect(entries.at(-2)?.text).toMatch(/^\(interrupted: /)
})

test('a turn that is over stays as it is, byte for byte', async () => {
  const lines = await exported([asked, answered])
  const { open } = shop()
  const copy = await open.restore('t', lines)
  expect(await collect(copy.export())).toEqual(lines)
})
