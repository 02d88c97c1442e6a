import {
  defaultPolicy,
  memoryStore,
  openBook,
  type Entry,
  type Message,
  type Model,
  type Store,
  type Thread,
} from 'minutebook'
import { entryOf } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { assistant, user, words } from '@minutebook/testing'
import { lineOf } from '../../src/log/stored-entry.ts'
import { readers } from '../support/everything.ts'

// A long log without a checkpoint near its end is read in parts.

const model: Model = async function* () {
  yield { type: 'end', message: assistant('Yes.'), finish: 'stop' }
}
const options = { model, window: 300, counter: words, policy: defaultPolicy(), clock: readers.clock } as const

/** A store that remembers at which seqs checkpoints were saved, the newest and those of the past, the seqs and the order of what was read, and the bytes of each segment that was stored. */
function watched(): Record<'saved' | 'pasts' | 'read' | 'sealed', number[]> & { readonly store: Store } {
  const behind = memoryStore()
  const saved: number[] = []
  const pasts: number[] = []
  const read: number[] = []
  const sealed: number[] = []
  const store: Store = {
    ...behind,
    read: async (...given) => {
      const entries = await behind.read(...given)
      read.push(...entries.map(({ seq }) => seq))
      return entries
    },
    segments: {
      ...behind.segments,
      change: async (thread, change, erasures) => {
        for (const { pieces } of change.stored) sealed.push(pieces.reduce((sum, { length }) => sum + length, 0))
        return behind.segments.change(thread, change, erasures)
      },
    },
    snapshots: {
      ...behind.snapshots,
      save: async (thread, name, snapshot, saving) => {
        if (name === 'fold') saved.push(snapshot.seq)
        if (name.startsWith('past:')) pasts.push(snapshot.seq)
        return behind.snapshots.save(thread, name, snapshot, saving)
      },
    },
  }
  return { store, saved, pasts, read, sealed }
}

function* turns(length: number): Generator<Message> {
  for (let turn = 0; turn < length / 2; turn++) {
    yield user(`what of the garden ${turn % 17} and the lamp ${turn}?`)
    yield assistant(`the answer ${turn} is about lamp ${turn * 7}`)
  }
}

function chained(messages: Iterable<Message>): Entry[] {
  const entries: Entry[] = []
  for (const message of messages) entries.push(entryOf(message, entries.at(-1)))
  return entries
}

/** More than fits into the window, with a new message at its end. */
const longHistory = [...[...turns(6000)].slice(-60), user('what of lamp 700?')]
const answer = { type: 'end', message: assistant('Yes.'), finish: 'stop' } as const

const largest = (numbers: readonly number[]): number =>
  numbers.reduce((most, number, index) => Math.max(most, number - (numbers[index - 1] ?? -1)), 0)

describe('a long log without a checkpoint', () => {
  const length = 6000

  test('is read in parts by the first turn, each from a checkpoint on', async () => {
    const logs: string[][] = []
    for (const checkpointEvery of [undefined, Infinity]) {
      const { store, saved, read } = watched()
      await store.append('t', chained(turns(length)))
      const thread = openBook({ store, ...options, checkpointEvery }).thread('t')
      expect((await thread.send('what of lamp 700?').done).status).toBe('complete')
      expect(read.filter((seq) => seq === 3000)).toHaveLength(1)
      logs.push((await store.read('t')).map(lineOf))
      if (checkpointEvery !== undefined) continue
      expect(largest(saved)).toBeLessThan(1100)
      expect(saved.at(-1)).toBeGreaterThan(length - 70)
    }
    expect(logs[0]).toEqual(logs[1])
  })

  test('has its checkpoints as soon as it is restored', async () => {
    const from = memoryStore()
    await from.append('t', chained(turns(length)))
    const { store, read } = watched()
    await openBook({ store, ...options }).restore('t', openBook({ store: from }).thread('t').export())
    read.length = 0
    expect(
      (
        await openBook({ store, ...options })
          .thread('t')
          .send('what of lamp 700?').done
      ).status,
    ).toBe('complete')
    expect(read.length).toBeLessThan(200)
  })

  test('has checkpoints of the past: a dump of any call reads a few entries before it', async () => {
    const { store, read } = watched()
    const thread = openBook({ store, ...options }).thread('t')
    const messages = [...turns(length)]
    for (let from = 0; from < length; from += 500) {
      await thread.importMessages(messages.slice(from, from + 500))
      expect((await thread.send(`what of lamp ${Math.floor(from / 3)}?`).done).status).toBe('complete')
    }
    const receipts = (await store.read('t')).filter(({ kind }) => kind === 'receipt')
    expect(receipts).toHaveLength(12)
    for (const { id } of receipts) {
      read.length = 0
      const dump = await openBook({ store, counter: words }).thread('t').dump({ receipt: id })
      expect(dump).toMatchObject({ same: true, erased: false })
      expect(dump.plan.spans.some(({ verdict }) => verdict === 'recalled')).toBe(dump.receipt!.verdicts.recalled! > 0)
      expect(read.length).toBeLessThan(1200)
    }
    expect(read.length).toBeLessThan(400)
  })

  test('has checkpoints of the past if it was restored with calls: a dump of any call reads a few entries before it', async () => {
    const from = memoryStore()
    const asked = openBook({ store: from, ...options }).thread('t')
    const messages = [...turns(length)]
    for (let next = 0; next < length; next += 700) {
      await asked.importMessages(messages.slice(next, next + 700))
      expect((await asked.send(`what of lamp ${Math.floor(next / 3)}?`).done).status).toBe('complete')
    }
    const { store, read, pasts } = watched()
    await openBook({ store, ...options }).restore('t', asked.export())
    // None is kept after the last call.
    expect(pasts.length).toBeGreaterThan(20)
    const receipts = (await store.read('t')).filter(({ kind }) => kind === 'receipt')
    for (const { id } of receipts.slice(2)) {
      read.length = 0
      expect(await openBook({ store, counter: words }).thread('t').dump({ receipt: id })).toMatchObject({ same: true })
      expect(read.length).toBeLessThan(450)
    }
    const other = openBook({ store, ...options, window: 250 }).thread('t')
    pasts.length = 0
    await other.send('what of lamp 700?').done
    expect(pasts.length).toBeLessThan(10)
  })

  test('has few checkpoints of the past, also if it grows turn by turn', async () => {
    const { store, saved, pasts } = watched()
    const thread = openBook({ store, ...options, window: 3000 }).thread('t')
    const messages = [...turns(1600)]
    for (let from = 0; from < messages.length; from += 20) {
      await thread.importMessages(messages.slice(from, from + 20))
      expect((await thread.send(`what of lamp ${from}?`).done).status).toBe('complete')
    }
    expect(saved.length).toBeGreaterThan(2)
    expect(pasts.length).toBeGreaterThan(2)
    // None has another in the same 128 entries.
    expect(new Set(pasts.map((seq) => Math.floor(seq / 128))).size).toBe(pasts.length)
  })

  test('is never read whole again, however many checkpoints a thread object has made', async () => {
    const { store, saved, read } = watched()
    const opened = (): Thread => openBook({ store, ...options, checkpointEvery: 8 }).thread('t')
    const ask = async (thread: Thread, turn: number): Promise<void> => {
      read.length = 0
      expect((await thread.send(`what of lamp ${turn * 3} and the garden ${turn}?`).done).status).toBe('complete')
      expect(read.length).toBeLessThan(300)
    }
    const first = opened()
    await first.importMessages([...turns(900)])
    for (let turn = 0; turn < 12; turn++) await first.send(`what of lamp ${turn}?`).done
    const held = opened()
    saved.length = 0
    for (let turn = 0; turn < 50; turn++) await ask(held, turn)
    await ask(opened(), 200)
    expect(saved.length).toBeGreaterThan(6)
  })

  test('is not held whole by a thread object that imports it in parts', async () => {
    const { store, saved, read } = watched()
    const thread = openBook({ store, ...options }).thread('t')
    const messages = [...turns(length)]
    for (let from = 0; from < length; from += 500) await thread.importMessages(messages.slice(from, from + 500))
    expect(largest(saved)).toBeLessThan(1600)
    read.length = 0
    expect((await thread.send('what of lamp 700?').done).status).toBe('complete')
    expect(read.length).toBeLessThan(200)
    expect(await openBook({ store, counter: words }).thread('t').verify()).toMatchObject({ ok: true, prompts: 1 })
  })

  test('is read in parts again after an erasure, also by who has it open', async () => {
    const { store, saved } = watched()
    await store.append('t', chained(turns(length)))
    const thread = openBook({ store, ...options }).thread('t')
    await thread.send('what of lamp 700?').done
    const [entry] = await store.read('t', { from: 1400, to: 1401 })
    await openBook({ store }).thread('t').erase([entry!.id])
    saved.length = 0
    expect((await thread.send('and of lamp 700?').done).status).toBe('complete')
    expect(saved.length).toBeGreaterThan(4)
    expect(await openBook({ store, counter: words }).thread('t').verify()).toMatchObject({ ok: true, problems: [] })
  })

  test.each<[string, (thread: Thread) => Promise<unknown>]>([
    ['a turn', async (thread) => thread.send('what of lamp 500?').done],
    ['a relay', async (thread) => (await thread.relay(longHistory)).answer(answer)],
  ])('is read in parts by the first call under other settings, and not again by the next: %s', async (_, call) => {
    const logs: string[][] = []
    for (const checkpointEvery of [undefined, Infinity]) {
      const { store, saved, read } = watched()
      await store.append('t', chained(turns(length)))
      await openBook({ store, ...options, checkpointEvery })
        .thread('t')
        .send('what of lamp 700?').done
      const other = (): Thread => openBook({ store, ...options, window: 250, checkpointEvery }).thread('t')
      saved.length = 0
      read.length = 0
      await call(other())
      if (checkpointEvery === undefined) {
        expect(read.filter((seq) => seq === 3000)).toHaveLength(1)
        expect(saved.length).toBeGreaterThan(4)
        read.length = 0
      }
      await call(other())
      if (checkpointEvery === undefined) expect(read.length).toBeLessThan(300)
      expect(await openBook({ store, counter: words }).thread('t').verify()).toMatchObject({ ok: true, prompts: 3 })
      logs.push((await store.read('t')).map(lineOf))
    }
    expect(logs[0]).toEqual(logs[1])
  })

  test('is indexed once: the first call under other settings uses the index that is there, also after some of its own', async () => {
    const { store, sealed } = watched()
    let counted = 0
    const isSaid = (text: string): boolean => /^(what of the garden|the answer) /.test(text)
    const counter = { ...words, count: (text: string) => ((counted += isSaid(text) ? 1 : 0), words.count(text)) }
    const opened = (window: number): Thread => openBook({ store, ...options, window, counter }).thread('t')
    const cost = async (window: number): Promise<{ readonly bytes: number; readonly texts: number }> => {
      sealed.length = 0
      counted = 0
      expect((await opened(window).send('what of lamp 700?').done).status).toBe('complete')
      return { bytes: sealed.reduce((sum, bytes) => sum + bytes, 0), texts: counted }
    }
    const entries = chained(turns(length))
    await store.append('t', entries.slice(0, length / 4))
    await opened(250).send('what of lamp 30?').done
    const answered = (await store.read('t', { last: 8 })).findLast(({ kind }) => kind === 'assistant')
    const later: Entry[] = []
    for (const { raw } of entries.slice(length / 4)) later.push(entryOf(raw, later.at(-1) ?? answered))
    await store.append('t', later)
    const first = await cost(300)
    for (const window of [250, 350]) {
      const { bytes, texts } = await cost(window)
      expect(bytes).toBeLessThan(first.bytes / 10)
      expect(texts).toBeLessThan(first.texts / 10)
    }
    expect(await openBook({ store, counter: words }).thread('t').verify()).toMatchObject({ ok: true, prompts: 4 })
  })

  test.each<[string, (store: Store, once: (isTheirs: boolean) => void, settings: string) => Promise<Partial<Store>>]>([
    [
      'whose segments cannot be read for once',
      async ({ segments }, once) => {
        const theirs = new Set(await segments.list('t'))
        const read: Store['segments']['read'] = async (thread, wanted) => {
          once(wanted.some(({ segment }) => theirs.has(segment)))
          return segments.read(thread, wanted)
        }
        return { segments: { ...segments, read } }
      },
    ],
    [
      'whose checkpoint cannot be read for once',
      async ({ snapshots }, once, settings) => {
        const load: Store['snapshots']['load'] = async (thread, name, to) => {
          once(name === `fold:${settings}`)
          return snapshots.load(thread, name, to)
        }
        return { snapshots: { ...snapshots, load } }
      },
    ],
  ])('is read in parts also if there is an index of other settings %s', async (_, breaking) => {
    const { store, saved, read } = watched()
    await store.append('t', chained(turns(length)))
    await openBook({ store, ...options })
      .thread('t')
      .send('what of lamp 700?').done
    const [{ settings }] = (await store.snapshots.load('t', 'segments'))!.value as [{ settings: string }]
    let failures = 0
    const once = (isTheirs: boolean): void => {
      if (isTheirs && failures++ === 0) throw new Error('No connection.')
    }
    const broken = { ...store, ...(await breaking(store, once, settings)) }
    saved.length = 0
    read.length = 0
    const thread = openBook({ store: broken, ...options, window: 250 }).thread('t')
    expect(await thread.send('what of lamp 600?').done).toMatchObject({ status: 'complete' })
    expect(failures).toBeGreaterThan(0)
    expect(read.filter((seq) => seq === 3000)).toHaveLength(1)
    expect(saved.length).toBeGreaterThan(4)
    expect(await openBook({ store, counter: words }).thread('t').verify()).toMatchObject({ ok: true, prompts: 2 })
  })

  test.each([1500, 3000, 5900])('is read from where a first call under other settings stopped: at %d', async (at) => {
    const logs: string[][] = []
    for (const checkpointEvery of [undefined, Infinity]) {
      const { store } = watched()
      await store.append('t', chained(turns(length)))
      const ask = async (by: Store, window: number, question: string): Promise<unknown> =>
        openBook({ store: by, ...options, window, checkpointEvery })
          .thread('t')
          .send(question).done
      await ask(store, 300, 'what of lamp 700?')
      const broken: Store = {
        ...store,
        read: async (thread, given) => {
          if ((given?.to ?? 0) > at) throw new Error('No connection.')
          return store.read(thread, given)
        },
      }
      expect(await ask(broken, 250, 'what of lamp 600?')).toMatchObject({ status: 'failed' })
      for (const turn of [1, 2, 3]) await ask(store, 250, `what of lamp ${turn * 90} and of the garden ${turn}?`)
      expect(await openBook({ store, counter: words }).thread('t').verify()).toMatchObject({ ok: true, problems: [] })
      logs.push((await store.read('t')).map(lineOf))
    }
    expect(logs[0]).toEqual(logs[1])
  })

  test('is read in parts by the first relay after an erasure', async () => {
    const { store, saved, read } = watched()
    await store.append('t', chained(turns(length)))
    const thread = openBook({ store, ...options }).thread('t')
    await (await thread.relay(longHistory)).answer(answer)
    const [entry] = await store.read('t', { from: 1400, to: 1401 })
    await thread.erase([entry!.id])
    saved.length = 0
    read.length = 0
    await (await thread.relay(longHistory)).answer(answer)
    expect(read.filter((seq) => seq === 3000)).toHaveLength(1)
    expect(saved.length).toBeGreaterThan(4)
  })

  test('is read whole if a later entry belongs before a checkpoint', async () => {
    const logs: string[][] = []
    for (const checkpointEvery of [undefined, Infinity]) {
      const store = memoryStore()
      const entries = chained(turns(length))
      const note = entryOf({ role: 'system', content: 'Late.' }, entries[9], { kind: 'note', origin: 'operator' })
      const edit = entryOf(user('Another branch?'), entries[19])
      await store.append('t', [...entries, note])
      await store.append('t', [edit, entryOf(assistant('It is.'), edit)])
      const thread = openBook({ store, ...options, checkpointEvery }).thread('t')
      expect((await thread.send('and now?').done).status).toBe('complete')
      logs.push((await store.read('t')).map(lineOf))
    }
    expect(logs[0]).toEqual(logs[1])
  })

  test.each([0, 1000])('ends if the thread is removed while it is read in parts, at entry %i', async (at) => {
    const store = memoryStore()
    await store.append('t', chained(turns(length)))
    let reads = 0
    const removing: Store = {
      ...store,
      read: async (thread, range) => {
        // A loop without an end would not even let the test run out of time.
        if (reads++ > 100) throw new Error('It is read without an end.')
        if ((range?.from ?? 0) >= at && (await store.standing('t')).length === length) await store.remove('t')
        return store.read(thread, range)
      },
    }
    const thread = openBook({ store: removing, ...options }).thread('t')
    await thread.send('what of lamp 700?').done.catch(() => undefined)
    expect(await thread.send('and now?').done).toMatchObject({ status: 'complete' })
    expect(reads).toBeLessThan(50)
  })
})
