import { describe, expect, test } from 'vitest'
import { history, type Entry } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { assistant, call, result, user } from '@minutebook/testing'
import { refusal } from '../../../../tests/support/refusal.ts'

const hello = entryOf(user('hello'))
const hi = entryOf(assistant('hi'), hello)
const note = entryOf(assistant('shy'), hi, { kind: 'note' })
const journal = entryOf(assistant('no tools'), note, { kind: 'journal' })
const first = entryOf(user('first'), journal)
const edited = entryOf(user('edited'), hi)
const reply = entryOf(assistant('reply'), edited)
const aside = entryOf(assistant('aside'), reply, { kind: 'note' })
const log = [hello, hi, note, journal, first, edited, reply, aside]

const said = (entries: readonly Entry[]): string => entries.map(({ text }) => text).join(' ')

describe('a history', () => {
  test.each<[string, readonly Entry[], { head?: string; after?: string }, string]>([
    ['of an empty log', [], {}, ''],
    ['goes to the newest entry', log, {}, 'hello hi shy no tools edited reply aside'],
    ['goes to a head on another branch', log, { head: first.id }, 'hello hi shy no tools first'],
    ['goes to a head in the middle, with what hangs off it', log, { head: hi.id }, 'hello hi shy no tools'],
    ['ends at the root', log, { head: hello.id }, 'hello'],
    ['takes a note as head for the entry it hangs off', log, { head: note.id }, 'hello hi shy no tools'],
    [
      'does not take a newest entry that is a note for the head',
      [hello, hi, edited, entryOf(assistant('late'), hi, { kind: 'note' })],
      {},
      'hello hi late edited',
    ],
    ['of what follows an entry has what hangs off it', log, { after: hi.id }, 'shy no tools edited reply aside'],
    [
      'of what follows an entry needs no more of the log',
      log.slice(2),
      { head: first.id, after: hi.id },
      'shy no tools first',
    ],
    ['reads a log in any order', [...log].reverse(), { head: reply.id }, 'hello hi no tools shy edited reply aside'],
  ])('%s', (_, entries, options, expected) => {
    expect(said(history(entries, options))).toBe(expected)
  })

  test('keeps a note that was written before anything was said', () => {
    const early = entryOf(assistant('early'), undefined, { kind: 'note' })
    expect(said(history([early, entryOf(user('hello'), early)]))).toBe('early hello')
  })

  test('of one branch knows nothing of the notes of another', () => {
    expect(said(history(log, { head: first.id }))).not.toContain('aside')
  })

  test('gives back the entries themselves', () => {
    expect(history(log, { head: hello.id })[0]).toBe(hello)
  })

  test.each([
    ['an unknown head', log, { head: 'nobody' }, 'nobody'],
    ['a log with a gap', [hello, first], {}, hi.id],
    ['what follows an entry of another branch', [edited, reply], { after: first.id }, hi.id],
  ])('refuses %s and names what is missing', (_, entries, options, missing) => {
    const error = refusal(() => history(entries, options))
    expect(error.code).toBe('unknown_entry')
    expect(error.message).toContain(missing)
    expect(error.message).toContain('Pass the id of one of its entries')
  })

  test('a tool loop is one line of entries', () => {
    const asked = entryOf(assistant(null, call('1', 'now')), hello)
    const told = entryOf(result('1', 'noon'), asked)
    expect(said(history([hello, asked, told]))).toBe('hello  noon')
  })
})
