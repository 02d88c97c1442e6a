import { readFileSync } from 'node:fs'
import { Tokenizer } from '@huggingface/tokenizers'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  compile,
  defaultPolicy,
  firstAndRecent,
  lastMessages,
  probeProfile,
  tiered,
  type CompileResult,
  type Message,
  type Policy,
  type Profile,
  type TokenCounter,
} from 'minutebook'
import { huggingFaceTokenizer } from 'minutebook/huggingface'
import { assistant, call, result, user } from '@minutebook/testing'
import { conversation } from '../support/arbitrary.ts'
import { attempt } from '../support/attempt.ts'
import { cases } from '../support/runs.ts'
import type { Engine } from './engine.ts'
import { isInstalled, skipUnlessInstalled } from './installed.ts'
import { longLog } from './long-log.ts'
import { fitOverhead, type OverheadSource } from './overhead.ts'
import { probeTools } from './probes.ts'
import { longConversation } from './long-conversation.ts'
import type { ChatTemplate } from './templates.ts'
import { tinyChatTemplate, tinyModel } from './tiny-model.ts'
import { within } from '../support/patience.ts'

const timeout = within(900_000)
/** ENGINE_LOGS=500 for a longer look. */
const logs = Math.max(Number(process.env['ENGINE_LOGS'] ?? 100), Math.floor(cases('usual') / 100))
const evaluateEvery = 8
/** Fixed, so that the figures are the same on every machine; a proof looks further. */
const seed = process.env['PROVE_RUNS'] === undefined ? { seed: 2026 } : {}

let engine: Engine
let template: ChatTemplate
let templates: readonly ChatTemplate[]
let profile: Profile
/** Counts a rendered prompt: `<|im_start|>` is one token there, as it is to the engine. */
let countPrompt: (text: string) => number
let plainCounter: TokenCounter
let toolCounter: TokenCounter

beforeAll(async () => {
  if (!isInstalled) return
  engine = await (await import('./engine.ts')).openEngine()
  const { chatTemplates, compileTemplate } = await import('./templates.ts')
  templates = chatTemplates()
  template = compileTemplate('tiny', tinyChatTemplate)
  profile = probeProfile((messages) => template.render(messages))
  const tokenizerFile: object = JSON.parse(readFileSync(tinyModel().tokenizerPath, 'utf8'))
  const tokenizer = new Tokenizer(tokenizerFile, {})
  countPrompt = (text) => tokenizer.encode(text).ids.length
  const counter = huggingFaceTokenizer(tokenizerFile)
  const source: OverheadSource = {
    render: (messages, tools) => template.render(messages, tools),
    countPrompt,
    count: (text) => counter.count(text),
  }
  plainCounter = huggingFaceTokenizer(tokenizerFile, { name: 'tiny', overhead: fitOverhead(source) })
  toolCounter = huggingFaceTokenizer(tokenizerFile, { name: 'tiny', overhead: fitOverhead(source, probeTools) })
}, timeout)

afterAll(() => engine?.close())

describe('special-token text in a message', () => {
  test('is the special token to the engine and is spelled out by the counter, which is the larger count', (context) => {
    skipUnlessInstalled(context)
    for (const text of ['<|im_start|>', '<|im_end|>', '<|endoftext|>']) {
      expect(engine.tokenize(`so ${text} it`)).toBe(countPrompt(`so ${text} it`))
      expect(engine.tokenize(text)).toBe(1)
      expect(plainCounter.count(text)).toBeGreaterThan(5)
    }
  })
})

describe('every prompt', () => {
  const policy: fc.Arbitrary<Policy> = fc.oneof(
    { weight: 3, arbitrary: fc.constant(defaultPolicy()) },
    {
      weight: 1,
      arbitrary: fc.constantFrom(defaultPolicy({ recall: 'eager' }), defaultPolicy({ recall: 'off', epochs: false })),
    },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        firstAndRecent(),
        tiered(),
        tiered({ verbatim: 6 }),
        lastMessages(10),
        lastMessages(50),
      ),
    },
  )
  const contextSize = fc.integer({ min: 2, max: 16 }).map((blocks) => blocks * 256)
  const reserve = fc.option(fc.constantFrom(1, 64, 200), { nil: undefined })

  test(
    'fits the window of the engine, and its plan never counts fewer tokens than the engine',
    async (context) => {
      skipUnlessInstalled(context)
      const seen: Seen[] = []
      const property = fc.asyncProperty(
        longLog,
        policy,
        contextSize,
        reserve,
        fc.boolean(),
        async (log, chosen, window, kept, sendsTools) => {
          const tools = sendsTools ? { tools: probeTools } : {}
          const counter = sendsTools ? toolCounter : plainCounter
          const compiled = attempt(log, {
            window,
            policy: chosen,
            profile,
            counter,
            ...tools,
            ...(kept !== undefined && { reserve: kept }),
          })
          fc.pre(compiled !== undefined)
          const text = template.render(compiled.messages, tools.tools)
          const tokens = engine.tokenize(text)
          const room = window - (isWhole(compiled) ? (kept ?? 0) : compiled.plan.reserve)
          expect(countPrompt(text)).toBe(tokens)
          expect(tokens).toBeLessThanOrEqual(compiled.tokens)
          expect(compiled.tokens).toBeLessThanOrEqual(room)
          const evaluates = seen.length % evaluateEvery === 0 && tokens < window
          if (evaluates) expect((await engine.evaluate(text, window)).tokens).toBe(tokens)
          seen.push({ compiled, tokens, evaluates })
        },
      )
      await fc.assert(property, { numRuns: logs, ...seed })
      report(seen)
      // Else the logs would have been too short to prove anything.
      expect(shareOf(seen, ({ compiled }) => !isWhole(compiled))).toBeGreaterThan(0.6)
      expect(shareOf(seen, ({ compiled }) => hasRecall(compiled))).toBeGreaterThan(0.2)
      expect(seen.filter(({ evaluates }) => evaluates).length).toBeGreaterThanOrEqual(
        Math.floor((0.95 * logs) / evaluateEvery),
      )
    },
    timeout,
  )

  test(
    'costs what its plan says at most, whatever the profile makes of it',
    (context) => {
      skipUnlessInstalled(context)
      const profiles = new Map(
        templates
          .map((each) => probeProfile((messages) => each.render(messages)))
          .map((each) => [JSON.stringify(each), each]),
      )
      fc.assert(
        fc.property(
          conversation,
          policy,
          fc.integer({ min: 64, max: 2048 }),
          fc.constantFrom(...profiles.values()),
          (log, chosen, window, other) => {
            fc.pre(other.needsUser !== true || log.some(({ role }) => role === 'user'))
            const compiled = attempt(log, { window, policy: chosen, profile: other, counter: plainCounter })
            fc.pre(compiled !== undefined)
            expect(engine.tokenize(template.render(compiled.messages))).toBeLessThanOrEqual(compiled.tokens)
          },
        ),
        { numRuns: logs, ...seed },
      )
    },
    timeout,
  )

  /** Each was once counted below what it costs. */
  const dear: readonly { what: string; profile: Profile; log: Message[] }[] = [
    {
      what: 'the name in an interrupted result',
      profile: { noTools: true },
      log: [user('x'), assistant('', call('1', 'look_up_the_name_of_a_function'))],
    },
    { what: 'quoted lines that are set in', profile: {}, log: [user('x'), result('1', '#1\n'.repeat(20))] },
    {
      what: 'arguments that the template prints',
      profile: { argumentsAs: 'object' },
      log: [user('x'), assistant('', call('1', 'f', Array(30).fill(6))), result('1', 'y')],
    },
  ]

  test.for(dear)('costs what its plan says at most: $what', ({ profile: other, log }, context) => {
    skipUnlessInstalled(context)
    const compiled = compile(log, { window: 2048, profile: { normalized: true, ...other }, counter: plainCounter })
    expect(engine.tokenize(template.render(compiled.messages))).toBeLessThanOrEqual(compiled.tokens)
  })

  test('that was counted too low is refused by the engine', async (context) => {
    skipUnlessInstalled(context)
    const { PromptTooLarge } = await import('./evaluation.ts')
    const low: TokenCounter = { ...plainCounter, count: (text) => Math.ceil(plainCounter.count(text) / 2) }
    const compiled = compile(longConversation(30), { window: 1024, profile, counter: low })
    await expect(engine.evaluate(template.render(compiled.messages), 1024)).rejects.toBeInstanceOf(PromptTooLarge)
  })
})

describe('within an epoch', () => {
  test.for(['gated', 'off'] as const)(
    'the engine reuses what a prompt has in common with the one before it, recall %s',
    { timeout },
    async (recall, context) => {
      skipUnlessInstalled(context)
      const [window, turns] = [2048, 24]
      const log = longConversation(turns)
      const opening = engine.tokenize(template.render([]))
      const prompts: { compiled: CompileResult; tokens: number; reused: number; sameEpoch: boolean }[] = []
      for (const [index, { role }] of log.entries()) {
        if (role !== 'assistant') continue
        const compiled = compile(log.slice(0, index), {
          window,
          profile,
          counter: plainCounter,
          policy: defaultPolicy({ recall }),
        })
        const { tokens, reused } = await engine.evaluate(template.render(compiled.messages), window)
        const before = prompts.at(-1)?.compiled
        const sameEpoch = before?.plan.epoch.number === compiled.plan.epoch.number
        if (before && sameEpoch) {
          const common = commonMessages(before, compiled)
          expect(common.length).toBeGreaterThanOrEqual(steadyLength(before))
          expect(reused).toBeGreaterThanOrEqual(engine.tokenize(template.render(common)) - opening)
        }
        prompts.push({ compiled, tokens, reused, sameEpoch })
      }
      const compactions = prompts.at(-1)!.compiled.plan.epoch.number
      const within = prompts.filter(({ sameEpoch }) => sameEpoch)
      console.log(
        `recall ${recall}, ${turns} turns in a window of ${window}: ${prompts.length} prompts, ${compactions} compactions; reused ${reusedOf(prompts)}, within epochs ${reusedOf(within)}`,
      )
      expect(compactions).toBeGreaterThan(2)
      expect(within.length).toBeGreaterThan(prompts.length / 2)
    },
  )
})

interface Seen {
  readonly compiled: CompileResult
  /** By the engine's own count. */
  readonly tokens: number
  readonly evaluates: boolean
}

function isWhole({ plan }: CompileResult): boolean {
  return plan.spans.every(({ verdict }) => verdict === 'verbatim' || verdict === 'hidden')
}

function hasRecall({ plan }: CompileResult): boolean {
  return plan.parts.some(({ shape }) => shape === 'recall')
}

function shareOf(seen: readonly Seen[], test: (each: Seen) => boolean): number {
  return seen.filter(test).length / seen.length
}

function reusedOf(prompts: readonly { readonly tokens: number; readonly reused: number }[]): string {
  const tokens = prompts.reduce((sum, prompt) => sum + prompt.tokens, 0)
  const reused = prompts.reduce((sum, prompt) => sum + prompt.reused, 0)
  return `${((100 * reused) / tokens).toFixed(1)} % of ${tokens} tokens`
}

/** The messages that both prompts begin with. */
function commonMessages(before: CompileResult, after: CompileResult): Message[] {
  const differs = before.messages.findIndex(
    (message, index) => JSON.stringify(message) !== JSON.stringify(after.messages[index]),
  )
  return before.messages.slice(0, differs < 0 ? before.messages.length : differs)
}

/**
 * How many messages the next prompt of the epoch must begin with: those before the recall block and the last message.
 */
function steadyLength({ pieces }: CompileResult): number {
  const recall = pieces.findIndex((message) => message.some(({ label }) => label === 'RECALL'))
  return recall < 0 ? pieces.length - 1 : recall
}

function report(seen: readonly Seen[]): void {
  const special = /<\|(?:endoftext|im_start|im_end)\|>/
  const plain = seen.filter(({ compiled }) => !special.test(JSON.stringify(compiled.messages)))
  const clipped = seen.filter(({ compiled }) => compiled.plan.spans.some(({ verdict }) => verdict === 'clipped'))
  const count = (test: (each: Seen) => boolean): number => seen.filter(test).length
  console.log(
    `${seen.length} prompts: ${count(({ compiled }) => !isWhole(compiled))} fitted, ${count(({ compiled }) => hasRecall(compiled))} with recall, ` +
      `${clipped.length} with clips; ${count(({ evaluates }) => evaluates)} evaluated\n` +
      `counted above the engine: ${excessOf(seen)}; ${plain.length} prompts without special-token text: ${excessOf(plain)}`,
  )
}

function excessOf(seen: readonly Seen[]): string {
  const excess = seen.map(({ compiled, tokens }) => (100 * (compiled.tokens - tokens)) / tokens)
  const mean = excess.reduce((sum, each) => sum + each, 0) / excess.length
  return `mean ${mean.toFixed(2)} %, most ${Math.max(...excess).toFixed(2)} %, least ${Math.min(...excess).toFixed(2)} %`
}
