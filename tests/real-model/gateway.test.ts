import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gateway } from '../support/server/gateway.ts'
import type { Engine } from './engine.ts'
import { isInstalled, skipUnlessInstalled } from './installed.ts'
import { complaintOf, talk, type TalkReport } from './re-sending.ts'
import type { EngineServer } from './server.ts'
import { tinyModel } from './tiny-model.ts'
import { within } from '../support/patience.ts'

const sizes = [512, 2048, 4096] as const
/**
 * As many turns as it takes to overflow each window well, with longer questions and one counter for the large ones; all
 * of it where it is run for its own sake (ENGINE_TURNS=300).
 */
const usual = [
  { contextSize: 512, counter: 'tokenizer.json', count: 30 },
  { contextSize: 512, counter: 'estimate', count: 30 },
  { contextSize: 2048, counter: 'tokenizer.json', count: 25 },
  { contextSize: 4096, counter: 'estimate', count: 25 },
] as const
const turns = Number(process.env['ENGINE_TURNS'] ?? 0)
const cases =
  turns > 0
    ? sizes.flatMap((contextSize) =>
        (['tokenizer.json', 'estimate'] as const).map((counter) => ({ contextSize, counter, count: turns })),
      )
    : usual
const lengthAt = (contextSize: number): number => (turns > 0 ? 1 : Math.max(1, contextSize / 1024))
const timeout = within(600_000)

let engine: Engine
let open: (contextSize: number, tells?: boolean) => Promise<EngineServer>

beforeAll(async () => {
  if (!isInstalled) return
  engine = await (await import('./engine.ts')).openEngine()
  const { serveEngine } = await import('./server.ts')
  open = (contextSize, tells = true) => serveEngine({ contextSize, engine, tells })
}, timeout)

afterAll(() => engine?.close())

describe('a client that re-sends everything to a real engine', () => {
  test.for(cases)(
    'is never refused through the gateway: $count turns at $contextSize tokens, counted by $counter',
    { timeout },
    async ({ contextSize, counter, count }, context) => {
      skipUnlessInstalled(context)
      await using server = await open(contextSize)
      const running = await gateway({
        upstreams: [{ url: server.url }],
        ...(counter === 'tokenizer.json' && { models: { tiny: { counter: tinyModel().tokenizerPath } } }),
      })
      const report = await talk({ url: running.url, turns: count, seen: server.seen, length: lengthAt(contextSize) })
      tell(contextSize, `through the gateway, ${counter}`, report)
      expect(complaintOf(report)).toBeUndefined()
      expect(report.turns).toHaveLength(count)
      expect(Math.max(...report.turns.map(({ tokens }) => tokens))).toBeGreaterThan(contextSize / 2)
    },
  )

  test(
    'is never refused through the gateway, though the engine does not say how large its window is',
    { timeout },
    async (context) => {
      skipUnlessInstalled(context)
      await using server = await open(1024, false)
      const running = await gateway({ upstreams: [{ url: server.url }] })
      const report = await talk({ url: running.url, turns: 20, seen: server.seen, length: 2 })
      tell(1024, 'through the gateway, the engine says nothing', report)
      expect([report.rejected, report.truncated, report.turns.length]).toEqual([0, 0, 20])
      // The one that was refused told it.
      expect(server.seen.filter(({ isRefused }) => isRefused)).toHaveLength(1)
      expect(Math.max(...report.turns.map(({ tokens }) => tokens))).toBeGreaterThan(512)
    },
  )

  test.for(sizes)('is refused without it, at %i tokens', { timeout }, async (contextSize, context) => {
    skipUnlessInstalled(context)
    await using server = await open(contextSize)
    const report = await talk({ url: server.url, turns: 300, seen: server.seen, length: lengthAt(contextSize) })
    tell(contextSize, 'straight to the engine', report)
    expect(report.turns.at(-1)?.rejected).toBe('400: exceed_context_size_error')
    expect(report.truncated).toBe(0)
    expect(report.turns.slice(0, -1).every(({ holdsFirst, holdsLatest }) => holdsFirst && holdsLatest)).toBe(true)
  })
})

function tell(contextSize: number, where: string, report: TalkReport): void {
  const { turns: reports, milliseconds } = report
  const most = Math.max(...reports.map(({ tokens }) => tokens))
  console.log(
    `${contextSize} tokens, ${where}: ${reports.length} turns, at most ${most} tokens a prompt, ${(milliseconds / 1000).toFixed(1)} s: ${complaintOf(report) ?? `nothing refused, nothing cut, ${report.clipped} clips of the first or the latest`}`,
  )
}
