import { expect, test } from 'vitest'
import { messageAt } from './growing-log.ts'
import { overlap, placeLabels } from './labels.ts'
import { measure, retention, reuse } from './measurement.ts'
import { isSent } from './sent.ts'
import { oracle, sliding } from './strategies/sliding.ts'
import { generate, styles } from './synthetic.ts'

test.each(styles)('the generator gives the same %s conversation for the same seed, and another for another', (style) => {
  expect(generate(style, 1, 40)).toEqual(generate(style, 1, 40))
  expect(generate(style, 1, 40)).not.toEqual(generate(style, 2, 40))
})

test.each(styles)('every %s question has evidence, and no two questions are the same', (style) => {
  const { messages, questions } = generate(style, 3, 150)
  expect(questions.length).toBeGreaterThan(20)
  expect(questions.every(({ evidence }) => evidence.length > 0 && evidence.every((index) => (messages[index]?.text ?? '') !== ''))).toBe(true)
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
  expect(isSent({ messages: [{ role: 'user', text: 'Quoted:\n> The code is 4711.\nNow?' }], fate: () => 'verbatim' }, log, 0)).toBe(true)
})

test('labels of crowded points do not overlap', () => {
  const points = Array.from({ length: 8 }, (_, index) => ({ x: 100 + 3 * index, y: 100 + (index % 2), text: `label ${index}`, strong: false }))
  const boxes = placeLabels(points, { left: 0, top: 0, width: 320, height: 240 }).map(({ box }) => box)
  expect(boxes.some((box, index) => boxes.slice(index + 1).some((other) => overlap(box, other)))).toBe(false)
})
