import { memoryStore, type Store } from 'minutebook'
import { entryOf, type AppendResult, type NewEntry, type StoredEntry } from 'minutebook/store'
import { checkConsistency, runWriters, user, type Operation } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'

type Names = 'present once' | 'gapless' | 'real-time order' | 'prefix reads' | 'all or nothing'
const checks: readonly Names[] = ['present once', 'gapless', 'real-time order', 'prefix reads', 'all or nothing']

/** The names of the checks that complain. */
const complaining = (operations: readonly Operation[]): string[] =>
  checks.filter((name) => checkConsistency(operations).some((finding) => finding.startsWith(`${name}: `)))

const append = (begin: number, end: number, ids: string[], seqs: number[]): Operation => ({
  kind: 'append',
  begin,
  end,
  ids,
  seqs,
  outcome: 'written',
})
const refused = (begin: number, end: number, ids: string[]): Operation => ({
  kind: 'append',
  begin,
  end,
  ids,
  seqs: [],
  outcome: 'refused',
})
const unknown = (begin: number, ids: string[]): Operation => ({
  kind: 'append',
  begin,
  ids,
  seqs: [],
  outcome: 'unknown',
})
const read = (begin: number, ...ids: string[]): Operation => ({
  kind: 'read',
  begin,
  end: begin + 1,
  entries: ids.map((id, seq) => ({ id, seq })),
})
const numbered = (begin: number, ...entries: [id: string, seq: number][]): Operation => ({
  kind: 'read',
  begin,
  end: begin + 1,
  entries: entries.map(([id, seq]) => ({ id, seq })),
})

describe('the five checks on histories written by hand', () => {
  test.each<[string, Operation[], Names[]]>([
    ['nothing but a read', [read(1)], []],
    ['appends one after the other', [append(1, 2, ['a'], [0]), append(3, 4, ['b'], [1]), read(9, 'a', 'b')], []],
    [
      'appends at the same time, in either order',
      [append(1, 4, ['a'], [1]), append(2, 3, ['b'], [0]), read(9, 'b', 'a')],
      [],
    ],
    ['a read that is overtaken by an append', [append(1, 5, ['a'], [0]), read(2), read(9, 'a')], []],
    ['a read that sees an append before its answer', [append(1, 5, ['a'], [0]), read(2, 'a'), read(9, 'a')], []],
    ['an unknown append that is there', [unknown(1, ['a', 'b']), read(9, 'a', 'b')], []],
    ['an unknown append that is not there', [unknown(1, ['a', 'b']), read(9)], []],
    ['a refused append that is not there', [refused(1, 2, ['a']), read(9)], []],
    [
      'a retry that finds its first attempt',
      [unknown(1, ['a']), append(2, 3, ['b'], [1]), append(4, 5, ['a'], [0]), read(9, 'a', 'b')],
      [],
    ],
    ['a retry after a refusal', [refused(1, 2, ['a']), append(3, 4, ['a'], [0]), read(9, 'a')], []],
    [
      'a lost entry',
      [append(1, 2, ['a'], [0]), append(1, 2, ['b'], [1]), read(9, 'a')],
      ['present once', 'prefix reads'],
    ],
    ['a doubled entry', [append(1, 2, ['a'], [0]), read(9, 'a', 'a')], ['present once']],
    [
      'an entry elsewhere than was answered',
      [append(1, 4, ['a'], [0]), append(2, 3, ['b'], [1]), read(9, 'b', 'a')],
      ['present once'],
    ],
    ['a gap', [append(1, 2, ['a'], [0]), append(1, 2, ['b'], [2]), numbered(9, ['a', 0], ['b', 2])], ['gapless']],
    ['a log that begins with 1', [append(1, 2, ['a'], [1]), numbered(9, ['a', 1])], ['gapless']],
    [
      'a seq that two entries have',
      [append(1, 4, ['a'], [0]), append(2, 3, ['b'], [0]), numbered(9, ['a', 0], ['b', 0])],
      ['gapless'],
    ],
    [
      'a later append that stands earlier',
      [append(1, 2, ['a'], [1]), append(3, 4, ['b'], [0]), read(9, 'b', 'a')],
      ['real-time order'],
    ],
    ['a read that lacks what was acknowledged', [append(1, 2, ['a'], [0]), read(3), read(9, 'a')], ['prefix reads']],
    [
      'a read with a hole',
      [append(1, 8, ['a'], [0]), append(1, 8, ['b'], [1]), numbered(3, ['b', 1]), read(9, 'a', 'b')],
      ['prefix reads'],
    ],
    ['a read of something that is gone', [unknown(1, ['a']), read(2, 'a'), read(9)], ['prefix reads']],
    ['half an unknown append', [unknown(1, ['a', 'b']), read(9, 'a')], ['all or nothing']],
    ['a refused append that is there', [refused(1, 2, ['a']), read(9, 'a')], ['all or nothing']],
  ])('%s', (_, operations, expected) => {
    expect(complaining(operations)).toEqual(expected)
  })

  test('a history without a last read cannot be judged', () => {
    expect(checkConsistency([append(1, 2, ['a'], [0])])).toHaveLength(1)
    expect(checkConsistency([read(1), append(2, 3, ['a'], [0])])).toHaveLength(1)
    expect(checkConsistency([])).toHaveLength(1)
  })
})

/** Some turns of the event loop, as a network has them. */
const pause = async (ticks: number): Promise<void> => {
  for (let tick = 0; tick < ticks; tick++) await Promise.resolve()
}

/** A store on one list, with a fault in how it appends or reads. */
function faulty(
  appendTo: (log: StoredEntry[], entries: readonly NewEntry[]) => Promise<StoredEntry[]>,
  readFrom: (log: StoredEntry[]) => StoredEntry[] = (log) => [...log],
): Store {
  const log: StoredEntry[] = []
  const standing = { head: null, length: 0, term: 0, erasures: 0 }
  return {
    ...memoryStore(),
    append: async (_, entries): Promise<AppendResult> => ({
      ok: true,
      entries: await appendTo(log, entries),
      standing,
    }),
    read: async () => readFrom(log),
  }
}

const at = (entry: NewEntry, seq: number): StoredEntry => ({ ...entry, seq, checksum: '' })
let sequence = 0

describe('stores with a bug', () => {
  test.each<[string, () => Store, Names]>([
    [
      'a global sequence whose numbers become visible late',
      () => {
        sequence = 0
        return faulty(async (log, entries) => {
          const written = entries.map((entry) => at(entry, sequence++))
          await pause(written[0]!.seq % 3 === 0 ? 9 : 1)
          log.push(...written)
          log.sort((one, other) => one.seq - other.seq)
          return written
        })
      },
      'prefix reads',
    ],
    [
      'the last writer wins',
      () =>
        faulty(async (log, entries) => {
          const before = [...log]
          await pause(2)
          const written = entries.map((entry, index) => at(entry, before.length + index))
          log.splice(0, log.length, ...before, ...written)
          return written
        }),
      'present once',
    ],
    [
      'numbers are lost with a failed attempt',
      () => {
        sequence = 0
        return faulty(async (log, entries) => {
          if (log.length % 7 === 3) sequence++
          const written = entries.map((entry) => at(entry, sequence++))
          log.push(...written)
          return written
        })
      },
      'gapless',
    ],
    [
      'a retry is written again',
      () =>
        faulty(async (log, entries) => {
          const written = entries.map((entry, index) => at(entry, log.length + index))
          log.push(...written)
          return written
        }),
      'present once',
    ],
    [
      'the newest is put before the rest',
      () =>
        faulty(async (log, entries) => {
          const written = entries.map((entry) => at(entry, 0))
          log.splice(0, log.length, ...[...written, ...log].map((entry, seq) => at(entry, seq)))
          return log.filter(({ id }) => entries.some((entry) => entry.id === id))
        }),
      'present once',
    ],
    [
      'blocks of numbers are handed out in advance',
      () => {
        const blocks = new Map<string, number>()
        return faulty(async (log, entries) => {
          const writer = entries[0]!.text.split('.')[0]!
          if (!blocks.has(writer)) blocks.set(writer, blocks.size * 10)
          const written = entries.map((entry) => {
            const seq = blocks.get(writer)!
            blocks.set(writer, seq + 1)
            return at(entry, seq)
          })
          log.push(...written)
          log.sort((one, other) => one.seq - other.seq)
          return written
        })
      },
      'real-time order',
    ],
    [
      'reads come from a copy that lags',
      () =>
        faulty(
          async (log, entries) => {
            const written = entries.map((entry, index) => at(entry, log.length + index))
            log.push(...written)
            return written
          },
          (log) => (log.length < 80 ? log.slice(0, -3) : [...log]),
        ),
      'prefix reads',
    ],
  ])('%s', async (_, create, check) => {
    const findings = complaining(await runWriters(create(), 't', { writers: 8, appends: 10, retryEvery: 5 }))
    expect(findings).toContain(check)
  })

  test('half of an append is written before it fails', async () => {
    const store = faulty(async (log, entries) => {
      log.push(at(entries[0]!, log.length))
      throw new Error('no answer')
    })
    const first = entryOf(user('first'))
    const second = entryOf(user('second'), first)
    await store.append('t', [first, second]).catch(() => undefined)
    expect(
      complaining([
        unknown(1, [first.id, second.id]),
        { kind: 'read', begin: 2, end: 3, entries: await store.read('t') },
      ]),
    ).toEqual(['all or nothing'])
  })
})

test('a sound store passes with the same writers', async () => {
  expect(checkConsistency(await runWriters(memoryStore(), 't', { writers: 8, appends: 10, retryEvery: 5 }))).toEqual([])
})
