import { expect, test } from 'vitest'
import { messageAt } from './growing-log.ts'
import { overlap, placeLabels } from './labels.ts'
import { measure, retention, reuse } from './measurement.ts'
import { createRandom } from './random.ts'
import { isSent } from './sent.ts'
import { oracle, sliding } from './strategies/sliding.ts'
import { generate, styles } from './synthetic.ts'

test.each(styles)(
  'the generator gives the same %s conversation for the same seed, and another for another',
  (style) => {
    expect(generate(style, 1, 40)).toEqual(generate(style, 1, 40))
    expect(generate(style, 1, 40)).not.toEqual(generate(style, 2, 40))
  },
)

test.each(styles)('every %s question has evidence, and no two questions are the same', (style) => {
  const { messages, questions } = generate(style, 3, 150)
  expect(questions.length).toBeGreaterThan(20)
  expect(
    questions.every(
      ({ evidence }) => evidence.length > 0 && evidence.every((index) => (messages[index]?.text ?? '') !== ''),
    ),
  ).toBe(true)
  expect(new Set(questions.map(({ text }) => text)).size).toBe(questions.length)
})

test('the endless log is the same at every reading', () => {
  expect(messageAt(123_456)).toEqual(messageAt(123_456))
  expect(messageAt(1)).not.toEqual(messageAt(3))
})

test('a window that holds everything retains everything, and only the new messages are not reused', async () => {
  const measured = await measure(sliding, generate('chatty', 1, 20), { window: 100_000, reserve: 0 }, true)
  expect(retention(measured)).toBe(100)
  expect(reuse(measured)).toBeGreaterThan(80)
  expect(measured.firstKept).toBe(measured.prompts)
})

test('the oracle retains what a sliding window loses', async () => {
  const conversation = generate('lengthy', 1, 60)
  const budget = { window: 2048, reserve: 256 }
  expect(retention(await measure(oracle, conversation, budget, true))).toBe(100)
  expect(retention(await measure(sliding, conversation, budget, true))).toBeLessThan(20)
})

test('a plan that calls a message verbatim does not make it so', () => {
  const log = [{ role: 'user', text: 'The code is 4711.' } as const]
  expect(isSent({ messages: [], fate: () => 'verbatim' }, log, 0)).toBe(false)
  expect(
    isSent(
      { messages: [{ role: 'user', text: 'Quoted:\n> The code is 4711.\nNow?' }], fate: () => 'verbatim' },
      log,
      0,
    ),
  ).toBe(true)
})

test('points on each other share a label, others have their own', () => {
  const labels = placeLabels(
    [
      { x: 50, y: 50, text: '1' },
      { x: 200, y: 50, text: '2' },
      { x: 49, y: 51, text: '3' },
    ],
    320,
  )
  expect(labels.map(({ marks }) => marks.map(({ text }) => text).join(' '))).toEqual(['2', '3 1'])
})

test.each([0, 1, 3, 10, 40, 300])(
  'labels of 40 points within %d pixels all find room, and none lies on another',
  (spread) => {
    const random = createRandom(spread)
    const points = Array.from({ length: 40 }, (_, index) => ({
      x: 20 + spread * random.next(),
      y: 20 + spread * random.next(),
      text: String(index),
    }))
    const labels = placeLabels(points, 320)
    expect(new Set(labels.flatMap(({ marks }) => marks))).toEqual(new Set(points))
    expect(labels.some(({ box }, index) => labels.slice(index + 1).some((other) => overlap(box, other.box)))).toBe(
      false,
    )
  },
)
