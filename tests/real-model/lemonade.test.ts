import { readFileSync } from 'node:fs'
import { probeProfile, type Model, type ModelEvent, type ModelRequest, type ThreadOptions } from 'minutebook'
import type { Board } from '@minutebook/experiment/run'
import { huggingFaceTokenizer } from 'minutebook/huggingface'
import { openAiModel } from 'minutebook/openai'
import { call } from '@minutebook/testing'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sell } from '../../examples/lemonade-stand/scripted.ts'
import { openStage, over } from '../../examples/play.ts'
import type { Engine } from './engine.ts'
import { isInstalled, skipUnlessInstalled } from './installed.ts'
import { fitOverhead } from './overhead.ts'
import { isTruncated, type Seen } from './seen.ts'
import { tinyChatTemplate, tinyModel } from './tiny-model.ts'
import { within } from '../support/patience.ts'

const file = new URL('../../examples/lemonade-stand/lemonade.yaml', import.meta.url)
const days = 10
/** Room for an answer, and the most that one may have. */
const reserve = 128
const timeout = within(900_000)
const tools = [
  'advertise',
  'buy_cups',
  'buy_ice',
  'buy_lemons',
  'buy_sugar',
  'check_forecast',
  'make_lemonade',
  'repay_loan',
  'set_price',
  'take_loan',
]

/**
 * A day with calls and their results has some 600 tokens itself, and takes a larger window; that is played where it is
 * asked for (ENGINE_TURNS=10).
 */
const cases: readonly Case[] = [
  { who: 'the engine alone', contextSize: 2048, overhead: 'usual', playing: (voice) => voice },
  ...(Number(process.env['ENGINE_TURNS'] ?? 0) > 0
    ? [
        {
          who: 'the engine with the calls of the rules',
          contextSize: 3072,
          overhead: 'with calls',
          playing: withRules,
        } as const,
      ]
    : []),
]

interface Case {
  readonly who: string
  readonly contextSize: number
  readonly overhead: 'usual' | 'with calls'
  readonly playing: (voice: Model) => Model
}

let engine: Engine
/** Counts by the engine's own tokenizer; `overhead`: what its template puts around calls, where there are some. */
let counting: (overhead: 'usual' | 'with calls') => Pick<ThreadOptions, 'counter' | 'profile'>

beforeAll(async () => {
  if (!isInstalled) return
  engine = await (await import('./engine.ts')).openEngine()
  const template = (await import('./templates.ts')).compileTemplate('tiny', tinyChatTemplate)
  const tokenizerFile: object = JSON.parse(readFileSync(tinyModel().tokenizerPath, 'utf8'))
  const plain = huggingFaceTokenizer(tokenizerFile, { name: 'tiny' })
  const overhead = fitOverhead({
    render: (messages) => template.render(messages),
    countPrompt: (text) => engine.tokenize(text),
    count: (text) => plain.count(text),
  })
  const profile = probeProfile((messages) => template.render(messages))
  counting = (which) => ({
    counter: which === 'usual' ? plain : huggingFaceTokenizer(tokenizerFile, { name: 'tiny', overhead }),
    profile,
  })
}, timeout)

afterAll(() => engine?.close())

describe('ten days of the lemonade stand on a real engine', () => {
  test.for(cases)(
    'are played with compiled prompts, and not with all that was said: $who at $contextSize tokens',
    { timeout },
    async (given, context) => {
      skipUnlessInstalled(context)
      const { who, contextSize } = given
      const compiled = await play(given, contextSize)
      const appended = await play(given, 1_000_000)
      console.log([`${who}, n_ctx ${contextSize}:`, tell('compiled', compiled), tell('appended', appended)].join('\n'))

      expect(compiled.board).toMatchObject({
        status: 'limit',
        reason: `${days} rounds were played, as many as are allowed.`,
      })
      expect(compiled.board.rounds.map(({ cells }) => cells.map(({ status }) => status))).toEqual(
        Array(days).fill([expect.stringMatching(/^(complete|partial)$/)]),
      )
      expect(compiled.seen.filter(({ isRefused }) => isRefused)).toEqual([])
      expect(compiled.seen.filter(isTruncated)).toEqual([])
      expect(Math.max(...compiled.seen.map(({ sent }) => sent))).toBeLessThanOrEqual(contextSize - reserve)
      // Each has all ten tools, the system text, and its day whole.
      for (const { prompt } of compiled.seen)
        for (const part of [
          'You run a lemonade stand.',
          'say in one sentence what you did.',
          ...tools.map((name) => `"name": "${name}"`),
        ])
          expect(prompt).toContain(part)
      const asked = compiled.seen.map(dayAsked)
      expect([...new Set(asked.map((day) => day.split('\n')[0]))]).toEqual(
        compiled.board.rounds.map(({ round }) => `Round ${round}: day`),
      )
      for (const day of asked)
        expect(day).toMatch(
          /^Round \d+: day\ncash: .+\ndebt: .+\nnetWorth: .+\nlemonCost: .+\nlemons: .+\nsugar: .+\ncups: .+\nprice: .+\nfame: .+\nweather: .+\ncustomers: .+\nsold: .+\n\nWhat do you do today\?$/,
        )

      // Who believes in a larger window is refused, and goes on in the one that the engine told.
      expect(appended.board).toMatchObject({
        status: 'limit',
        reason: `${days} rounds were played, as many as are allowed.`,
      })
      const refused = appended.seen.findIndex(({ isRefused }) => isRefused)
      expect(refused).toBeGreaterThan(0)
      appended.seen.forEach(({ isRefused }, index) =>
        expect(isRefused && appended.seen[index + 1]?.isRefused !== false).toBe(false),
      )
      // Nothing was left out before: every prompt begins with all of the one before.
      appended.seen
        .slice(1, refused + 1)
        .forEach(({ messages }, index) =>
          expect(messages.slice(0, appended.seen[index]!.messages.length)).toEqual(appended.seen[index]!.messages),
        )
    },
  )
})

interface Game {
  readonly board: Board
  readonly seen: readonly Seen[]
}

/**
 * `window`: what prompts are compiled for; one without end is never reached, so that all that was said is sent again.
 */
async function play({ contextSize, overhead, playing }: Case, window: number): Promise<Game> {
  const { serveEngine } = await import('./server.ts')
  await using server = await serveEngine({ contextSize, engine })
  const model = playing(
    openAiModel(new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'none' }), { model: 'tiny', max_tokens: reserve }),
  )
  const stage = await openStage(file, () => ({ model, window, reserve, ...counting(overhead) }), {
    limits: { rounds: days, errors: 1 },
  })
  const board = await over(await stage.begin('stand'))
  await stage.close()
  return { board, seen: [...server.seen] }
}

/** The latest message of the user's own. */
function dayAsked({ messages }: Seen): string {
  const asked = (messages as readonly { readonly role: string; readonly content?: unknown }[]).findLast(
    ({ role }) => role === 'user',
  )
  return typeof asked?.content === 'string' ? asked.content : ''
}

function tell(how: string, { board, seen }: Game): string {
  const tokens = seen.map(({ sent, isRefused }) => `${sent}${isRefused ? ' refused' : ''}`).join(', ')
  return `  ${how}: ${board.status} in round ${board.rounds.length}, ${seen.length} prompts of at most ${Math.max(...seen.map(({ sent }) => sent))} tokens (${tokens}). ${board.reason ?? ''}`
}

/**
 * The engine reads every prompt and says its words; what is called is up to the rules, as a model with random weights
 * calls nothing.
 */
function withRules(voice: Model): Model {
  let number = 0
  const answer = async function* (request: ModelRequest): AsyncGenerator<ModelEvent> {
    const calls = (sell(request).calls ?? []).map(({ name, arguments: given }) => call(`call_${number++}`, name, given))
    for await (const event of voice(request)) {
      yield event.type === 'end' && calls.length > 0
        ? { ...event, message: { ...event.message, tool_calls: calls }, finish: 'calls' }
        : event
    }
  }
  return Object.assign(answer, { model: 'tiny', wire: 'openai' as const })
}
