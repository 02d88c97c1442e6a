import { history, type Entry, type Store } from 'minutebook'
import type { Range } from 'minutebook/store'
import { assistant, user } from '../builders.ts'
import {
  casesOf,
  chain,
  eachOf,
  equal,
  hang,
  idsOf,
  rejects,
  talk,
  texts,
  thread,
  write,
  type StoreCase,
} from './harness.ts'
import { rangeText } from './order-cases.ts'

/**
 * One trunk and two branches, with what hangs off them, some of it written late:
 *
 *     trunk (0) ─ answer (1, note 2) ─ left (3, receipt 4) ─ left answer (7)
 *                                    └ right (5) ─ right answer (6, journal 8)
 *     late note on answer (9), pending on trunk (10), settings before all (11)
 */
const [trunk, answer] = chain([user('trunk'), assistant('answer')]) as [Entry, Entry]
const [left, leftAnswer] = chain([user('left'), assistant('left answer')], answer) as [Entry, Entry]
const [right, rightAnswer] = chain([user('right'), assistant('right answer')], answer) as [Entry, Entry]
const tree: readonly Entry[] = [
  trunk,
  answer,
  hang('note', 'note', answer),
  left,
  hang('receipt', 'receipt', left),
  right,
  rightAnswer,
  leftAnswer,
  hang('journal', 'journal', rightAnswer),
  hang('note', 'late note', answer),
  hang('pending', 'pending', trunk),
  hang('settings', 'settings'),
]
const leftBranch = ['settings', 'trunk', 'pending', 'answer', 'note', 'late note', 'left', 'receipt', 'left answer']
const rightBranch = ['settings', 'trunk', 'pending', 'answer', 'note', 'late note', 'right', 'right answer', 'journal']

export const branchCases: readonly StoreCase[] = [
  ...casesOf('branch', {
    'a read without a head gives all branches in order of seq': async ({ store }) => {
      await write(store, thread, tree)
      equal(idsOf(await store.read(thread)), idsOf(tree), 'the log')
    },
    'a read of one branch gives its entries, each with what hangs off it': async ({ store }) => {
      await write(store, thread, tree)
      equal(await texts(store, thread, { head: leftAnswer.id }), leftBranch, 'the branch')
    },
    'a read of the other branch gives the other entries': async ({ store }) => {
      await write(store, thread, tree)
      equal(await texts(store, thread, { head: rightAnswer.id }), rightBranch, 'the branch')
    },
    'a head in the middle ends the branch there': async ({ store }) => {
      await write(store, thread, tree)
      equal(
        await texts(store, thread, { head: answer.id }),
        ['settings', 'trunk', 'pending', 'answer', 'note', 'late note'],
        'the branch',
      )
    },
    'a hanging entry as head means the entry it hangs off': async ({ store }) => {
      await write(store, thread, tree)
      equal(await texts(store, thread, { head: tree[4]!.id }), leftBranch.slice(0, -1), 'the branch')
    },
    'a head that hangs off nothing means what hangs off nothing': async ({ store }) => {
      await write(store, thread, tree)
      equal(await texts(store, thread, { head: tree[11]!.id }), ['settings'], 'the branch')
    },
    'an unknown head is an error': async ({ store }) => {
      await write(store, thread, tree)
      await rejects(store.read(thread, { head: 'unknown' }), 'unknown_entry', 'the read')
    },
    'a head of another thread is an error': async ({ store }) => {
      await write(store, 'another', tree)
      await write(store, thread, talk(1))
      await rejects(store.read(thread, { head: left.id }), 'unknown_entry', 'the read')
    },
    'a head in a thread that is not there is an error': async ({ store }) => {
      await rejects(store.read(thread, { head: left.id }), 'unknown_entry', 'the read')
    },
    'an edit makes a branch, and both remain readable': async ({ store }) => {
      const entries = talk(4)
      const edited = chain([user('edited'), assistant('answer to the edit')], entries[1])
      await write(store, thread, entries)
      equal((await write(store, thread, edited)).standing.head, edited[1]!.id, 'the head')
      equal(
        await texts(store, thread, { head: entries[3]!.id }),
        ['message 0', 'message 1', 'message 2', 'message 3'],
        'the old branch',
      )
      equal(
        await texts(store, thread, { head: edited[1]!.id }),
        ['message 0', 'message 1', 'edited', 'answer to the edit'],
        'the new branch',
      )
    },
    'a thread with two first entries has two branches': async ({ store }) => {
      const [one, other] = [talk(3), talk(3, undefined, 'other')]
      await write(store, thread, [...one, ...other])
      equal(idsOf(await store.read(thread, { head: one[2]!.id })), idsOf(one), 'the one')
      equal(idsOf(await store.read(thread, { head: other[2]!.id })), idsOf(other), 'the other')
    },
    'the tail of an old branch is found behind a long new one': async ({ store }) => {
      const old = talk(20)
      await write(store, thread, old)
      await write(store, thread, talk(200, old[1], 'new'))
      equal(
        await texts(store, thread, { head: old[19]!.id, last: 3 }),
        ['message 17', 'message 18', 'message 19'],
        'the tail',
      )
    },
    'branches of branches are told apart': async ({ store }) => {
      const base = talk(2)
      const leaves = ['a', 'b', 'c', 'd'].map((word) => talk(3, base[1], word))
      const twigs = leaves.map((leaf, index) => talk(2, leaf[0], `twig ${index}`))
      await write(store, thread, [...base, ...leaves.flat(), ...twigs.flat()])
      for (const [index, twig] of twigs.entries()) {
        const expected = [...base, leaves[index]![0]!, ...twig]
        equal(idsOf(await store.read(thread, { head: twig[1]!.id })), idsOf(expected), `twig ${index}`)
      }
    },
    'every entry as head gives what history gives': async ({ store }) => {
      await write(store, thread, tree)
      const log = await store.read(thread)
      for (const { id, text } of log)
        equal(await store.read(thread, { head: id }), history(log, { head: id }), `the branch of "${text}"`)
    },
    'a long branch is read whole': async ({ store }) => {
      const entries = talk(1500)
      await write(store, thread, entries)
      equal(idsOf(await store.read(thread, { head: entries[1499]!.id })), idsOf(entries), 'the branch')
    },
  }),
  ...eachOf(
    'branch range',
    (
      [
        { last: 1 },
        { last: 2 },
        { last: 4 },
        { last: 9 },
        { last: 50 },
        { last: 0 },
        { last: Infinity },
        { from: 3 },
        { from: 9 },
        { from: 10 },
        { from: 12 },
        { to: 7 },
        { to: 3 },
        { from: 2, to: 8 },
        { from: 1, last: 3 },
        { to: 8, last: 2 },
        { to: 3, last: 1 },
        { from: 2, to: 11, last: 4 },
        { from: 9, last: 1 },
      ] satisfies Omit<Range, 'head'>[]
    ).flatMap((range) => [
      { side: 'left', head: leftAnswer.id, range },
      { side: 'right', head: rightAnswer.id, range },
    ]),
    ({ side, range }) => `on the ${side} branch, ${rangeText(range)}`,
    async ({ head, range }, { store }) => {
      await write(store, thread, tree)
      equal(await texts(store, thread, { head, ...range }), await expectedTexts(store, head, range), 'the entries')
    },
  ),
]

/** By the words of the contract: the history, of it the seqs in range, of these the last. */
async function expectedTexts(
  store: Store,
  head: string,
  { from = 0, to = Infinity, last = Infinity }: Range,
): Promise<string[]> {
  const inRange = history(await store.read(thread), { head }).filter(({ seq }) => seq >= from && seq < to)
  return inRange.slice(Math.max(0, inRange.length - last)).map(({ text }) => text)
}
