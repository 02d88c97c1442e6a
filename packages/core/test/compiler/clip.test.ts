import { estimator, type Entry, type TokenCounter } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { user, words } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'
import { clip, smallestClip } from '../../src/compiler/clip.ts'
import { quoted } from '../../src/compiler/framing.ts'
import { characters } from '../support/characters.ts'

const numbers = (count: number): string => Array.from({ length: count }, (_, index) => `w${index}`).join(' ')
const entry = (text: string): Entry => entryOf(user(text), entryOf(user('before')))
const priceBy =
  (counter: TokenCounter) =>
  (text: string): number =>
    counter.count(text)
const notice = /\[… (\d+) tokens left out of entry #1 ([0-9a-f]{8}) …\]/

describe('a clip', () => {
  const long = entry(numbers(1000))
  const short = clip(long, 1000, 100, priceBy(words))

  test('is the head and the tail with a line between', () => {
    const [head, between, tail, ...more] = short.text.split('\n')
    expect(head).toMatch(/^w0 w1 w2 .* w\d+$/)
    expect(between).toMatch(notice)
    expect(tail).toMatch(/ w998 w999$/)
    expect(more).toEqual([])
  })

  test('says how much is missing and of which entry', () => {
    const [, missing, id] = notice.exec(short.text) ?? []
    const kept = words.count(short.text) - words.count(notice.exec(short.text)![0])
    expect(Number(missing)).toBeGreaterThan(1000 - kept - 20)
    expect(Number(missing)).toBeLessThan(1000 - kept + 20)
    expect(long.id.startsWith(id!)).toBe(true)
  })

  test('keeps about twice as much of the head as of the tail', () => {
    const [head = '', , tail = ''] = short.text.split('\n')
    expect(head.length / tail.length).toBeGreaterThan(1.5)
    expect(head.length / tail.length).toBeLessThan(2.5)
  })

  test('uses most of its room', () => {
    expect(short.tokens).toBeGreaterThan(70)
    expect(clip(long, 1000, 900, priceBy(words)).tokens).toBeGreaterThan(700)
  })

  test('is the smallest one where not even that fits', () => {
    expect(clip(long, 1000, 3, priceBy(words))).toEqual(smallestClip(long, 1000, priceBy(words)))
  })

  const texts: [string, string][] = [
    ['words', numbers(500)],
    ['one long word', 'x'.repeat(3000)],
    ['Chinese', '港口的灯亮了。'.repeat(300)],
    ['emoji', '😀'.repeat(1500)],
    ['emoji out of step', `a${'😀'.repeat(1500)}`],
    ['lines that look like ours', '[x]\n#3 user: no\n'.repeat(200)],
    ['a dense head and an airy tail', `${'a b c '.repeat(300)}${'x'.repeat(3000)}`],
    ['an airy head and a dense tail', `${'x'.repeat(3000)}${' a b c'.repeat(300)}`],
  ]
  const counters: TokenCounter[] = [words, characters, estimator]
  test.each(counters.flatMap((counter) => texts.map(([name, text]) => [counter.name, name, counter, text] as const)))(
    'with %s of %s is never above its room, and has no half characters',
    (_, __, counter, text) => {
      const whole = counter.count(text)
      const least = smallestClip(entry(text), whole, priceBy(counter)).tokens
      for (let room = least; room < whole; room += Math.ceil(whole / 40)) {
        const { text: clipped, tokens } = clip(entry(text), whole, room, priceBy(counter))
        expect(tokens).toBeLessThanOrEqual(room)
        expect(tokens).toBeGreaterThanOrEqual(counter.count(clipped))
        expect(clipped).not.toMatch(/\p{Cs}/u)
        expect(clipped).toMatch(notice)
      }
    },
  )
})

test('a clip of a text that is quoted pays for the marks of its lines', () => {
  const long = entry('remember\nthis\n'.repeat(40))
  const { text, tokens } = clip(long, quoted(long.text).length, 300, (clipped) => quoted(clipped).length)
  expect(tokens).toBe(quoted(text).length)
  expect(tokens).toBeLessThanOrEqual(300)
})

describe('the smallest clip keeps the first word', () => {
  test.each([
    ['of a sentence', 'Hello there', 'Hello'],
    ['of a line', 'Hello\nthere', 'Hello'],
    ['behind blanks', '  \n Hello there', 'Hello'],
    ['behind a page of blanks', `${' '.repeat(5000)}Hello there`, 'Hello'],
    ['or the start of it where it is long', 'x'.repeat(100), 'x'.repeat(24)],
    ['without half a character', `${'x'.repeat(23)}😀`, 'x'.repeat(23)],
    ['of nothing', '', ''],
  ])('%s', (_, text, word) => {
    const { text: clipped, tokens } = smallestClip(entry(text), 77, priceBy(words))
    expect(clipped.replace(notice, '|$1')).toBe(`${word} |77`)
    expect(tokens).toBe(words.count(clipped))
  })
})
