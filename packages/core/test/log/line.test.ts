import fc from 'fast-check'
import { history, type Entry } from 'minutebook'
import { entriesOf } from 'minutebook/fold'
import { entryOf, traits } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { followBranch } from '../../src/log/log.ts'
import { numberOf } from '../../src/compiler/framing.ts'
import { atOnce } from '../../src/log/time.ts'
import { createFoldCache } from '../../src/past/fold-branch.ts'
import { assistant, note, user } from '@minutebook/testing'

/** A log of any shape: each entry follows some entry before it, or hangs off it. */
const logs: fc.Arbitrary<Entry[]> = fc
  .array(fc.record({ after: fc.nat(3), hangs: fc.boolean(), text: fc.nat(2) }), { maxLength: 30 })
  .map((lines) => {
    const entries: Entry[] = []
    for (const [seq, { after, hangs, text }] of lines.entries()) {
      const parent = entries.at(-1 - after)
      const entry = hangs && parent ? note(`note ${seq}`, parent) : entryOf(user(`${seq} ${text}`), parent)
      entries.push({ ...entry, seq })
    }
    return entries
  })

describe('a line', () => {
  test('is the history of its head as of any time, in whatever order it is asked for', () => {
    fc.assert(
      fc.property(logs, fc.array(fc.tuple(fc.nat(40), fc.nat(40)), { maxLength: 20 }), (log, asked) => {
        const line = followBranch(log)
        for (const [some, more] of asked) {
          const length = Math.min(log.length, some + more)
          const heads = log.slice(0, length).filter(({ kind }) => traits[kind].chained)
          const head = heads.at(-1 - (some % Math.max(1, heads.length)))?.id
          if (head !== undefined) expect(line(head, length)).toEqual(history(log.slice(0, length), { head }))
        }
      }),
    )
  })

  test('is the history of a log that grows', () => {
    fc.assert(
      fc.property(logs, (all) => {
        const log: Entry[] = []
        const line = followBranch(log)
        for (const entry of all) {
          log.push(entry)
          const head = log.findLast(({ kind }) => traits[kind].chained)?.id
          if (head !== undefined) expect(line(head)).toEqual(history(log, { head }))
        }
      }),
    )
  })

  test('is shorter as of an earlier time', () => {
    const one = entryOf(user('one'))
    const line = followBranch([one, note('late', one)])
    expect([line(one.id)?.length, line(one.id, 1)?.length, line(one.id)?.length]).toEqual([2, 1, 2])
  })

  test('stays as it was to whoever holds it', () => {
    const log = [entryOf(user('one'))]
    const line = followBranch(log)
    const before = line(log[0]!.id)
    log.push(entryOf(assistant('two'), log[0]))
    expect(line(log[1]!.id)).toHaveLength(2)
    expect(before).toHaveLength(1)
  })
})

describe('a follower', () => {
  const texts = (steps: ReturnType<ReturnType<typeof createFoldCache>>): string[] =>
    entriesOf(atOnce(steps)).map((entry) => `${numberOf(entry)} ${entry.text}`)
  const one = entryOf(user('one'))
  const two = entryOf(assistant('two'), one)
  const noted = note('noted', two)
  const three = entryOf(user('three'), two)

  test('numbers entries by their place on the branch, and what hangs off them alike', () => {
    expect(texts(createFoldCache({ window: 100 })([one, two, noted, three]))).toEqual([
      '0 one',
      '1 two',
      '1 noted',
      '2 three',
    ])
    const gone = { ...two, status: 'erased' as const }
    expect(texts(createFoldCache({ window: 100 })([one, gone, noted, three]))).toEqual(['0 one', '1 noted', '2 three'])
  })

  test('goes on where more was said, and starts over where something else happened', () => {
    const follow = createFoldCache({ window: 100 })
    const { columns } = atOnce(follow([one, two]))
    expect(atOnce(follow([one, two, noted, three])).columns).toBe(columns)
    expect(texts(follow([one, { ...two, status: 'erased' }, noted, three]))).toEqual(['0 one', '1 noted', '2 three'])
    const revocation = entryOf({ role: 'system', content: noted.id }, two, { kind: 'revocation' })
    expect(texts(follow([one, two, noted]))).toHaveLength(3)
    expect(texts(follow([one, two, noted, revocation]))).toEqual(['0 one', '1 two'])
    expect(texts(follow([one, two, noted, revocation, three]))).toEqual(['0 one', '1 two', '2 three'])
    expect(texts(follow([one, two, noted, revocation, three, entryOf(assistant('four'), three)]))).toEqual([
      '0 one',
      '1 two',
      '2 three',
      '3 four',
    ])
    expect(texts(follow([one]))).toEqual(['0 one'])
  })
})

describe('the line of the end of a log', () => {
  test('is what follows its root in the history of the whole', () => {
    fc.assert(
      fc.property(logs, fc.nat(30), fc.nat(30), (log, some, more) => {
        const chain = history(log).filter(({ kind }) => traits[kind].chained)
        const root = chain[some % Math.max(1, chain.length)]
        const head = root && chain.slice(chain.indexOf(root))[more % (chain.length - chain.indexOf(root))]
        if (!root || !head) return
        const end = log.slice(log.indexOf(root) + 1)
        const branch = history(log, { head: head.id })
        expect(followBranch(end, root.id)(head.id)).toEqual(branch.slice(branch.indexOf(root) + 1))
      }),
    )
  })

  test('says so where it would have to know what was before', () => {
    const [one, two] = [entryOf(user('one')), entryOf(user('two'))]
    const three = entryOf(user('three'), one)
    expect(followBranch([three], two.id)(three.id)).toBeUndefined()
    expect(followBranch([three], one.id)('nobody')).toBeUndefined()
  })
})
