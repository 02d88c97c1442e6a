import { calibrated, estimator, type Message, type TokenCounter, type UsageSample } from 'minutebook'
import { findTruncation } from '../../src/receipts/truncation.ts'
import { describe, expect, test } from 'vitest'
import { assistant, call, user } from '@minutebook/testing'
import { gptTokenizer } from '../../src/tokens/gpt-tokenizer.ts'
import { around, createMeter, fits, sentOf } from '../../src/tokens/prediction.ts'
import { corpus, generator } from '../../../../tests/support/corpus.ts'

const exact: TokenCounter = {
  name: 'exact',
  count: (text) => text.length,
  overhead: { message: 4, prompt: 3, call: 5, image: 100 },
  margin: { below: 0, above: 0 },
}
const predict = (
  counter: TokenCounter,
  messages: readonly Message[],
  tools: readonly unknown[] = [],
): ReturnType<ReturnType<typeof createMeter>['predict']> => {
  const meter = createMeter(counter)
  return meter.predict(
    messages.map((message) => meter.message(message)),
    tools,
  )
}

const table: readonly (readonly [
  name: string,
  messages: readonly Message[],
  low: number,
  predicted: number,
  high: number,
])[] = [
  ['a text, with and without the template', [user('1234567890')], 10, 17, 24],
  ['white space that a template may take off', [user('  12345678')], 8, 17, 24],
  ['reasoning that a template may leave out', [{ ...assistant('12345'), thinking: '123' } as Message], 5, 15, 22],
  ['calls', [assistant(null, call('a', 'look', { b: 1 }))], 11, 23, 35],
  ['a picture, which may be nothing or twice as much', [{ role: 'user', content: 'x', images: ['aGk='] }], 1, 108, 215],
]

describe('a prediction by an exact counter', () => {
  test.each(table)('of %s', (_, messages, low, predicted, high) =>
    expect(predict(exact, messages)).toMatchObject({ low, predicted, high, uncalibrated: predicted }),
  )

  test('of tools, which a template may leave out or explain', () => {
    const tools = [{ type: 'function', function: { name: 'look', parameters: {} } }]
    const size = JSON.stringify(tools[0]).length + 5
    expect(predict(exact, [user('12345')], tools)).toMatchObject({
      low: 5,
      predicted: 12 + size,
      high: 19 + Math.ceil(size * 1.25) + 64,
      uncalibrated: 12 + size,
    })
  })
})

describe('a prediction', () => {
  test('has no interval where the counter does not know its margin', () =>
    expect(predict(estimator, [user('Hello there')])).not.toHaveProperty('low'))

  test('says what the counter under a calibration says', () => {
    const samples = Array.from({ length: 20 }, () => ({ predicted: 1000, reported: 500 }))
    const plain = predict(exact, [user('x'.repeat(1000))]).predicted
    expect(predict(calibrated(exact, samples), [user('x'.repeat(1000))])).toMatchObject({
      predicted: 525,
      uncalibrated: plain,
      low: expect.any(Number) as number,
    })
  })

  test('says what is sure in a prompt: words, and half of the letters of other scripts, but neither digits nor rules nor reasoning', () => {
    const messages = [
      user('The lamp'),
      user('2026-----'),
      user('灯灯光'),
      { ...assistant('ok'), thinking: '123' } as Message,
      { role: 'user', content: '', images: ['aGk='] } as Message,
    ]
    expect(predict(exact, messages, [{ type: 'function' }]).parts).toEqual({
      sure: 8 + 1 + 1 + 2,
      optional: 3,
      tools: JSON.stringify({ type: 'function' }).length + 5,
      images: 1,
    })
    expect(
      sentOf({ predicted: 200, uncalibrated: 100, parts: { sure: 1, optional: 2, tools: 3, images: 4 } }, 50),
    ).toEqual({ sent: 100, predicted: 200, reused: 25, sure: 1, optional: 2, tools: 3, images: 4 })
  })

  test('counts a message once that goes by one id', () => {
    let counted = 0
    const meter = createMeter({ ...exact, count: (text) => (counted++, text.length) })
    for (let time = 0; time < 9; time++) meter.message(user('Hello'), 'one')
    expect(counted).toBe(1)
  })

  test('may go as it is where there is room for the most that it may be', () => {
    const parts = { sure: 80, optional: 0, tools: 0, images: 0 }
    expect(fits({ predicted: 90 }, 100, 10)).toBe(true)
    expect(fits({ predicted: 90, high: 91 }, 100, 10)).toBe(false)
    expect(around({ predicted: 90, uncalibrated: 90, low: 80, high: 91, parts }, 99)).toEqual({
      predicted: 99,
      uncalibrated: 90,
      low: 80,
      high: 99,
      parts,
    })
  })
})

/** Chats as a model counts them: texts exactly, and a template's own overhead. */
describe('of 1,000 honest calls', () => {
  const truth = gptTokenizer()
  const all = corpus.map(({ text }) => text.slice(0, 1200))
  const english = corpus.filter(({ name }) => name.startsWith('English')).map(({ text }) => text)

  test.each([
    ['an exact counter, chats of all kinds', 'exact', all, 0.99],
    ['a calibrated estimator, chats in English', 'calibrated', english, 0.99],
    // Between so many scripts and classes at random the interval must be wide; what an upstream shifts is still known
    // by its size.
    ['a calibrated estimator, chats of all kinds', 'calibrated', all, 0.1],
  ] as const)('none is a yes, and halves are: %s', (_, kind, texts, least) => {
    const sizes = new Map(texts.map((text) => [text, truth.count(text)]))
    const pick = generator(7)
    const samples: UsageSample[] = []
    let [yes, known, flagged] = [0, 0, 0]
    for (let round = 0; round < 1000; round++) {
      const chat = Array.from({ length: 6 + (pick() % 20) }, () => texts[(pick() >> 8) % texts.length]!)
      const reported = chat.reduce((sum, text) => sum + sizes.get(text)! + 6, 2)
      const meter = createMeter(kind === 'exact' ? truth : calibrated(estimator, samples))
      const prediction = meter.predict(
        chat.map((text) => meter.message(user(text), text)),
        [],
      )
      const isCut = (prompt: number): number =>
        Number(findTruncation({ ...prediction, reused: 0, usage: { prompt }, upstream: { counts: 'whole' } }) === 'yes')
      yes += isCut(reported)
      flagged += isCut(Math.floor(reported / 2))
      known += Number(prediction.low !== undefined)
      samples.push({ predicted: prediction.uncalibrated, reported })
    }
    expect({ yes, known }).toEqual({ yes: 0, known: kind === 'exact' ? 1000 : 980 })
    expect(flagged / known).toBeGreaterThan(least)
  })
})
