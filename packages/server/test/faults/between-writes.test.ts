import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { Store } from 'minutebook'
import type { StoredEntry } from 'minutebook/store'
import { runThread } from '@minutebook/experiment/run'
import { strictUpstream } from '@minutebook/testing/server'
import { gateway } from '../../../../tests/support/server/gateway.ts'
import { native, type Native } from '../../../../tests/support/server/native.ts'
import { counting } from '../experiments/support.ts'
import { withFaults, type Fault, type FaultyStores } from './failing-store.ts'

/**
 * A server whose store fails when it is told to, and those who speak to it. Official clients try again by themselves,
 * soon.
 */
interface Scene {
  readonly store: Store
  readonly faults: FaultyStores
  readonly openAi: OpenAI
  readonly ollama: (id: string) => Ollama
  readonly operator: Native
}

async function scene(): Promise<Scene> {
  const upstream = await strictUpstream({ answer: ({ messages }) => `answer to ${String(messages.at(-1)?.content)}` })
  onTestFinished(() => upstream.close())
  let faults: FaultyStores | undefined
  const running = await gateway(
    { upstreams: [{ url: upstream.url }], defaultModel: 'strict' },
    { prepare: async (services) => void (faults = withFaults(services)) },
  )
  const soon: typeof fetch = async (...given) => {
    const response = await fetch(...given)
    return new Response(response.body, {
      status: response.status,
      headers: { ...Object.fromEntries(response.headers), 'retry-after-ms': '1' },
    })
  }
  return {
    store: running.services.stores.of('default').store,
    faults: faults!,
    openAi: new OpenAI({ baseURL: `${running.url}/v1`, apiKey: 'none', maxRetries: 3, fetch: soon }),
    ollama: (id) => new Ollama({ host: running.url, headers: { 'idempotency-key': id } }),
    operator: native(running.url, running.token),
  }
}

/** What is asked of the server, under a name that nothing else has. Its client tries again until it is answered. */
interface Request {
  readonly name: string
  readonly ask: (scene: Scene, name: string) => Promise<void>
}

const again = async (work: () => Promise<unknown>): Promise<void> => {
  for (let tries = 0; ; tries++) {
    try {
      await work()
      return
    } catch (error) {
      if (tries >= 3) throw error
    }
  }
}
/** An answer of the native API that means that it is done: now, or by the try before. */
const settled = async (answer: Promise<{ readonly status: number }>): Promise<void> => {
  const { status } = await answer
  if (status >= 500) throw new Error(`status ${status}`)
}
const said = (content: string): { role: 'user'; content: string } => ({ role: 'user', content })
const answered = (content: string): { role: 'assistant'; content: string } => ({
  role: 'assistant',
  content: `answer to ${content}`,
})

const requests: readonly Request[] = [
  {
    name: 'a chat of Ollama',
    ask: ({ ollama }, name) => again(() => ollama(`id ${name}`).chat({ model: 'strict', messages: [said(name)] })),
  },
  {
    name: 'a chat of OpenAI',
    ask: async ({ openAi }, name) =>
      void (await openAi.chat.completions.create({ model: 'strict', messages: [said(name)] })),
  },
  {
    name: 'the second turn of a chat',
    ask: async ({ openAi }, name) => {
      await openAi.chat.completions.create({ model: 'strict', messages: [said(name)] })
      await openAi.chat.completions.create({
        model: 'strict',
        messages: [said(name), answered(name), said(`${name}, and`)],
      })
    },
  },
  {
    name: 'a response, and one that goes on from it',
    ask: async ({ openAi }, name) => {
      const { id } = await openAi.responses.create(
        { model: 'strict', input: name },
        { headers: { 'idempotency-key': `first ${name}` } },
      )
      await openAi.responses.create(
        { model: 'strict', input: `${name}, and`, previous_response_id: id },
        { headers: { 'idempotency-key': `second ${name}` } },
      )
    },
  },
  {
    name: 'a conversation with an item, and a response in it',
    ask: async ({ openAi }, name) => {
      const { id } = await openAi.conversations.create({
        items: [{ type: 'message', role: 'user', content: `item of ${name}` }],
      })
      expect((await openAi.conversations.items.list(id)).data).toHaveLength(1)
      await openAi.responses.create(
        { model: 'strict', input: name, conversation: id },
        { headers: { 'idempotency-key': `in ${name}` } },
      )
    },
  },
  {
    name: 'a thread with a setup, and a turn in it that changes it',
    ask: async ({ operator }, name) => {
      const thread = name.replaceAll(' ', '-')
      await again(() => settled(operator.ask('POST', '/threads', { thread, setup: { system: 'Be brief.' } })))
      await again(() =>
        settled(operator.ask('POST', `/threads/${thread}/turns`, { message: name, id: name, policy: 'tiered' })),
      )
    },
  },
  {
    name: 'a run',
    ask: ({ operator }, name) =>
      again(() => settled(operator.ask('POST', '/runs', { definition: counting, run: name.replaceAll(' ', '-') }))),
  },
]

const ways: readonly Fault['how'][] = ['lost', 'unheard']

describe.each(requests)('$name', ({ ask }) => {
  test.each(ways)('is on record once and whole, whichever of its writes is %s', async (how) => {
    const at = await scene()
    const points: number[] = []
    for (let write = 1, isOver = false; !isOver; write++) {
      const name = `request ${how} ${write}`
      const hasFailed = at.faults.arm({ at: write, how })
      await ask(at, name)
      isOver = !hasFailed()
      at.faults.disarm()
      if (!isOver) points.push(write)
      await judge(at.store, name)
    }
    // A request with no write would prove nothing.
    expect(points.length).toBeGreaterThan(0)
  })
})

/** Nothing lost, doubled or half. */
async function judge(store: Store, name: string): Promise<void> {
  const { threads } = await store.list({ limit: 1000 })
  const logs = new Map(
    await Promise.all(threads.map(async ({ thread }) => [thread, await store.read(thread)] as const)),
  )
  const users = [...logs.values()].flat().filter(({ kind, text }) => kind === 'user' && text.startsWith(name))
  expect(new Set(users.map(({ text }) => text)).size, 'each question once').toBe(users.length)
  for (const [thread, log] of logs) {
    const isNamed = log.some(({ text }) => text.startsWith(name) || text === `item of ${name}`)
    if (isNamed) await judgeThread(store, thread, log, name)
  }
  const run = name.replaceAll(' ', '-')
  const listed = (await store.records.find({ name: 'run' })).some(({ value }) => value === run)
  expect((await store.standing(runThread(run))).length > 0, 'a run is listed if it was begun').toBe(listed)
}

async function judgeThread(store: Store, thread: string, log: readonly StoredEntry[], name: string): Promise<void> {
  const ids = new Set(log.map(({ id }) => id))
  const responses = await store.records.find({ name: 'response', thread })
  for (const { value } of responses)
    expect(ids.has((value as { question: string }).question), 'a response has its question').toBe(true)
  const [conversation] = await store.records.find({ name: 'conversation', thread })
  if (thread.startsWith('conv_'))
    expect(
      [conversation?.thread, log.filter(({ text }) => text === `item of ${name}`).length],
      'a conversation has what it began with',
    ).toEqual([thread, 1])
  const answers = log
    .filter(({ kind, status }) => kind === 'assistant' && status === 'complete')
    .map(({ text }) => text)
  expect(new Set(answers).size, 'each answer once').toBe(answers.length)
}
