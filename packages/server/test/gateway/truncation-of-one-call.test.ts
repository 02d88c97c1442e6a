import { user } from '@minutebook/testing'
import type { UpstreamAnswer, UpstreamRequest } from '@minutebook/testing/server'
import type { Message, TokenCounter } from 'minutebook'
import { gptTokenizer } from 'minutebook/gpt-tokenizer'
import type { KeptReceipt } from 'minutebook/inspect'
import { describe, expect, test } from 'vitest'
import { diceOf } from '../../../../tests/support/dice.ts'
import type { Running } from '../../src/index.ts'
import { gatewayBefore } from '../../../../tests/support/server/gateway.ts'
import { inMemory } from './support/interposed.ts'
import { paths, post } from './support/post.ts'
import { passage, randomTalks, usualTexts } from './support/random-talk.ts'

/** In all: HONEST_CALLS=1000 for the figure of the record, and as many prompts that may be cut. */
const calls = Number(process.env['HONEST_CALLS'] ?? 240)
const counters = ['o200k', 'estimate'] as const
const rows = (['ollama', 'openai'] as const).flatMap((wire) =>
  counters.flatMap((counter) =>
    [true, false].map((hasCache) => ({ wire, counter, hasCache, cache: hasCache ? 'on' : 'off' })),
  ),
)
/** The tokenizer is the one that the exact counter has; the template is not. */
const honest: TokenCounter = gptTokenizer(undefined, { overhead: { message: 5, prompt: 1 } })

test.for(rows)(
  `${calls / rows.length} honest calls are never taken for cut: $wire, counted by $counter, cache $cache`,
  async ({ wire, counter, hasCache }) => {
    const dice = diceOf(
      calls + rows.findIndex((row) => row.wire === wire && row.counter === counter && row.hasCache === hasCache),
    )
    const talks = randomTalks(dice)
    const said = (request: UpstreamRequest): UpstreamAnswer => ({
      text: passage(dice, 200),
      ...(hasCache && { usage: cachedUsage(request, wire) }),
    })
    const { upstream, running } = await gatewayBefore(
      { counter: honest, answer: said },
      { models: { strict: { window: 1_000_000, counter } } },
      { chat: inMemory() },
    )
    const omitted = { wanted: 0 }
    // An estimate knows nothing of a model before it has seen some reports of it.
    for (let count = 0; count < calls / rows.length + (counter === 'estimate' ? warmUp : 0); count++) {
      const isOmitted = dice.isLucky(0.1)
      if (isOmitted) omitted.wanted++
      upstream.next({ usage: !isOmitted })
      const { messages, answered } = talks.next()
      answered(textIn((await ask(running, wire, messages, dice.isLucky(0.5))).text, wire))
    }
    const { yes, no, unknown } = verdictsIn(running)
    console.log(
      `${wire}, ${counter}, cache ${hasCache ? 'on' : 'off'}: yes ${yes}, no ${no}, unknown ${unknown} (${omitted.wanted} without a count)`,
    )
    expect(yes).toBe(0)
    // Else nobody looked. A count by OpenAI's protocol may be of what was sent: it cannot show that nothing was cut.
    if (wire === 'openai') expect(no).toBe(0)
    else expect(no).toBeGreaterThan(((calls / rows.length) * (hasCache ? 0.2 : 0.7)) | 0)
  },
)

describe.each(['ollama', 'openai'] as const)('an upstream of %s that halves what is too long', (wire) => {
  test.each(counters)('is caught at every cut that is larger than the interval, counted by %s', async (counter) => {
    const dice = diceOf(7)
    const window = 2048
    const { upstream, running } = await gatewayBefore(
      { window, onOverflow: 'halve', counter: honest },
      { models: { strict: { window: 1_000_000, counter } } },
    )
    const { store, book } = running.services.stores.of('default')
    for (let count = 0; counter === 'estimate' && count < warmUp; count++)
      await ask(running, wire, [user(passage(dice, 1200, usualTexts))], false)
    const before = upstream.requests.length
    const threads: string[] = []
    const prompts = Math.ceil(calls / 8)
    for (let count = 0; count < prompts; count++)
      threads.push(
        String(
          (
            await ask(
              running,
              wire,
              [user(passage(dice, dice.pick([3000, 12_000, 40_000]), usualTexts))],
              dice.isLucky(0.5),
            )
          ).headers['minutebook-thread'],
        ),
      )
    const receipts = (await Promise.all(threads.map((thread) => book.thread(thread).receipts()))).map(
      ([receipt]) => receipt!,
    )
    const sent = upstream.requests.slice(before).filter(({ path }) => path === paths[wire])
    expect([receipts.length, sent.length, (await store.list()).threads.length > 0]).toEqual([prompts, prompts, true])
    const judged = receipts.map((receipt, index) => ({
      ...facts(receipt),
      cut: sent[index]!.tokens - sent[index]!.seenTokens,
    }))
    const larger = judged.filter(({ cut, width }) => cut > width)
    const missed = larger.filter(({ truncated }) => truncated !== 'yes')
    const accused = judged.filter(({ cut, truncated }) => cut === 0 && truncated === 'yes')
    const cuts = judged.filter(({ cut }) => cut > 0)
    const flagged = cuts.filter(({ truncated }) => truncated === 'yes')
    console.log(
      `${wire}, ${counter}: ${judged.length} prompts, ${cuts.length} cut, ${larger.length} of these by more than the interval and ${missed.length} of these not flagged; ${flagged.length} of all cuts flagged, ${accused.length} wrongly accused`,
    )
    expect(missed).toEqual([])
    expect(accused).toEqual([])
    expect(larger.length).toBeGreaterThan(0)
    expect(flagged.length).toBeGreaterThan(cuts.length / 2)
  })
})

const warmUp = 30

/** What a server with a prompt cache reports: how much of the prompt was in there, or only the rest of it. */
function cachedUsage(
  { tokens, reuse }: UpstreamRequest,
  wire: 'ollama' | 'openai',
): NonNullable<UpstreamAnswer['usage']> {
  if (wire === 'openai') return { cached: reuse.tokens }
  return reuse.tokens < tokens ? { prompt: tokens - reuse.tokens } : {}
}

function ask(
  { url }: Running,
  wire: 'ollama' | 'openai',
  messages: readonly Message[],
  stream: boolean,
): ReturnType<typeof post> {
  return post(url, paths[wire], {
    model: 'strict',
    stream,
    messages,
    ...(wire === 'openai' && stream && { stream_options: { include_usage: true } }),
  })
}

function facts({ tokens, truncated }: KeptReceipt): {
  readonly width: number
  readonly truncated: string | undefined
  readonly tokens: KeptReceipt['tokens']
} {
  return {
    width: tokens.high === undefined || tokens.low === undefined ? Infinity : tokens.high - tokens.low,
    truncated,
    tokens,
  }
}

function verdictsIn({ services }: Running): { readonly yes: number; readonly no: number; readonly unknown: number } {
  const text = services.metrics.text()
  const count = (is: string): number =>
    Number(text.split(`minutebook_upstream_truncated_total{truncated="${is}"} `)[1]?.split('\n', 1)[0])
  return { yes: count('yes'), no: count('no'), unknown: count('unknown') }
}

/** The text of an answer, however it came. */
function textIn(body: string, wire: 'ollama' | 'openai'): string {
  const chunks = body
    .split('\n')
    .map((line) => line.replace('data: ', ''))
    .filter((line) => line.startsWith('{'))
    .map((line) => JSON.parse(line) as Chunk)
  return chunks
    .map(
      (chunk) =>
        (wire === 'ollama'
          ? chunk.message?.content
          : (chunk.choices?.[0]?.delta ?? chunk.choices?.[0]?.message)?.content) ?? '',
    )
    .join('')
}

interface Chunk {
  readonly message?: { readonly content?: string }
  readonly choices?: readonly {
    readonly delta?: { readonly content?: string }
    readonly message?: { readonly content?: string }
  }[]
}
