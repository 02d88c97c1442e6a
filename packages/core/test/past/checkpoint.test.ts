import { memoryStore, type Entry, type Store } from 'minutebook'
import { entryOf, traits, type EntryFacts } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { positionBeforeTurn, type Checkpoint } from '../../src/past/checkpoint.ts'
import { liveLog, tipOf, type LiveLog } from '../../src/past/live-log.ts'
import { callSettings } from '../../src/receipts/receipt.ts'
import { createPrompter } from '../../src/receipts/prompter.ts'
import { assistant, call, system, user } from '@minutebook/testing'

const pending = (text: string, after: Entry, key = text): Entry => entryOf(user(text), after, { kind: 'pending', key })
const hanging = (kind: NonNullable<EntryFacts['kind']>, text: string, after: Entry): Entry =>
  entryOf(system(text), after, { kind })
const [one] = [entryOf(user('one'))]
const two = entryOf(assistant('two'), one)
const waits = pending('waits', two)
const receipt = hanging('receipt', 'r', two)
const three = entryOf(user('three'), two)
const four = entryOf(assistant('four'), three)

async function storeOf(...entries: readonly Entry[]): Promise<Store> {
  const store = memoryStore()
  await store.append('t', entries)
  return store
}

async function opened(store: Store): Promise<LiveLog> {
  const log = liveLog(store, 't')
  await log.sync()
  return log
}

/** The thread as one knows it who reads it from the checkpoint before its newest turn on. */
async function reopened(store: Store): Promise<LiveLog> {
  const log = await opened(store)
  const stand = positionBeforeTurn(log.entries, log.branch(), undefined)
  if (!stand) throw new Error('There is no checkpoint.')
  const checkpoint: Checkpoint = {
    version: 2,
    ...stand,
    erasures: log.past.erasures,
    settings: 's',
    recorded: null,
    isErased: false,
    call: null,
    fold: null,
  }
  await log.past.save(checkpoint)
  return opened(store)
}

const chainOf = (log: LiveLog): string[] =>
  log
    .branch()
    .filter(({ kind }) => traits[kind].chained)
    .map(({ id }) => id)
const texts = (log: LiveLog): string[] => log.entries.map(({ text }) => text)

describe('the place before the newest turn', () => {
  test('ends with the entry that the question follows, and has what waits', async () => {
    const log = await opened(await storeOf(one, two, waits, receipt, three, four))
    const stand = positionBeforeTurn(log.entries, log.branch(), undefined)
    expect(stand).toMatchObject({ head: two.id, seq: 3, places: 2, system: null, pending: [{ seq: 2 }] })
  })

  test.each<[string, readonly Entry[]]>([
    ['of an empty log', []],
    ['of a first turn', [one, two]],
    ['where something came to what is before it', [one, two, three, hanging('note', 'late', one), four]],
    [
      'where another branch begins there',
      [one, two, entryOf(user('other'), two), hanging('receipt', 'again', two), three, four],
    ],
    [
      'where calls were left open',
      [
        one,
        entryOf(assistant(null, call('a', 'x')), one),
        entryOf(user('three'), entryOf(assistant(null, call('a', 'x')), one)),
      ],
    ],
  ])('is none %s', async (_, entries) => {
    const log = await opened(await storeOf(...entries))
    expect(positionBeforeTurn(log.entries, log.branch(), undefined)).toBeUndefined()
  })

  test('counts of system texts the newest only, where the first stood', async () => {
    const texts = ['a', 'b'].map((text) => system(text))
    const first = entryOf(texts[0]!, undefined, { key: 'system' })
    const asked = entryOf(user('one'), first)
    const second = entryOf(texts[1]!, asked, { key: 'system' })
    const log = await opened(await storeOf(first, asked, second, entryOf(user('two'), second)))
    expect(positionBeforeTurn(log.entries, log.branch(), undefined)).toMatchObject({
      head: second.id,
      places: 2,
      system: 'b',
    })
  })

  test('has what is waiting there, and not what was said or taken back by then', async () => {
    const [said, back] = [pending('said', one), pending('back', one)]
    const again = entryOf(user('said'), two, { key: 'said' })
    const answer = entryOf(assistant('again'), again)
    const log = await opened(
      await storeOf(
        one,
        two,
        said,
        back,
        waits,
        hanging('revocation', back.id, one),
        again,
        answer,
        entryOf(user('last'), answer),
      ),
    )
    const stand = positionBeforeTurn(log.entries, log.branch(), undefined)
    expect(stand?.pending.map(({ payload }) => (JSON.parse(payload) as Entry).key)).toEqual(['waits'])
  })
})

describe('a log that is read from a checkpoint on', () => {
  test('knows its end, what waits, and how long it is', async () => {
    const log = await reopened(await storeOf(one, two, waits, receipt, three, four))
    expect(log.past.start?.head).toBe(two.id)
    expect(texts(log)).toEqual(['waits', 'three', 'four'])
    expect([log.length, log.head, tipOf(log)]).toEqual([6, four.id, four.id])
    expect(log.branch().map(({ text }) => text)).toEqual(['waits', 'three', 'four'])
    expect(log.since(5).map(({ text }) => text)).toEqual(['four'])
  })

  test('goes on like any other', async () => {
    const store = await storeOf(one, two, waits, receipt, three, four)
    const log = await reopened(store)
    await log.append([{ message: user('five') }])
    await log.append([{ message: user('other five') }], { after: two.id })
    const whole = await opened({ ...store, snapshots: memoryStore().snapshots })
    expect(chainOf(log)).toEqual(chainOf(whole).slice(2))
    expect(log.past.start).toBeDefined()
    expect([log.length, log.head, tipOf(log)]).toEqual([whole.length, whole.head, tipOf(whole)])
  })

  test.each<[string, readonly Entry[]]>([
    ['hangs off what is before', [hanging('note', 'late', one)]],
    ['hangs off the root', [hanging('settings', 'late', { ...one, kind: 'note' })]],
    ['takes something out that is before', [hanging('revocation', receipt.id, two)]],
    ['makes an entry from before the head', [hanging('retry', 'again', one)]],
    ['makes the last entry before the head', [hanging('receipt', 'again', two)]],
    ['goes on from an entry from before', [entryOf(user('other'), one)]],
    ['waits under a key that was used before', [pending('other', four, 'waited')]],
  ])('is read whole where what others write %s', async (_, written) => {
    const used = entryOf(user('used'), undefined, { key: 'waited' })
    const store = await storeOf(used, one, two, waits, receipt, three, four)
    const log = await reopened(store)
    expect(log.past.start).toBeDefined()
    await store.append('t', written)
    await log.sync()
    expect(log.past.start).toBeUndefined()
    expect(log.entries).toEqual(await store.read('t'))
  })

  test.each([null, one.id])('reads everything to know what was said after %s', async (after) => {
    const log = await reopened(await storeOf(one, two, waits, receipt, three, four))
    expect((await log.said([{ message: user('three') }], { after: two.id })).map(({ id }) => id)).toEqual([three.id])
    await log.past.reach(three.id)
    await log.past.reach(two.id)
    expect(log.past.start).toBeDefined()
    const said = await log.said([{ message: user('one') }], { after })
    expect(log.past.start).toBeUndefined()
    expect(said.map(({ id }) => id)).toEqual(after === null ? [one.id] : [])
  })

  test('reads entries before its beginning, twice as many each time, and everything if there are no more', async () => {
    const log = await reopened(await storeOf(one, two, waits, receipt, three, four))
    const lengths: number[] = []
    for (let times = 0; times < 3; times++) {
      await log.past.earlier(1)
      lengths.push(log.past.before.length)
    }
    expect(lengths).toEqual([1, 2, 4])
    expect(log.past.before.map(({ id }) => id)).toEqual([one, two, waits, receipt].map(({ id }) => id))
    expect(log.past.start).toBeDefined()
    await log.past.earlier(1)
    expect(log.past.start).toBeUndefined()
  })

  test('has the line to any entry, and says that it is not loaded only to who does not wait for it', async () => {
    const log = await reopened(await storeOf(one, two, waits, receipt, three, four))
    expect(() => log.branch(one.id)).toThrow(expect.objectContaining({ code: 'not_loaded' }))
    expect((await log.line(one.id)).map(({ id }) => id)).toEqual([one.id])
    expect(log.past.start).toBeUndefined()
    await expect(log.line('nobody')).rejects.toMatchObject({ code: 'unknown_entry' })
  })

  test('is read whole for a prompt under settings that its checkpoint is not of', async () => {
    const store = await storeOf(one, two, three, four)
    const [options, settings] = [{ window: 400 }, callSettings(async function* () {}, { window: 400 }, [])]
    const prompter = createPrompter(options, settings, { settingsText: '', settingsHash: 's' })
    const log = await reopened(store)
    expect(log.past.start).toBeDefined()
    const { messages } = await prompter.next(log)
    expect(log.past.start).toBeUndefined()
    expect(messages.map(({ content }) => content)).toEqual(['one', 'two', 'three', 'four'])
  })

  test('finds what was sent under a key, and then knows all that followed', async () => {
    const store = await storeOf(entryOf(user('one'), undefined, { key: 'k' }), two, waits, receipt, three, four)
    const log = await reopened(store)
    expect((await log.past.sentUnder('waits')).map(({ seq }) => seq)).toEqual([2])
    expect(await log.past.sentUnder('other')).toEqual([])
    expect(log.past.start).toBeDefined()
    expect((await log.past.sentUnder('k')).map(({ seq }) => seq)).toEqual([0])
    expect(log.past.start).toBeUndefined()
  })

  test('is judged again where the store failed before it was', async () => {
    let fails = false
    for (const written of [hanging('note', 'late', one), pending('new', four, 'used')]) {
      const behind = await storeOf(
        entryOf(user('used'), undefined, { key: 'used' }),
        one,
        two,
        waits,
        receipt,
        three,
        four,
      )
      const store: Store = {
        ...behind,
        read: (thread, range) =>
          fails && (range?.from === 0 || range?.key !== undefined)
            ? Promise.reject(new Error('down'))
            : behind.read(thread, range),
      }
      const log = await reopened(store)
      await behind.append('t', [written])
      fails = true
      await expect(log.sync()).rejects.toThrow('down')
      await expect(log.sync()).rejects.toThrow('down')
      fails = false
      await log.sync()
      expect(log.entries).toEqual(await behind.read('t'))
    }
  })

  test('is none where something was erased, whoever had kept it', async () => {
    const store = await storeOf(one, two, waits, receipt, three, four)
    const log = await reopened(store)
    await store.erase('t', [one.id])
    await log.sync()
    expect([log.past.start, texts(log)[0]]).toEqual([undefined, ''])
  })
})
