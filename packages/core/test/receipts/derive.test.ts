import { compile, defaultPolicy, history, tiered, type Entry, type Model, type ToolSchema } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { sha256 } from '#sha256'
import { createDeriver } from '../../src/receipts/derive.ts'
import { callSettings, optionsFor, settingsFrom, settingsText, type Receipt } from '../../src/receipts/receipt.ts'
import { assistant, note, system, user, words } from '@minutebook/testing'

const model: Model = Object.assign(
  (): never => {
    throw new Error('not called')
  },
  { model: 'm', wire: 'openai' as const },
)
const tools: ToolSchema[] = [{ type: 'function', function: { name: 'look', parameters: {} } }]
const digester = { id: 'own@1', accepts: () => false, digest: () => '' } as unknown as NonNullable<
  Parameters<typeof optionsFor>[1]['digesters']
>[number]
const settings = callSettings(
  model,
  { window: 500, reserve: 9, counter: words, policy: tiered({ verbatim: 1 }), profile: { mustAlternate: true }, tools },
  tools,
)

describe('settings', () => {
  test('are kept as text and read again', () => {
    const entry = entryOf(system(settingsText(settings)), undefined, { kind: 'settings' })
    expect(settingsFrom(entry)).toEqual(settings)
    expect(settings).toMatchObject({ model: 'm', wire: 'openai', window: 500, reserve: 9, counter: 'words', tools })
  })

  test('give the options that they came from', () => {
    expect(optionsFor(settings, { counter: words })).toEqual({
      window: 500,
      reserve: 9,
      counter: words,
      policy: tiered({ verbatim: 1 }),
      profile: { mustAlternate: true },
      digesters: [],
      tools,
    })
    const plain = callSettings(model, { window: 500 }, [])
    expect(plain).toMatchObject({ reserve: null, policy: defaultPolicy(), digesters: [] })
    expect(optionsFor(plain, {})).not.toHaveProperty('reserve')
  })

  test('name what they cannot hold, and say what is missing', () => {
    expect(() => optionsFor(settings, {})).toThrow('the counter "words"')
    const recorded = { ...settings, digesters: [{ id: 'own@1' as const, line: 40 }] }
    expect(() => optionsFor(recorded, { counter: words })).toThrow('the digester "own@1"')
    const [found] = optionsFor(recorded, { counter: words, digesters: [{ ...digester, line: 90 }] }).digesters ?? []
    expect(found).toMatchObject({ id: 'own@1', line: 40 })
  })
})

describe('a prompt of the past', () => {
  const plain = callSettings(model, { window: 500, counter: words }, tools)
  const log = (...more: readonly ((entries: readonly Entry[]) => Entry)[]): Entry[] => {
    const entries: Entry[] = []
    const add = (entry: Entry): unknown => entries.push({ ...entry, seq: entries.length })
    add(entryOf(user('one')))
    add(entryOf(system(settingsText(plain)), entries[0], { kind: 'settings' }))
    add(entryOf(assistant('two'), entries[0]))
    add(note('remember', entries[2]!))
    add(entryOf(user('three'), entries[2]))
    for (const make of more) add(make(entries))
    return entries
  }
  const receiptAt = (entries: readonly Entry[], head: number, upto: number = head): Receipt =>
    ({ head: entries[head]!.id, upto: entries[upto]!.id, settings: sha256(settingsText(plain)) }) as Receipt
  const contents = (entries: readonly Entry[], receipt: Receipt): unknown[] =>
    createDeriver(entries, { counter: words })(receipt).messages.map(({ content }) => content)

  test('holds what there was, and nothing that came later', () => {
    const entries = log(
      (known) => entryOf(assistant('four'), known[4]),
      (known) => note('late', known[2]!),
    )
    expect(contents(entries, receiptAt(entries, 0, 1))).toEqual(['one'])
    expect(contents(entries, receiptAt(entries, 4))).toEqual([
      'one',
      'two',
      expect.stringContaining('remember'),
      'three',
    ])
    expect(String(contents(entries, receiptAt(entries, 4)))).not.toContain('late')
  })

  test('is that of its branch', () => {
    const entries = log(
      (known) => entryOf(assistant('other'), known[0]),
      (known) => entryOf(user('more'), known[5]),
    )
    expect(contents(entries, receiptAt(entries, 6))).toEqual(['one', 'other', 'more'])
  })

  test('is without what had been revoked by then', () => {
    const entries = log((known) => entryOf(system(known[3]!.id), known[2], { kind: 'revocation' }))
    expect(String(contents(entries, receiptAt(entries, 4, 5)))).not.toContain('remember')
    expect(String(contents(entries, receiptAt(entries, 4, 4)))).toContain('remember')
  })

  test('goes on from the one before it', () => {
    const entries = log()
    const derive = createDeriver(entries, { counter: words })
    expect(
      [derive(receiptAt(entries, 4)), derive(receiptAt(entries, 0)), derive(receiptAt(entries, 4))].map(
        ({ messages }) => messages.length,
      ),
    ).toEqual([4, 1, 4])
    expect(derive(receiptAt(entries, 4)).compiled.messages).toEqual(
      compile(
        history(entries)
          .filter(({ kind }) => kind !== 'settings')
          .map((entry, seq) => ({ ...entry, seq })),
        { window: 500, counter: words, tools },
      ).messages,
    )
  })

  test('may be asked for under other options', () => {
    const entries = log()
    const derive = createDeriver(entries, { counter: words }, { policy: tiered({ verbatim: 1 }), window: 16 })
    expect(derive(receiptAt(entries, 4)).compiled.tokens).toBeLessThanOrEqual(16)
  })

  test('cannot be derived where its settings or its entries are gone', () => {
    const entries = log()
    expect(() =>
      contents(
        entries.map((entry) => ({ ...entry, text: entry.kind === 'settings' ? '' : entry.text })),
        receiptAt(entries, 4),
      ),
    ).toThrow('were erased')
    expect(() => contents(entries, { ...receiptAt(entries, 4), upto: 'nowhere' })).toThrow('not in the log')
  })
})
