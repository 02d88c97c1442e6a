import { describe, expect, test } from 'vitest'
import { stems } from '../../src/compiler/stem-index.ts'
import { canBeDoneIn } from '../../../../tests/support/stopwatch.ts'

describe('stems', () => {
  test.each<[string, string, string[]]>([
    ['words in order, repeats included', 'red lamp red', ['red', 'lamp', 'red']],
    ['lower case', 'Red LAMP', ['red', 'lamp']],
    ['five letters at most', 'lighthouse', ['light']],
    ['no words that say nothing', 'what is the name of it', ['nam']],
    ['no punctuation', '«Red», lamp-post! (on)', ['red', 'lamp', 'post']],
    ['identifiers stay whole', 'GA4 2024 abc123def456', ['ga4', '2024', 'abc123def456']],
    ['identifiers of many parts', 'set_lamp fooBar x.y', ['set', 'lamp', 'fooba', 'x', 'y']],
    ['the first 24 characters of a long one', '0123456789abcdef0123456789abcdef', ['0123456789abcdef01234567']],
    ['no accents', 'málaga öl Ångström', ['malag', 'ol', 'angst']],
    ['full-width letters', 'ＡＢＣ１', ['abc1']],
    ['Greek and Cyrillic', 'Αθήνα москва', ['αθηνα', 'москв']],
    ['pairs of ideographs', '港口的灯', ['港口', '口的', '的灯']],
    ['one ideograph', '灯', ['灯']],
    ['kana and Hangul', 'ひかり 등대지기', ['ひか', 'かり', '등대', '대지', '지기']],
    ['scripts side by side', 'v2の灯', ['v2', 'の灯']],
    ['ideographs beyond the first plane', '𠀋𠀌𠀍', ['𠀋𠀌', '𠀌𠀍']],
    ['half a surrogate pair', 'a1\ud83db2', ['a1', 'b2']],
    ['nothing', '', []],
    ['blanks', ' \n ', []],
    ['__proto__', '__proto__', ['proto']],
  ])('%s', (_, text, expected) => {
    expect(stems(text)).toEqual(expected)
  })

  test.each([
    ['lamp', 'lamps'],
    ['city', 'cities'],
    ['name', 'names'],
    ['call', 'calling'],
    ['call', 'called'],
    ['stop', 'stopped'],
    ['run', 'running'],
    ['quick', 'quickly'],
    ['decide', 'decided'],
    ['deploy', 'deployment'],
    ['cafe', 'café'],
    ['café', 'cafe\u0301'],
  ])('%s and %s are one', (one, other) => {
    expect(stems(other)).toEqual(stems(one))
  })

  test.each([
    ['red', 'reed'],
    ['bus', 'bu'],
    ['v1', 'v2'],
    ['sing', 's'],
  ])('%s and %s are two', (one, other) => {
    expect(stems(other)).not.toEqual(stems(one))
  })

  test.each([
    ['letters', 'x'.repeat(10_000_000)],
    ['words', 'storm '.repeat(1_700_000)],
    ['ideographs', '灯'.repeat(10_000_000)],
    ['one ligature that unfolds into eighteen characters', '\ufdfa'.repeat(10_000_000)],
    ['marks on one letter', `a${'\u0301'.repeat(9_999_999)}`],
  ])('10 MB of %s take no time', (_, text) => {
    expect(canBeDoneIn(500, () => expect(stems(text).length).toBeLessThanOrEqual(65_536))).toBe(true)
  })
})
