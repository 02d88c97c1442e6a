import { readFileSync } from 'node:fs'
import { Tokenizer } from '@huggingface/tokenizers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cacheUsage, type CacheCause, type CacheUsage } from '@minutebook/inspect'
import { memoryStore, type Message, type TokenCounter } from 'minutebook'
import { huggingFaceTokenizer } from 'minutebook/huggingface'
import { openAiReply } from 'minutebook/wire'
import { assistant, system, user } from '@minutebook/testing'
import { relayBook } from '../support/relays.ts'
import type { Engine } from './engine.ts'
import { isInstalled, skipUnlessInstalled } from './installed.ts'
import type { EngineServer } from './server.ts'
import { tinyModel } from './tiny-model.ts'
import { within } from '../support/patience.ts'

// What receipts promise of the cache, next to what a real llama.cpp reuses (`cache_n`).

const timeout = within(600_000)
let engine: Engine
let server: EngineServer
let idsOf: (text: string) => readonly number[]
/** The template's own tokens: five for each message, and three that begin the answer. */
let counter: TokenCounter

beforeAll(async () => {
  if (!isInstalled) return
  engine = await (await import('./engine.ts')).openEngine()
  server = await (await import('./server.ts')).serveEngine({ contextSize: 4096, engine })
  const file: object = JSON.parse(readFileSync(tinyModel().tokenizerPath, 'utf8'))
  const tokenizer = new Tokenizer(file, {})
  idsOf = (text) => tokenizer.encode(text).ids
  counter = huggingFaceTokenizer(file, { name: 'tiny', overhead: { message: 5, prompt: 3 } })
}, timeout)

afterAll(async () => {
  await server?.close()
  await engine?.close()
})

interface Asked {
  readonly messages: readonly Message[]
  readonly between?: 'title' | 'thread'
}

/** A call: what its receipt promises, and what the engine did. */
interface Call {
  readonly usage: CacheUsage
  readonly prompt: string
  readonly answer: string
  readonly reused: number
}

async function played(requests: readonly Asked[]): Promise<readonly Call[]> {
  const store = memoryStore()
  const thread = relayBook({ counter, window: 4096 }, store).thread('t')
  const calls: Omit<Call, 'usage'>[] = []
  for (const { messages, between } of requests) {
    if (between) await ask([user('Write a title for this conversation.')])
    const relay = await thread.relay(messages, { trusted: true, answeredMeanwhile: between })
    const end = await ask(messages)
    await relay.answer(end)
    const { prompt, reused } = server.seen.at(-1)!
    calls.push({ prompt, reused, answer: String(end.message.content) })
  }
  const usages = await cacheUsage(await store.read('t'), { counter })
  return calls.map((call, index) => ({ ...call, usage: usages[index]! }))
}

async function ask(messages: readonly Message[]): Promise<ReturnType<ReturnType<typeof openAiReply>['end']>> {
  const response = await fetch(`${server.url}/v1/chat/completions`, {
    method: 'POST',
    body: JSON.stringify({ model: 'tiny', messages, max_tokens: 12 }),
  })
  const reply = openAiReply()
  reply.push(await response.json())
  return reply.end()
}

/** The tokens with which two texts begin. */
function common(left: string, right: string): number {
  const [mine, theirs] = [idsOf(left), idsOf(right)]
  const other = mine.findIndex((id, index) => id !== theirs[index])
  return other < 0 ? mine.length : other
}

const words = (about: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${about} the harbour was quiet ${index % 7}`).join(', ')

/** The requests of a client that writes the answers of its history itself: `said`. */
function conversation(turns: number, said: (turn: number) => string): Asked[] {
  const messages: Message[] = [system(words('Be brief', 8))]
  return Array.from({ length: turns }, (_, turn) => {
    messages.push(user(words(`Question ${turn}`, 6)))
    const asked = { messages: [...messages] }
    messages.push(assistant(said(turn)))
    return asked
  })
}

const written = (turn: number): string => `My own words ${turn}`

function changed(at: number, change: (messages: readonly Message[]) => readonly Message[]): Asked[] {
  return conversation(8, written).map(({ messages }, index) => ({ messages: index < at ? messages : change(messages) }))
}

describe('what the receipts promise of the cache of a real engine', () => {
  test('is what it reuses, to the token, if the client re-sends other answers', { timeout }, async (context) => {
    skipUnlessInstalled(context)
    const calls = await played(conversation(10, written))
    for (const [index, { usage, prompt, reused }] of calls.entries()) {
      if (index === 0) continue
      const before = calls[index - 1]!
      expect(usage.kept).toBe(common(before.prompt, prompt))
      // If the answer of the engine began with the same word, that is in its window, too.
      expect(reused - usage.kept).toBe(common(before.prompt + before.answer, prompt) - common(before.prompt, prompt))
      expect([usage.cached, usage.cause, usage.lost]).toEqual([reused, undefined, 0])
    }
  })

  test('and its own answer in addition, if the client re-sends that', { timeout }, async (context) => {
    skipUnlessInstalled(context)
    const first = await played(conversation(1, written))
    const messages = [...conversation(1, written)[0]!.messages, assistant(first[0]!.answer), user('And then?')]
    const [before, now] = await played([...conversation(1, written), { messages }])
    const own = common(before!.prompt + before!.answer, now!.prompt) - common(before!.prompt, now!.prompt)
    expect(own).toBeGreaterThan(3)
    // The engine has not read the last token of its answer.
    expect([own, own - 1]).toContain(now!.reused - now!.usage.kept)
  })

  const cases: readonly (readonly [CacheCause, () => readonly Asked[]])[] = [
    ['system', () => changed(5, ([, ...rest]) => [system(`It is 12:31. ${words('Be brief', 8)}`), ...rest])],
    ['edit', () => changed(5, (messages) => messages.with(3, user(`${words('Question 1', 3)}, or not`)))],
    [
      'client_compaction',
      () => changed(5, ([first, ...rest]) => [first!, user('Summary: nothing.'), ...rest.slice(5)]),
    ],
    [
      'title',
      () => conversation(8, written).map((asked, index) => (index === 5 ? { ...asked, between: 'title' } : asked)),
    ],
  ]
  test.for(cases)('names %s, and what is left', { timeout }, async ([cause, requests], context) => {
    skipUnlessInstalled(context)
    const calls = await played(requests())
    expect(calls.map(({ usage }) => usage.cause)).toEqual(calls.map((_, index) => (index === 5 ? cause : undefined)))
    const { usage, prompt, reused } = calls[5]!
    const left = common(calls[4]!.prompt, prompt)
    // A token may reach over the first difference. The three tokens before a first message that differs are left.
    const shared = cause === 'title' ? usage.kept + usage.lost : usage.kept
    expect(Math.abs(shared + (shared === 0 ? 3 : 0) - left)).toBeLessThanOrEqual(1)
    if (cause === 'title') expect([reused < 5, usage.kept]).toEqual([true, reused])
    else expect(reused).toBe(left)
  })
})
