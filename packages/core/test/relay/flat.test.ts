import { memoryStore, type Message, type Relay, type Store } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { relayBook, said } from '../../../../tests/support/relays.ts'

/** Counts the entries that are read. */
function countingStore(): { readonly store: Store; readonly counts: { entries: number } } {
  const inner = memoryStore()
  const counts = { entries: 0 }
  const store: Store = {
    ...inner,
    read: async (...given) => {
      const entries = await inner.read(...given)
      counts.entries += entries.length
      return entries
    },
  }
  return { store, counts }
}

/** A client that sends its last messages, with a system message of its own. Returns what each of its relays read. */
async function chat(options: {
  readonly mode: Relay['mode']
  readonly turns: number
  readonly window: number
  readonly last: number
  readonly system?: (turn: number) => string
  readonly trusted?: boolean
  readonly ids?: boolean
  /** After so many turns, the client replaces what was said by a summary. */
  readonly compacts?: number
}): Promise<readonly number[]> {
  const { mode, turns, window, last, system, trusted, ids, compacts } = options
  const { store, counts } = countingStore()
  const kept: Message[] = []
  const read: number[] = []
  for (let turn = 0; turn < turns; turn++) {
    if (compacts && turn % compacts === 0) kept.splice(0, Infinity, { role: 'user', content: `All until ${turn}` })
    kept.push({ role: 'user', content: `Question ${turn} about the harbour and its lamps` })
    const opening: Message[] = system ? [{ role: 'system', content: system(turn) }] : []
    const before = counts.entries
    const relay = await relayBook({ window, reserve: 10 }, store)
      .thread('t')
      .relay([...opening, ...kept.slice(-last)], { trusted, ...(ids && { id: `request ${turn}`, freshId: true }) })
    if (turn === turns - 1) expect(relay.mode).toBe(mode)
    await relay.answer(said(`Answer ${turn}`))
    read.push(counts.entries - before)
    kept.push({ role: 'assistant', content: `Answer ${turn}` })
  }
  return read
}

describe('a fresh relay reads a bounded part of a long thread', () => {
  test.each<[string, Omit<Parameters<typeof chat>[0], 'turns'>]>([
    ['if its client sends its last messages, and they fit', { mode: 'unchanged', window: 100_000, last: 21 }],
    ['if its requests have ids that were just made', { mode: 'unchanged', window: 100_000, last: 21, ids: true }],
    [
      'if its client sends all of a history that it summarises now and then',
      { mode: 'unchanged', window: 100_000, last: 999, compacts: 30 },
    ],
    ['if they do not fit', { mode: 'rewritten', window: 100, last: 21 }],
    [
      'if its client has a system message of its own',
      { mode: 'unchanged', window: 100_000, last: 21, system: () => 'Be kind.', trusted: true },
    ],
    [
      'if its client dates its system message',
      { mode: 'unchanged', window: 100_000, last: 21, system: (turn) => `It is ${turn}.` },
    ],
    [
      'if such a system message is a user’s words, and they do not fit',
      { mode: 'rewritten', window: 120, last: 21, system: (turn) => `It is ${turn}.` },
    ],
  ])('%s', async (_, options) => {
    const read = await chat({ ...options, turns: 150 })
    // A history that begins with a summary is a new conversation: only the whole log can tell.
    const later = read.filter((_, turn) => turn > 75 && turn % (options.compacts ?? Infinity) !== 0)
    expect(Math.max(...later)).toBeLessThan(160)
  })
})
