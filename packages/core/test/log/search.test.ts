import { describe, expect, test } from 'vitest'
import { entryOf, searchPhrases, searchText, searchWords } from 'minutebook/store'
import { assistant, system, user } from '@minutebook/testing'
import { canBeDoneIn } from '../../../../tests/support/stopwatch.ts'

describe('the words of a text', () => {
  test.each<[string, string, string[]]>([
    ['nothing', '', []],
    ['punctuation alone', ' … — !?', []],
    ['case', 'The LAMP', ['the', 'lamp']],
    ['accents, composed or not', 'Crème bru\u0302lée Ωμέγα', ['creme', 'brulee', 'ωμεγα']],
    ['letters in other forms', 'ﬁne ＦＵＬＬ ①', ['fine', 'full', '1']],
    ['digits and signs', "don't pay $3.14 to user_id", ['don', 't', 'pay', '3', '14', 'to', 'user', 'id']],
    ['scripts without spaces', '今天 lamp สวัส', ['今', '天', 'lamp', 'ส', 'ว', 'ั', 'ส']],
    ['scripts with marks', 'नमस्ते', ['नमस्ते']],
    ['a very long word', 'x'.repeat(100), ['x'.repeat(64), 'x'.repeat(36)]],
    ['a very long word that is not ASCII', 'я'.repeat(100), ['я'.repeat(64), 'я'.repeat(36)]],
    ['lone surrogates and emoji', 'a \ud800 b 😀', ['a', 'b']],
  ])('%s', (_, text, words) => {
    expect(searchWords(text)).toEqual(words)
  })

  test('of two million characters that begin and never end are found in no time', () => {
    for (const unit of ['a', 'é', 'e\u0301', '天', ' ', '\u0301', '\ud83d']) {
      const text = unit.repeat(2_000_000 / unit.length)
      expect(canBeDoneIn(2000, () => searchWords(text))).toBe(true)
    }
  })
})

test('a query asks for each of its words, and for the parts of a word side by side', () => {
  expect(searchPhrases(' Red  foo-bar *** 天气 ')).toEqual([['red'], ['foo', 'bar'], ['天', '气']])
  expect(searchPhrases('"')).toEqual([])
})

test('what can be searched is what people see', () => {
  expect(searchText(entryOf(user('shown')))).toBe('shown')
  expect(searchText(entryOf(system('hidden')))).toBe('')
  expect(searchText(entryOf(user('hidden'), undefined, { kind: 'pending' }))).toBe('')
  expect(searchText(entryOf(user('gone'), undefined, { status: 'erased' }))).toBe('')
  expect(searchText(entryOf(assistant('shown [NOTE TO SELF: hidden]')))).not.toContain('hidden')
})
