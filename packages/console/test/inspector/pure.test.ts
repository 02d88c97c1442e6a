import { defaultPolicy, lastMessages, tiered } from 'minutebook'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Inspection, Receipt } from '../../src/api/calls.ts'
import { piecesIn, piecesWith, type PaneName } from '../../src/inspector/pane.ts'
import { entriesWith } from '../../src/inspector/entry-finder.tsx'
import { comparisonOf } from '../../src/inspector/call-facts.tsx'
import { readableJson } from '../../src/ui/text.ts'
import { ruleFor } from '../../src/inspector/rule.ts'
import { scrubPath } from '../../src/inspector/scrubber.tsx'
import { verdictCounts } from '../../src/inspector/verdict.tsx'

type Tier = Inspection['entries'][number]['tier']

function inspection(
  tiers: readonly (readonly [role: string, tier: Tier, entry: string])[],
  receipt: object = { tokens: {} },
): Inspection {
  return {
    receipt,
    reused: 1,
    messages: tiers.map(([role, tier, entry]) => ({
      role,
      tokens: 1,
      pieces: [{ label: role, tier, entries: [entry], tokens: 1, text: entry }],
    })),
  } as unknown as Inspection
}

describe('the pieces of a pane', () => {
  const planned = inspection([
    ['system', 'system', 's'],
    ['user', 'pinned', 'p'],
    ['system', 'outline', 'o'],
    ['system', 'marker', 'm'],
    ['user', 'verbatim', 'v'],
    ['system', 'recall', 'r'],
    ['user', 'current', 'c'],
  ])

  test.each<[PaneName, string]>([
    ['system', 's'],
    ['pinned', 'p'],
    ['outline', 'om'],
    ['verbatim', 'v'],
    ['recalled', 'r'],
    ['latest', 'c'],
    ['free', ''],
    ['reserve', ''],
    ['tools', ''],
  ])('of %s are %j', (pane, texts) => {
    expect(
      piecesIn(planned, pane)
        .map(({ text }) => text)
        .join(''),
    ).toBe(texts)
  })

  test('of what came as it was: the current turn begins with the last user message', () => {
    const came = inspection(
      [
        ['system', 'system', 's'],
        ['user', 'verbatim', 'a'],
        ['assistant', 'verbatim', 'b'],
        ['user', 'verbatim', 'c'],
      ],
      { mode: 'unchanged', tokens: {} },
    )
    expect(
      (['system', 'verbatim', 'latest'] as const).map((pane) =>
        piecesIn(came, pane)
          .map(({ text }) => text)
          .join(''),
      ),
    ).toEqual(['s', 'ab', 'c'])
  })

  test('say which stood in the prompt before', () => {
    expect(piecesWith(planned, 's')[0]?.reused).toBe(true)
    expect(piecesWith(planned, 'c')[0]?.reused).toBe(false)
    expect(piecesWith(planned, 'nobody')).toEqual([])
  })
})

describe('predicted against reported', () => {
  const receipt = (tokens: object): Receipt =>
    ({ tokens: { predicted: 1000, reused: 0, ...tokens } }) as unknown as Receipt

  test.each([
    [{ reported: {} }, null, 'not reported'],
    [{ reported: { prompt: 1050 } }, 0.05, 'as expected'],
    [{ reported: { prompt: 1200 } }, 0.2, 'more than expected'],
    [{ reported: { prompt: 1200 }, low: 500, high: 1300 }, 0.2, 'as expected'],
    [{ reported: { prompt: 400 }, low: 500, high: 1300 }, -0.6, 'less than expected'],
  ] as const)('%j', (tokens, off, says) => {
    expect(comparisonOf(receipt(tokens))).toMatchObject({ off, says })
  })
})

describe('the rule for an entry', () => {
  test.each([
    ['verbatim', 'verbatim', tiered({ verbatim: 3 }), 'newest 3 finished exchanges'],
    ['verbatim', 'verbatim', lastMessages(7), 'newest 7 messages'],
    ['clipped', 'current', defaultPolicy(), 'its middle was cut'],
    ['digested', 'outline', defaultPolicy(), 'lines of at most 64 tokens, in 10% of the room'],
    ['outlined', 'outline', defaultPolicy(), 'counted in a line for several'],
    ['omitted', null, lastMessages(7), 'keeps no outline, and nothing is recalled'],
    ['hidden', null, defaultPolicy(), 'not part of the prompt'],
    ['verbatim', 'system', null, 'not shown here'],
  ] as const)('that is %s (%s)', (verdict, tier, policy, says) => {
    expect(ruleFor({ verdict, tier }, policy).says).toContain(says)
  })
})

test('the chart of all calls shows how full the window was, and where an epoch began', () => {
  const call = (
    predicted: number,
    reused: number,
    epoch: number,
    window: number | null = 100,
  ): Parameters<typeof scrubPath>[0][number] => ({ window, receipt: { epoch, tokens: { predicted, reused } } })
  expect(scrubPath([call(50, 0, 0), call(120, 50, 0), call(40, 10, 1)])).toEqual({
    used: 'M0 100V50H1V100ZM1 100V0H2V100ZM2 100V60H3V100Z',
    reused: 'M0 100V100H1V100ZM1 100V50H2V100ZM2 100V90H3V100Z',
    epochs: [2],
    read: '',
  })
  expect(scrubPath([call(50, 0, 0, null)]).used).toBe('M0 100V0H1V100Z')
})

test('verdicts are counted in the order of the legend', () => {
  expect(
    verdictCounts([{ verdict: 'omitted' }, { verdict: 'verbatim' }, { verdict: 'outlined' }, { verdict: 'omitted' }]),
  ).toEqual([
    ['verbatim', 1],
    ['outlined', 1],
    ['omitted', 2],
  ])
})

test.each([
  ['WHEEL', ['1']],
  ['user lena', ['1']],
  ['weather', ['2']],
  ['hidden', ['3']],
  ['wheel tower', []],
  ['  ', ['1', '2', '3']],
])('entries are found by parts of their words: %j', (query, ids) => {
  const inspected = [
    { id: '1', kind: 'user', title: 'Lena sits' },
    { id: '2', kind: 'assistant', title: '' },
    { id: '3', kind: 'note', title: 'A hidden title' },
  ]
  const entries = [
    { id: '1', text: 'Lena sits in a wheelchair.', calls: [] },
    { id: '2', text: '', calls: [{ name: 'weather' }] },
  ]
  expect(entriesWith(query, inspected as never, entries as never).map(({ id }) => id)).toEqual(ids)
})

test('readable JSON is the JSON of the value, and hides nothing', () => {
  expect(readableJson('a\u202eb\u{e0041}')).toBe('"a\\u202eb\\udb40\\udc41"')
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(JSON.parse(readableJson({ text }))).toEqual({ text })
      expect(readableJson(text)).not.toMatch(/[\p{Cc}\p{Cf}]/u)
    }),
  )
})
