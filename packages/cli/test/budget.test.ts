import type { Explanation } from '@minutebook/server'
import fc from 'fast-check'
import { compile } from 'minutebook'
import { sharesOf, type Share } from '@minutebook/inspect'
import type { Plan } from 'minutebook/compile'
import { assistant, system, user } from '@minutebook/testing'
import { expect, test } from 'vitest'
import { bar, budgetLine, legend } from '../src/call/budget.ts'
import { createPaint } from '../src/terminal/terminal.ts'
import { textWidth } from '../src/terminal/text.ts'

const plain = createPaint(false)
const names: readonly Share['name'][] = [
  'system',
  'tools',
  'pinned',
  'notes',
  'outline',
  'recalled',
  'verbatim',
  'latest',
  'free',
  'reserve',
]

function planOf(turns: number, window: number): Plan {
  const messages = Array.from({ length: turns }, (_, index) => [
    user(`question ${index} about the garden`),
    assistant(`answer ${index} ${'and more '.repeat(8)}`),
  ]).flat()
  return compile([system('Be brief.'), ...messages, user('And now?')], { window }).plan
}

function explained(turns: number, window: number): Pick<Explanation, 'plan' | 'shares'> {
  const plan = planOf(turns, window)
  return { plan, shares: sharesOf(plan) }
}

test('the shares add up to the window, whatever the plan', () => {
  for (const turns of [0, 1, 5, 40, 200]) {
    for (const window of [256, 2048, 8192]) {
      const plan = planOf(turns, window)
      expect(sharesOf(plan).reduce((sum, { tokens }) => sum + tokens, 0)).toBe(Math.max(plan.window, plan.tokens))
    }
  }
})

test('a bar is as wide as asked, and every share is in it', () => {
  const shares = fc.uniqueArray(
    fc.record({ name: fc.constantFrom(...names), tokens: fc.integer({ min: 1, max: 100_000 }) }),
    { selector: ({ name }) => name, minLength: 1 },
  )
  fc.assert(
    fc.property(shares, fc.integer({ min: 14, max: 200 }), (given, width) => {
      const drawn = bar(given, width, plain)
      expect(textWidth(drawn)).toBe(width)
      expect(new Set(drawn.slice(1, -1)).size).toBe(given.length)
      expect(
        legend(given, width, plain)
          .join('\n')
          .split(/\s{3}|\n/),
      ).toHaveLength(given.length)
    }),
  )
})

test('the line of a chat is one line that fits', () => {
  for (const width of [40, 60, 80, 200]) {
    for (const turns of [0, 200]) {
      const line = budgetLine(explained(turns, 2048), width, plain)
      expect(textWidth(line)).toBeLessThanOrEqual(width)
      expect(line).toMatch(/▕.*▏ [\d,]+ of 2,048/)
    }
  }
  expect(budgetLine(explained(200, 2048), 80, plain)).toMatch(/ S \d+ .* V [\d,]+ .* L \d+ .* - \d+$/)
  expect(budgetLine(explained(200, 2048), 200, plain)).toMatch(
    /system .* outline .* verbatim .* latest .* free .* reserve/,
  )
})

test('the bar is in colours that can be read on a light background and on a dark one', () => {
  const shares = names.map((name) => ({ name, tokens: 10 }))
  const drawn = [bar(shares, 80, createPaint(true)), ...legend(shares, 80, createPaint(true))].join('\n')
  const used = new Set([...drawn.matchAll(/\[([\d;]+)m/g)].map(([, code]) => code))
  expect(['30', '33', '34', '37'].filter((code) => used.has(code))).toEqual([])
  expect(used.size).toBeGreaterThan(5)
})
