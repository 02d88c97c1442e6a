import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { history, type Entry } from 'minutebook'
import { branchesOf, entryOf, traits } from 'minutebook/store'
import { assistant, call, result, system, user } from '@minutebook/testing'
import { branchOf } from '../support/lines.ts'

/** The log of these entries: each is as new as its place. */
function logOf(...entries: readonly Entry[]): Entry[] {
  return entries.map((entry, seq) => ({ ...entry, seq }))
}

describe('the branches of a log', () => {
  const [asked, answer] = branchOf([user('Shade?'), assistant('Hostas.')]) as [Entry, Entry]
  const other = entryOf(assistant('Ferns.'), asked, { time: '2026-01-01' })
  const edited = entryOf(user('Sun?'))

  test('of none are none', () => {
    expect(branchesOf([])).toEqual([])
  })

  test('of one line begin with its first words', () => {
    expect(branchesOf(logOf(asked, answer))).toEqual([{ head: answer.id, from: null, text: 'Shade?' }])
  })

  test('say where they leave the newest one, when they ended and what only they have', () => {
    expect(branchesOf(logOf(asked, answer, other))).toEqual([
      { head: other.id, from: null, time: '2026-01-01', text: 'Ferns.' },
      { head: answer.id, from: asked.id, text: 'Hostas.' },
    ])
    expect(branchesOf(logOf(asked, answer, edited))).toEqual([
      { head: edited.id, from: null, text: 'Sun?' },
      { head: answer.id, from: null, text: 'Shade?' },
    ])
  })

  test('begin with the one that was answered again in the same words', () => {
    const again = entryOf(system('{"upto":null}'), asked, { kind: 'retry' })
    const receipt = { ...entryOf(system('{}'), answer, { kind: 'receipt' }), parent: answer.id }
    expect(branchesOf(logOf(asked, answer, other, again)).map(({ from }) => from)).toEqual([asked.id, asked.id])
    expect(branchesOf(logOf(asked, answer, other, receipt)).map(({ head }) => head)).toEqual([answer.id, other.id])
  })

  test('have words that people may see, on one line of at most 80 characters', () => {
    const [called, found, said] = branchOf([assistant('', call('l', 'look')), result('l', 'canary'), assistant('Yes.')])
    expect(branchesOf(logOf(called!, found!, said!))[0]?.text).toBe('Yes.')
    expect(branchesOf([entryOf(user(`a\n\n b${'c'.repeat(200)}`))])[0]?.text).toBe(`a b${'c'.repeat(76)}…`)
    expect(branchesOf([entryOf(user(' '))])[0]?.text).toBe('')
  })

  test('whatever the log: each ends a line, leaves the newest one where it says, and has its own words', () => {
    const grown = fc.array(fc.tuple(fc.nat(), fc.boolean()), { maxLength: 24 }).map((steps) =>
      steps.reduce<Entry[]>((log, [place, isUser], seq) => {
        const after = log.length === 0 || place % 5 === 0 ? undefined : log[place % log.length]
        return [...log, { ...entryOf(isUser ? user(`u${seq}`) : assistant(`a${seq}`), after), seq }]
      }, []),
    )
    fc.assert(
      fc.property(grown, (log) => {
        const branches = branchesOf(log)
        const parents = new Set(log.map(({ parent }) => parent))
        const ends = log.filter(({ id }) => !parents.has(id))
        expect(branches.map(({ head }) => head)).toEqual(ends.map(({ id }) => id).toReversed())
        const idsTo = (head: string): string[] =>
          history(log, { head }).flatMap(({ id, kind }) => (traits[kind].chained ? [id] : []))
        const newest = branches[0] && idsTo(branches[0].head)
        for (const { head, from } of branches.slice(1))
          expect(from).toBe(idsTo(head).findLast((id) => newest!.includes(id)) ?? null)
        expect(new Set(branches.map(({ text }) => text)).size).toBe(branches.length)
        for (const { head, text } of branches) {
          const holders = branches.filter((branch) => history(log, { head: branch.head }).some((e) => e.text === text))
          expect(holders.map((branch) => branch.head)).toEqual([head])
        }
      }),
    )
  })
})
