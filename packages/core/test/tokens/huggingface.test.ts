import { describe, expect, test } from 'vitest'
import { huggingFaceTokenizer } from '../../src/tokens/huggingface.ts'
import { corpus } from '../../../../tests/support/corpus.ts'
import { canBeDoneIn } from '../../../../tests/support/stopwatch.ts'

const counter = huggingFaceTokenizer(byteTokenizer())

describe('huggingFaceTokenizer', () => {
  const table: readonly [text: string, count: number, why: string][] = [
    ['', 0, 'nothing'],
    ['a b', 3, 'a byte each'],
    ['aaaa', 2, 'two merges of aa'],
    ['é', 2, 'two bytes'],
    ['<|end|>', 7, 'special-token text is spelled out'],
    ['<pad>', 1, 'an added token that is not special is one'],
    ['\ud800', 3, 'half a pair is U+FFFD'],
    ['x\udc00y', 5, 'half a pair is U+FFFD'],
    ['__proto__', 9, 'is no key'],
  ]
  test.each(table)('%j counts %i: %s', (text, count) => expect(counter.count(text)).toBe(count))

  test('adds no special tokens and counts every sample', () => {
    for (const { text } of corpus) {
      const bytes = new TextEncoder().encode(text).length
      const merges = (text.match(/a+/g) ?? []).reduce((sum, run) => sum + Math.floor(run.length / 2), 0)
      expect(counter.count(text)).toBe(bytes - merges)
    }
  })

  test('takes a name, an overhead and a config', () => {
    expect(counter).toMatchObject({ name: 'huggingface', overhead: { message: 5, prompt: 5 } })
    expect(huggingFaceTokenizer(byteTokenizer(), { name: 'bytes', overhead: 2, config: {} })).toMatchObject({
      name: 'bytes',
      overhead: 2,
    })
  })

  test('leaves the given JSON as it was', () => {
    const json = byteTokenizer()
    huggingFaceTokenizer(json).count('<|end|>')
    expect(json).toEqual(byteTokenizer())
  })

  test('takes a tokenizer.json without added tokens', () => {
    expect(huggingFaceTokenizer({ ...byteTokenizer(), added_tokens: undefined }).count('<pad>')).toBe(5)
  })

  test.each(['ab', ' ', '中'])('300,000 of %j take less than 10 s', (unit) => {
    const text = unit.repeat(300_000)
    expect(canBeDoneIn(10_000, () => counter.count(text))).toBe(true)
  })
})

/**
 * The smallest byte-level BPE: 256 bytes, one merge, one special token that begins every text, one added token that is
 * not special.
 */
function byteTokenizer(): object {
  const vocab: Record<string, number> = {}
  let spare = 256
  for (let byte = 0; byte < 256; byte++) {
    const shown = (byte >= 33 && byte <= 126) || (byte >= 161 && byte <= 172) || byte >= 174
    vocab[String.fromCharCode(shown ? byte : spare++)] = byte
  }
  vocab['aa'] = 256
  const added = { single_word: false, lstrip: false, rstrip: false, normalized: false }
  return {
    version: '1.0',
    added_tokens: [
      { ...added, id: 257, content: '<|end|>', special: true },
      { ...added, id: 258, content: '<pad>', special: false },
    ],
    normalizer: null,
    pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: true, use_regex: false },
    post_processor: {
      type: 'TemplateProcessing',
      single: [{ SpecialToken: { id: '<|end|>', type_id: 0 } }, { Sequence: { id: 'A', type_id: 0 } }],
      pair: [],
      special_tokens: { '<|end|>': { id: '<|end|>', ids: [257], tokens: ['<|end|>'] } },
    },
    decoder: { type: 'ByteLevel' },
    model: { type: 'BPE', vocab, merges: ['a a'], fuse_unk: false, byte_fallback: false },
  }
}
