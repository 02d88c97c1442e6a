import type { Model } from 'minutebook'
import { defineExperiment, gapsOf, gapTexts, type Board, type Gaps, type ModelCall } from '@minutebook/experiment/run'
import { requestHash } from 'minutebook/inspect'
import { describe, expect, test } from 'vitest'
import { scriptedModel } from '@minutebook/testing'
import { laboratory } from '../../../../tests/support/experiment/laboratory.ts'

const words = (of: string, count: number): string =>
  Array.from({ length: count }, (_, index) => `${of}${index}`).join(' ')

/** Ann is asked something long, and looks four times before she answers: each look tells her something long. */
const looking = defineExperiment({
  name: 'looking',
  environment: { news: { type: 'text', initial: words('news', 120) } },
  participants: { ann: { model: { name: 'm' }, tools: ['look'] } },
  tools: {
    look: {
      parameters: { type: 'object', properties: { at: { type: 'integer' } } },
      run: ({ at }) => words(`look${Number(at)}x`, 60),
    },
  },
  limits: { rounds: 3 },
})

/** What the model really got, by the hash of the prompt. */
async function played(window: number): Promise<{ readonly board: Board; readonly texts: ReadonlyMap<string, string> }> {
  const texts = new Map<string, string>()
  let looks = 0
  const scripted = scriptedModel(
    Array.from(
      { length: 60 },
      () => () =>
        ++looks % 5 === 0 ? { text: 'I have seen it.' } : { calls: [{ name: 'look', arguments: { at: looks } }] },
    ),
    { wire: 'openai', model: 'm' },
  )
  const model: Model = Object.assign(
    async function* (request: Parameters<Model>[0]) {
      texts.set(
        requestHash(request.messages, request.tools),
        request.messages.map(({ content }) => String(content)).join('\n'),
      )
      yield* scripted(request)
    },
    { wire: 'openai', model: 'm' } as const,
  )
  const lab = await laboratory([looking], () => model, { window })
  const board = await lab.play('one', looking)
  await lab.close()
  return { board, texts }
}

describe.each([500, 700, 900, 1200, 1700, 2500, 100_000])('with a window of %i', (window) => {
  test('a board says of each turn exactly what was not whole in the prompts', async () => {
    const { board, texts } = await played(window)
    const cells = board.rounds.flatMap((round) => round.cells)
    expect(cells).toHaveLength(3)
    for (const { calls, effects, status } of cells) {
      expect(status).toBe('complete')
      expect(calls).toHaveLength(5)
      const prompts = calls.map(({ hash }) => texts.get(hash)!)
      const { question, turn } = gapsOf(calls)
      expect(question !== undefined, 'question').toBe(prompts.some((prompt) => !prompt.includes(words('news', 120))))
      // Each look is a call and its result: what is left out of the middle of a turn is both.
      const lacking = prompts.map(
        (prompt, index) => effects.slice(0, index).filter(({ told }) => !prompt.includes(told)).length,
      )
      expect(turn > 0, 'turn').toBe(lacking.some((count) => count > 0))
      expect(turn).toBeGreaterThanOrEqual(Math.max(...lacking))
    }
  })
})

test('small windows clip the question and leave out looks; a large one does neither', async () => {
  const gaps = async (window: number): Promise<readonly Gaps[]> =>
    (await played(window)).board.rounds.flatMap((round) => round.cells.map(({ calls }) => gapsOf(calls)))
  const small = await gaps(500)
  expect(small.every(({ question, turn }) => question === 'clipped' && turn > 0)).toBe(true)
  expect(small.at(-1)!.earlier).toBeGreaterThan(0)
  expect(await gaps(100_000)).toEqual([
    { turn: 0, earlier: 0 },
    { turn: 0, earlier: 0 },
    { turn: 0, earlier: 0 },
  ])
})

const call = (fields: Partial<ModelCall>): ModelCall => ({
  receipt: 'r',
  hash: 'h',
  prompt: 1,
  completion: 1,
  verdicts: { verbatim: 3 },
  ...fields,
})
const window = { asked: 4096, given: 2048, source: '/api/ps' }

test.each<readonly [string, readonly ModelCall[], readonly string[]]>([
  ['nothing', [call({})], []],
  ['hidden and recalled entries are no gaps', [call({ verdicts: { verbatim: 1, hidden: 2, recalled: 3 } })], []],
  [
    'a clipped question',
    [call({ verdicts: { clipped: 1 }, turn: { question: 'clipped', verdicts: { clipped: 1 } } })],
    ['question clipped'],
  ],
  [
    'a clipped result',
    [
      call({
        verdicts: { verbatim: 1, clipped: 1 },
        turn: { question: 'verbatim', verdicts: { verbatim: 1, clipped: 1 } },
      }),
    ],
    ['1 entry of the turn clipped or left out'],
  ],
  [
    'the worst of several prompts',
    [call({ verdicts: { omitted: 2000 } }), call({ verdicts: { omitted: 7 } })],
    ['2,000 older entries left out or in brief'],
  ],
  [
    'those of the turn are not counted twice',
    [
      call({
        verdicts: { omitted: 5, clipped: 1 },
        turn: { question: 'clipped', verdicts: { clipped: 1, omitted: 4 } },
      }),
    ],
    ['question clipped', '4 entries of the turn clipped or left out', '1 older entry left out or in brief'],
  ],
  ['a smaller window', [call({ window })], ['window of 2,048 tokens, not 4,096']],
  ['calls in vain do not count', [call({ isVain: true, verdicts: { omitted: 2 }, window })], []],
])('in words: %s', (_, calls, expected) => {
  expect(gapTexts(gapsOf(calls))).toEqual(expected)
})
