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
  const contents = async (entries: readonly Entry[], receipt: Receipt): Promise<unknown[]> =>
    (await createDeriver(entries, { counter: words })(receipt)).messages.map(({ content }) => content)

  test('holds what there was, and nothing that came later', async () => {
    const entries = log(
      (known) => entryOf(assistant('four'), known[4]),
      (known) => note('late', known[2]!),
    )
    expect(await contents(entries, receiptAt(entries, 0, 1))).toEqual(['one'])
    expect(await contents(entries, receiptAt(entries, 4))).toEqual([
      'one',
      'two',
      expect.stringContaining('remember'),
      'three',
    ])
    expect(String(await contents(entries, receiptAt(entries, 4)))).not.toContain('late')
  })

  test('is that of its branch', async () => {
    const entries = log(
      (known) => entryOf(assistant('other'), known[0]),
      (known) => entryOf(user('more'), known[5]),
    )
    expect(await contents(entries, receiptAt(entries, 6))).toEqual(['one', 'other', 'more'])
  })

  test('is without what had been revoked by then', async () => {
    const entries = log((known) => entryOf(system(known[3]!.id), known[2], { kind: 'revocation' }))
    expect(String(await contents(entries, receiptAt(entries, 4, 5)))).not.toContain('remember')
    expect(String(await contents(entries, receiptAt(entries, 4, 4)))).toContain('remember')
  })

  test('goes on from the one before it', async () => {
    const entries = log()
    const derive = createDeriver(entries, { counter: words })
    const lengths = []
    for (const head of [4, 0, 4]) lengths.push((await derive(receiptAt(entries, head))).messages.length)
    expect(lengths).toEqual([4, 1, 4])
    expect((await derive(receiptAt(entries, 4))).compiled.messages).toEqual(
      compile(
        history(entries)
          .filter(({ kind }) => kind !== 'settings')
          .map((entry, seq) => ({ ...entry, seq })),
        { window: 500, counter: words, tools },
      ).messages,
    )
  })

  test('may be asked for under other options', async () => {
    const entries = log()
    const derive = createDeriver(entries, { counter: words }, { policy: tiered({ verbatim: 1 }), window: 16 })
    expect((await derive(receiptAt(entries, 4))).compiled.tokens).toBeLessThanOrEqual(16)
  })

  test('is the one of another deriver, if it is asked for under other options after it was derived', async () => {
    const entries = log()
    const receipt = receiptAt(entries, 4)
    const derive = createDeriver(entries, { counter: words })
    const own = await derive(receipt)
    const other = { ...words, name: 'other', count: (text: string) => 2 * words.count(text) }
    for (const changes of [
      { window: 16, policy: tiered({ verbatim: 1 }) },
      { window: 16 },
      { window: 30, counter: other },
    ]) {
      const fresh = await createDeriver(entries, { counter: words }, changes)(receipt)
      expect(fresh.compiled.plan).not.toEqual(own.compiled.plan)
      const { planned, ...changed } = await derive(receipt, changes)
      expect({ ...changed, planned: planned() }).toEqual({ ...fresh, planned: fresh.planned() })
    }
    expect((await derive(receipt)).hash).toBe(own.hash)
  })

  test('lets others work while it is derived, if the clock can pause', async () => {
    const entries = log((known) => entryOf(assistant('four '.repeat(100_000)), known[4]))
    const receipt = receiptAt(entries, 5)
    let pauses = 0
    const clock = {
      now: () => '',
      after: () => Promise.resolve(),
      pause: () => Promise.resolve(void pauses++),
    }
    const policy = { ...defaultPolicy(), overflow: 'keep' as const }
    const { hash } = await createDeriver(entries, { counter: words, clock }, { policy })(receipt)
    expect(hash).toBe((await createDeriver(entries, { counter: words }, { policy })(receipt)).hash)
    expect(pauses).toBeGreaterThan(0)
  })

  test('cannot be derived where its settings or its entries are gone', async () => {
    const entries = log()
    const erased = entries.map((entry) => ({ ...entry, text: entry.kind === 'settings' ? '' : entry.text }))
    await expect(contents(erased, receiptAt(entries, 4))).rejects.toThrow('were erased')
    await expect(contents(entries, { ...receiptAt(entries, 4), upto: 'nowhere' })).rejects.toThrow('not in the log')
  })
})
