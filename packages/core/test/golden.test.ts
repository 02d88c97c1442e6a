import { describe, expect, test } from 'vitest'
import { golden, goldens } from './support/golden.ts'

describe.each(goldens())('$name', ({ prompt, plan }) => {
  test('prompt', () => expect(prompt.actual).toBe(prompt.expected))
  test('plan', () => expect(plan.actual).toBe(plan.expected))
})

const said = (name: string): string =>
  golden(name)
    .compiled.messages.map(({ content }) => String(content).trim())
    .join(' ')

describe('seed 003: the first message and the recent ones', () => {
  test('truncate messages, limit 1', () => {
    expect(said('003-truncate-messages')).toBe(
      "You're a test, Harry! [Several conversation turns removed to conserve context.] A test. And a thumping good one at that, I'd wager.",
    )
  })

  test('out of order system', () => {
    expect(said('003-out-of-order-system')).toBe(
      "You are the Test Who Lived. You're a test, Harry! I-I'm a what? A test. And a thumping good one at that, I'd wager.",
    )
  })

  test('an earlier marker is written anew, never doubled', () => {
    const { compiled } = golden('003-earlier-marker')
    const marker = '[Several conversation turns removed to conserve context.]'
    expect(compiled.messages.map(({ content }) => content).filter((content) => content === marker)).toHaveLength(1)
    expect(compiled.messages[1]?.content).toBe(marker)
  })

  test("a user message with the marker's text is just a message", () => {
    const { compiled, log } = golden('003-forged-marker')
    expect(compiled.messages).toEqual(log)
  })
})

describe('seed 001: two exchanges whole, older ones in brief', () => {
  test('ten exchanges of about 400 tokens fit in 4,096 under a system prompt of 2,000', () => {
    const { compiled, log } = golden('001-ten-exchanges')
    expect(log.filter(({ role }) => role === 'user')).toHaveLength(11)
    expect(compiled.tokens).toBeLessThanOrEqual(4096 - 400)
    expect(compiled.messages.slice(-5)).toEqual(log.slice(-5))
    expect(String(compiled.messages[1]?.content)).toContain(
      '[Previous: "thunderstorm" → thunderstorm, 4 steps: solid(#1A1A2E) → pulse(#FFFFFF) → sparkle(#4444AA) → breathing(#1a1a3a), infinite loop]',
    )
    expect(String(compiled.messages[1]?.content).split('[Previous: "')).toHaveLength(9)
  })

  test('twenty in 8,192', () => {
    const { compiled } = golden('001-twenty-exchanges')
    expect(compiled.tokens).toBeLessThanOrEqual(8192 - 400)
    expect(String(compiled.messages[1]?.content).split('[Previous: "')).toHaveLength(19)
  })
})

describe('seed 000: the history of a role', () => {
  test('the system prompt is first and only once, the earlier steps follow', () => {
    const { compiled, log } = golden('000-second-step')
    expect(compiled.messages.map(({ role }) => role)).toEqual([
      'system',
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ])
    expect(compiled.messages[0]).toBe(compiled.messages.find(({ role }) => role === 'system'))
    expect(compiled.messages.at(-1)).toEqual(log.at(-1))
  })

  test('a cap of the last 50 messages', () => {
    const { compiled } = golden('000-last-fifty')
    const spoken = compiled.messages.filter(({ role }) => role !== 'system')
    expect(spoken.length).toBeLessThanOrEqual(50)
    expect(spoken.length).toBeGreaterThan(45)
    expect(spoken[0]?.role).toBe('user')
  })
})
