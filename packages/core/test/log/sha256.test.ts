import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sha256 as chosen } from '#sha256'
import { sha256 as ours } from '../../src/log/sha256.ts'
import { sha256 as ofNode } from '../../src/log/sha256-node.ts'

const nodes = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex')

test('Node takes its own', () => expect(chosen).toBe(ofNode))

describe.each([
  ['ours', ours],
  ["Node's", ofNode],
])('sha256: %s', (_, sha256) => {
  test.each([
    ['nothing', '', 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
    ['abc', 'abc', 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'],
    [
      '448 bits',
      'abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq',
      '248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1',
    ],
    [
      '896 bits',
      'abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmnhijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu',
      'cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1',
    ],
    ['a million times a', 'a'.repeat(1_000_000), 'cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0'],
  ])("the standard's example: %s", (_, text, digest) => {
    expect(sha256(text)).toBe(digest)
  })

  test.each([55, 56, 57, 63, 64, 65, 119, 120, 128])('%i bytes, at the edge of a block', (length) => {
    expect(sha256('a'.repeat(length))).toBe(nodes('a'.repeat(length)))
  })

  test.each([
    ['one byte', '\u007f'],
    ['two bytes', '\u0080\u07ff'],
    ['three bytes', '\u0800\uffff'],
    ['four bytes', '\u{10000}\u{10ffff}'],
    ['a pair cut in half', 'a\ud83d'],
    ['the halves in the wrong order', '\ude00\ud83d'],
    ['a lone half before a pair', '\ud83d\ud83d\ude00'],
  ])('characters of %s', (_, text) => {
    expect(sha256(text)).toBe(nodes(text))
  })

  test("agrees with a stream of Node's on any text", () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.oneof(
            fc.constantFrom('a', 'é', '中', '😀', '\ud83d', '\ude00'),
            fc.string({ unit: 'binary', maxLength: 1 }),
          ),
          maxLength: 300,
        }),
        (text) => {
          expect(sha256(text)).toBe(nodes(text))
        },
      ),
    )
  })
})
