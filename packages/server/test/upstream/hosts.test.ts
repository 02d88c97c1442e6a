import { describe, expect, test } from 'vitest'
import { gateway } from '../../../../tests/support/server/gateway.ts'
import { native } from '../../../../tests/support/server/native.ts'
import { host, kinds, tokensIn, type Host, type HostTerms, type Kind } from './hosts.ts'

const window = 32_768

/** A chat of that many exchanges, about 600 tokens a message. */
function chat(exchanges: number): { readonly role: string; readonly content: string }[] {
  const said = (turn: number, who: string): string =>
    `${who} ${turn}: ${`the tide at pier ${turn} was ${turn % 7} feet `.repeat(70)}`
  return [
    { role: 'system', content: 'You keep the harbour log.' },
    ...Array.from({ length: exchanges }, (_, turn) => [
      { role: 'user', content: said(turn, 'Question') },
      { role: 'assistant', content: said(turn, 'Answer') },
    ]).flat(),
    { role: 'user', content: 'What of pier 3?' },
  ]
}

const fitting = chat(12)
const tooLong = chat(40)

interface Behind {
  readonly upstream: Host
  readonly ask: (
    messages: readonly object[],
    stream?: boolean,
  ) => Promise<{ readonly status: number; readonly window: string; readonly tokens: string; readonly text: string }>
  readonly receipts: () => Promise<readonly Readonly<Record<string, unknown>>[]>
  readonly entries: () => Promise<readonly { readonly kind: string }[]>
}

async function behind(kind: Kind, terms: HostTerms): Promise<Behind> {
  const upstream = await host(kind, terms)
  const running = await gateway({ upstreams: [{ url: upstream.url }] })
  const api = native(running.url, running.token)
  const inThread = async (path: string): Promise<unknown> => {
    const { threads } = (await api.ask('GET', '/threads')).body as {
      readonly threads: readonly { readonly thread: string }[]
    }
    return (await api.ask('GET', `/threads/${encodeURIComponent(threads[0]!.thread)}${path}`)).body
  }
  return {
    upstream,
    receipts: async () =>
      ((await inThread('/receipts')) as { readonly receipts: readonly Readonly<Record<string, unknown>>[] }).receipts,
    entries: async () =>
      ((await inThread('/entries?hidden=1')) as { readonly entries: readonly { readonly kind: string }[] }).entries,
    ask: async (messages, stream = false) => {
      const response = await fetch(`${running.url}/v1/chat/completions`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${running.token}` },
        body: JSON.stringify({
          model: 'qwen3',
          messages,
          stream,
          ...(stream && { stream_options: { include_usage: true } }),
        }),
      })
      return {
        status: response.status,
        window: response.headers.get('minutebook-window') ?? '',
        tokens: response.headers.get('minutebook-tokens') ?? '',
        text: await response.text(),
      }
    },
  }
}

test('what is sent fits, or does not', () => {
  expect([tokensIn(fitting) > 8192, tokensIn(fitting) < window, tokensIn(tooLong) > window]).toEqual([true, true, true])
})

describe.each(kinds)('behind $name', (kind) => {
  test('that says its window, what fits goes unchanged, and what does not is fitted without a refusal', async () => {
    const { ask, upstream } = await behind(kind, { window, says: window })
    expect(await ask(fitting)).toMatchObject({ status: 200, window: expect.stringMatching(/^32768; source="\//) })
    expect(upstream.chats.at(-1)!.messages).toEqual(fitting)
    expect(await ask(tooLong)).toMatchObject({ status: 200 })
    expect(upstream.chats.map(({ isAnswered }) => isAnswered)).toEqual([true, true])
    expect(upstream.chats.at(-1)!.tokens).toBeGreaterThan(window / 4)
  })

  const canBeIdle = kind.name === 'Ollama' || kind.name === 'LM Studio'
  if (canBeIdle)
    test('that is idle, what fits goes unchanged, and the window is known after one request', async () => {
      const { ask, upstream } = await behind(kind, { window, says: window, loaded: false })
      expect(await ask(fitting)).toMatchObject({ status: 200 })
      expect(upstream.chats.at(-1)!.messages).toEqual(fitting)
      await expect.poll(async () => (await ask(fitting)).window, { interval: 500 }).toMatch(/^32768; source="\//)
      expect(upstream.chats.every(({ messages }) => messages.length === fitting.length)).toBe(true)
    })

  test.each([
    ['more than it has', 8192],
    ['nothing', undefined],
  ])(
    'that says %s and cuts without a word, the answer says so within three calls, and from then on prompts fit',
    async (_, says) => {
      const small = 2048
      const { ask, upstream } = await behind(kind, { window: small, says, cuts: true })
      const messages: object[] = [{ role: 'system', content: 'You keep the harbour log.' }]
      const told: boolean[] = []
      for (let turn = 0; turn < 44; turn++) {
        messages.push({
          role: 'user',
          content: `Question ${turn}: ${'the tide at the pier was low '.repeat(4 + ((turn * 7) % 9))}`,
        })
        const { status, tokens } = await ask(messages)
        expect(status).toBe(200)
        told.push(tokens.includes('truncated=yes'))
        messages.push({ role: 'assistant', content: 'Fine.' })
      }
      const isCut = upstream.chats.map(({ tokens }) => tokens > small)
      const [first, named] = [isCut.indexOf(true), told.indexOf(true)]
      expect(first).toBeGreaterThan(5)
      // What fits goes unchanged until then.
      expect(upstream.chats.slice(0, first + 1).map(({ messages: each }) => each.length)).toEqual(
        Array.from({ length: first + 1 }, (__, turn) => 2 * turn + 2),
      )
      expect([named >= first, named - first < 3]).toEqual([true, true])
      expect(isCut.slice(named + 1)).not.toContain(true)
      expect(told.filter((isTold, turn) => isTold && !isCut[turn])).toEqual([])
      const { window: learnt } = await ask([...messages, { role: 'user', content: 'And now?' }])
      expect(learnt).toMatch(/; source="read"$/)
      expect(Math.abs(Number.parseInt(learnt) / small - 1)).toBeLessThanOrEqual(0.03)
    },
  )

  if (kind.refusal === undefined) return
  test.each([
    ['answers at once', false, false],
    ['streams', true, false],
    ['refuses in the first event of a stream', true, true],
  ])(
    'that says nothing and %s, what is refused goes out again in a size that fits, and is answered',
    async (_, stream, late) => {
      const { ask, upstream, receipts, entries } = await behind(kind, { window, late })
      const answered = await ask(tooLong, stream)
      expect(answered).toMatchObject({
        status: 200,
        window: '32768; source="refusal"',
        text: expect.stringContaining('Fine.'),
      })
      expect(answered.text).not.toContain('error')
      expect(upstream.chats.map(({ isAnswered }) => isAnswered)).toEqual([false, true])
      expect(upstream.chats[0]!.messages).toEqual(tooLong)
      const [refused, taken] = await receipts()
      expect(refused).toMatchObject({
        outcome: 'refused',
        mode: 'unchanged',
        windowSource: 'assumed',
        told: { window },
      })
      expect(taken).toMatchObject({ outcome: 'stop', mode: 'rewritten', windowSource: 'refusal' })
      // The question is recorded once, and nothing says that it was stopped.
      const kindsIn = (await entries()).map(({ kind: each }) => each)
      expect([kindsIn.filter((each) => each === 'user').length, kindsIn.includes('stop')]).toEqual([41, false])
      // From now on it is known.
      const next = [...tooLong, { role: 'assistant', content: 'Fine.' }, { role: 'user', content: 'And pier 4?' }]
      expect(await ask(next, stream)).toMatchObject({ status: 200, window: '32768; source="refusal"' })
      expect(upstream.chats.map(({ isAnswered }) => isAnswered)).toEqual([false, true, true])
      // What fits goes unchanged, of a tenant that knows and of one that does not.
      await ask(fitting, stream)
      expect(upstream.chats.at(-1)!.messages).toEqual(fitting)
    },
  )

  test.each([
    ['whole', false, false],
    ['as a stream', true, false],
    ['as a stream that is refused in its first event', true, true],
  ])('that says nothing, a response that is asked for %s comes in a size that fits', async (_, stream, late) => {
    const upstream = await host(kind, { window, late })
    const running = await gateway({ upstreams: [{ url: upstream.url, protocol: 'openai' }] })
    const response = await fetch(`${running.url}/v1/responses`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${running.token}` },
      body: JSON.stringify({ model: 'qwen3', input: tooLong, stream }),
    })
    expect(await response.text()).toContain('Fine.')
    expect([response.status, response.headers.get('minutebook-window')]).toEqual([200, '32768; source="refusal"'])
    expect(upstream.chats.map(({ isAnswered }) => isAnswered)).toEqual([false, true])
  })

  test('that says more than it has, what is refused goes out again and is answered', async () => {
    const { ask, upstream } = await behind(kind, { window, says: 4 * window })
    expect(await ask(tooLong)).toMatchObject({
      status: 200,
      window: '32768; source="refusal"',
      text: expect.stringContaining('Fine.'),
    })
    expect(upstream.chats.map(({ isAnswered }) => isAnswered)).toEqual([false, true])
  })

  test('that says nothing, what we compile ourselves is made for what is assumed, and says so', async () => {
    const small = 8192
    const upstream = await host(kind, { window: small })
    const running = await gateway({ upstreams: [{ url: upstream.url, protocol: 'openai' }], defaultModel: 'qwen3' })
    const api = native(running.url, running.token)
    await api.ask('POST', '/threads', {
      thread: 'own',
      setup: { model: 'qwen3', system: 'the tide at the pier was low '.repeat(200) },
    })
    const turn = async (number: number, length: number): Promise<void> =>
      void (await api.stream('POST', '/threads/own/turns', {
        body: {
          message: `Question ${number}: ${'the tide was low at the pier '.repeat(length)}`,
          id: `turn-${number}`,
        },
      }))
    await turn(1, 10)
    for (let number = 2; number < 12; number++) await turn(number, 150)
    const { body } = await api.ask('GET', '/threads/own/receipts')
    const { receipts } = body as {
      readonly receipts: readonly { readonly outcome: string; readonly windowSource?: string; readonly told?: object }[]
    }
    expect(receipts[0]).toMatchObject({ outcome: 'stop', windowSource: 'assumed' })
    expect(receipts.filter(({ outcome }) => outcome === 'refused')).toEqual([
      expect.objectContaining({ windowSource: 'assumed', told: expect.objectContaining({ window: small }) }),
    ])
    expect(receipts.at(-1)).toMatchObject({ outcome: 'stop', windowSource: 'refusal' })
    expect(receipts.filter(({ outcome }) => outcome === 'stop')).toHaveLength(11)
    expect(await api.ask('GET', '/threads/own/verify')).toMatchObject({ status: 200, body: { problems: [] } })
  })
})
