import * as cl100k from 'gpt-tokenizer/encoding/cl100k_base'
import * as o200k from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { gptTokenizer } from '../../src/tokens/gpt-tokenizer.ts'
import { corpus } from '../../../../tests/support/corpus.ts'
import { canBeDoneIn } from '../../../../tests/support/stopwatch.ts'

const plain = { disallowedSpecial: new Set<string>() }

describe('gptTokenizer', () => {
  test.each(corpus)('counts exactly: $name', ({ name, text }) => {
    const cuts = longRuns.has(name) ? Math.floor(text.length / 256) : 0
    const pairs: readonly [count: number, exact: number][] = [
      [gptTokenizer().count(text), o200k.countTokens(text, plain)],
      [gptTokenizer(cl100k).count(text), cl100k.countTokens(text, plain)],
    ]
    for (const [count, exact] of pairs) {
      expect(count).toBeGreaterThanOrEqual(exact)
      expect(count).toBeLessThanOrEqual(exact + 2 * cuts)
    }
  })

  test('a long text is cut where it does not matter', () => {
    const text = corpus
      .slice(0, 8)
      .map((sample) => sample.text)
      .join('\n')
      .repeat(20)
    expect(gptTokenizer().count(text)).toBe(o200k.countTokens(text, plain))
  })

  test('special-token text is plain text', () => {
    expect(gptTokenizer().count('<|endoftext|>')).toBe(o200k.countTokens('<|endoftext|>', plain))
    expect(gptTokenizer().count('<|endoftext|>')).toBeGreaterThan(1)
  })

  test.each(['', '\ud800', 'x\udc00y', '__proto__', 'constructor', '\u0000', '👩‍💻'.repeat(500)])('takes %j', (text) => {
    expect(gptTokenizer().count(text)).toBe(o200k.countTokens(text, plain))
  })

  test('says who counts and what a message costs', () => {
    expect(gptTokenizer()).toMatchObject({ name: 'o200k_base', overhead: { message: 4, prompt: 3 } })
    expect(gptTokenizer(cl100k)).toMatchObject({ name: 'gpt-tokenizer' })
    expect(gptTokenizer(cl100k, { name: 'cl100k_base', overhead: 0 })).toMatchObject({
      name: 'cl100k_base',
      overhead: 0,
    })
  })

  test.each(['a', '中文字', ' ', '-='])('a million of %j takes less than 5 s', (unit) => {
    const text = unit.repeat(1_000_000 / unit.length)
    expect(canBeDoneIn(5000, () => gptTokenizer().count(text))).toBe(true)
  })
})

/** Samples with a run of more than 256 units without white space. */
const longRuns = new Set(['base64', 'JSON tool result', 'tool schema', 'binary as text', 'random Unicode'])
