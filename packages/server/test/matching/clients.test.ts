import { sqliteStore } from '@minutebook/sqlite'
import fc from 'fast-check'
import { memoryStore, type Message, type Store } from 'minutebook'
import { expect, test } from 'vitest'
import { cases } from '../../../../tests/support/runs.ts'
import { createRelaying, unrecorded, type Chat } from './support/relaying.ts'
import { answered, kept, messagesOf, type Move, type Said, type Style } from './support/simulated-client.ts'

/** Few words, so that conversations often say the same, and some that nobody else says. */
const question = often(
  fc.constantFrom('hi', 'go on'),
  fc.nat(1e6).map((number) => `about ${number}`),
)
const answer = often(
  fc.constantFrom('ok', 'call'),
  fc.nat(1e6).map((number) => `it is ${number}`),
)
const move: fc.Arbitrary<Move> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('ask' as const), question, answer }) },
  fc.record({ do: fc.constant('edit' as const), at: fc.nat(20), question, answer }),
  fc.record({ do: fc.constant('regenerate' as const), answer }),
  fc.record({ do: fc.constant('fail' as const), question, answer, id: fc.boolean() }),
)
const style: fc.Arbitrary<Style> = fc.record({
  wire: fc.constantFrom('ollama', 'openai'),
  keeps: fc.constantFrom(Infinity, Infinity, 3, 4, 5, 8, 20),
  isDated: fc.boolean(),
  stripsThinking: fc.boolean(),
})
const client = fc.record({
  style,
  owner: fc.constantFrom('', '', 'ada'),
  model: fc.constantFrom('gemma', 'gemma', 'llama'),
})
const crowd = fc.record({
  clients: fc.array(client, { minLength: 2, maxLength: 4 }),
  moves: fc.array(fc.tuple(fc.nat(3), move), { minLength: 4, maxLength: 40, size: 'large' }),
})

test('however clients take turns, each request goes to a thread that holds what it shows', async () => {
  await fc.assert(fc.asyncProperty(crowd, (given) => play(memoryStore(), given)))
})

test('the same in SQLite', async () => {
  await fc.assert(
    fc.asyncProperty(crowd, async (given) => {
      using store = sqliteStore(':memory:')
      await play(store, given)
    }),
    { numRuns: cases('long') },
  )
})

function often<T>(usual: fc.Arbitrary<T>, rare: fc.Arbitrary<T>): fc.Arbitrary<T> {
  return fc.oneof({ weight: 3, arbitrary: usual }, { weight: 1, arbitrary: rare })
}

/** What a thread was told and has answered: whole conversations, each ending with an answer, and first questions. */
interface Known {
  readonly owner: string
  readonly lines: Said[]
  readonly questions: Said[]
}

async function play(
  store: Store,
  {
    clients,
    moves,
  }: {
    clients: readonly { style: Style; owner: string; model: string }[]
    moves: readonly (readonly [number, Move])[]
  },
): Promise<void> {
  const relay = createRelaying(store, unrecorded)
  const conversations: Said[] = clients.map(() => [])
  const threads = new Map<string, Known>()
  let time = 0

  for (const [number, next] of moves) {
    const who = number % clients.length
    const { style: manner, owner, model } = clients[who]!
    const asked = questionOf(conversations[who]!, next)
    if (!asked) continue
    const sent = kept(asked, manner)
    const send = async (more: Partial<Chat>): Promise<void> => {
      const messages = messagesOf(sent, asked.length - sent.length, manner, ++time)
      const { thread } = await relay({ messages, owner, model, now: time * 1000, ...more })
      check(threads, {
        owner,
        asked,
        sent,
        thread,
        again: more.retry === true || (more.id !== undefined && more.answer !== undefined),
      })
      const known = threads.get(thread) ?? { owner, lines: [], questions: [] }
      threads.set(thread, known)
      known.questions.push(sent)
      // Of a client that drops its oldest messages, nobody can tell the rest from a conversation of these few messages.
      if (more.answer) known.lines.push([...asked, next.answer], [...sent, next.answer])
    }
    const reply: Message = answered(next.answer, manner)
    if (next.do === 'fail') {
      const id = next.id ? { id: `request ${time}` } : {}
      await send(id)
      await send({ ...id, ...(!next.id && { retry: true }), answer: reply })
    } else await send({ answer: reply })
    conversations[who] = [...asked, next.answer]
  }
}

/** The conversation up to the question that a move asks; undefined where there is nothing to do it to. */
function questionOf(said: Said, next: Move): Said | undefined {
  if (next.do === 'ask' || next.do === 'fail') return [...said, next.question]
  if (said.length === 0) return undefined
  if (next.do === 'regenerate') return said.slice(0, -1)
  const at = 2 * (next.at % (said.length / 2))
  return [...said.slice(0, at), next.question]
}

interface Landing {
  readonly owner: string
  readonly asked: Said
  readonly sent: Said
  readonly thread: string
  /** Whether the client tries again. */
  readonly again: boolean
}

/**
 * Throws where a request went to a thread that shows something else, or to a new one though there is one that shows the
 * same.
 */
function check(threads: ReadonlyMap<string, Known>, { owner, asked, sent, thread, again }: Landing): void {
  const known = threads.get(thread)
  if (known) expect(known.owner).toBe(owner)
  const holding = [...threads].filter(([, other]) => other.owner === owner)
  const shown = sent.slice(0, -1)
  const isWhole = sent.length === asked.length
  if (again) {
    const sentBefore = holding.filter(([, { questions }]) => questions.some((other) => same(other, sent)))
    expect(sentBefore.map(([name]) => name)).toContain(thread)
  } else if (shown.length < 2) expect(known).toBeUndefined()
  else {
    const whole = holding.filter(([, { lines }]) => lines.some((other) => same(other, shown)))
    const ending = holding.filter(([, { lines }]) => lines.some((other) => same(other.slice(-shown.length), shown)))
    const allowed = isWhole && whole.length > 0 ? whole : ending
    expect(allowed.map(([name]) => name)).toContain(thread)
  }
}

function same(one: Said, other: Said): boolean {
  return one.length === other.length && one.every((text, index) => text === other[index])
}
