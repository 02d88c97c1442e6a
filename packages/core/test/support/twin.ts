import {
  defaultPolicy,
  defineTool,
  MinutebookError,
  memoryStore,
  openBook,
  type Book,
  type Entry,
  type Message,
  type ModelRequest,
  type Policy,
  type Store,
  type Thread,
  type Tool,
  type Turn,
  type TurnResult,
} from 'minutebook'
import { entryOf, type StoredEntry } from 'minutebook/store'
import { user, words } from '@minutebook/testing'
import { pinnedIn } from '../../src/log/pins.ts'
import { readers } from './everything.ts'
import { moodyModel, type Mood } from './moody-model.ts'
import { tick } from '../../../../tests/support/tick.ts'

/** How a thread is opened: it may be another way after each restart. */
export interface Opening {
  readonly window: number
  readonly system: string | undefined
  readonly policy: Policy
}

/**
 * What happens to a thread, one after the other. Places are counted from the end of the log; `own`: with tools of its
 * own.
 */
export type Event =
  | {
      readonly do: 'send'
      readonly common: boolean
      readonly key: number | undefined
      readonly after: number | 'root' | 'head'
      readonly cancelAt: number | undefined
      readonly own: boolean
    }
  | { readonly do: 'history'; readonly drop: number; readonly trusted: boolean }
  | { readonly do: 'queue'; readonly taken: boolean }
  | { readonly do: 'retry' | 'resume' | 'look' }
  | { readonly do: 'revoke' | 'erase' | 'pin' | 'unpin'; readonly pick: number }
  | { readonly do: 'import'; readonly messages: readonly Message[]; readonly trusted: boolean }
  /** A message that another process left waiting, under a key that may have been used. */
  | { readonly do: 'left'; readonly key: number; readonly after: number }
  | { readonly do: 'restart'; readonly opening: number }

/** One of several that live through the same, with checkpoints or without. */
export interface Twin {
  readonly store: Store
  readonly requests: readonly ModelRequest[]
  /** What the last event led to: results of turns, or the code of an error. */
  apply(event: Event): Promise<unknown>
  /** How often the log was read from a checkpoint on, and how often from its beginning. */
  readonly reads: { parts: number }
}

export function createTwin(openings: readonly Opening[], moods: readonly Mood[], checkpointEvery: number): Twin {
  const reads = { parts: 0 }
  const behind = memoryStore()
  const store = counted(behind, reads)
  let [called, now, opening] = [0, 0, 0]
  const few = tools().slice(0, 2)
  let gate: Promise<void> | undefined
  const moody = moodyModel(() => moods[called++ % moods.length]!)
  const model = Object.assign(
    async function* (...given: Parameters<typeof moody>) {
      await gate
      yield* moody(...given)
    },
    { model: 'moody' },
  )
  const start = (): { readonly book: Book; readonly thread: Thread } => {
    const book = openBook({
      store,
      model,
      counter: words,
      steps: 3,
      notes: 'block',
      checkpointEvery,
      clock: readers.clock,
      tools: tools(),
      ...openings[opening % openings.length]!,
    })
    return { book, thread: book.thread('t') }
  }
  let { thread } = start()
  const entryAt = async (place: number): Promise<StoredEntry | undefined> => {
    const log = await behind.read('t')
    return log.at(-1 - (place % Math.max(1, log.length)))
  }
  const words20 = (): string => `Message ${++now}: what of the beds and the seeds, and of the rain?`

  const perform = async (event: Event): Promise<unknown> => {
    switch (event.do) {
      case 'send': {
        const after =
          event.after === 'root' ? null : event.after === 'head' ? undefined : (await entryAt(event.after))?.id
        const text = event.common ? 'Common words.' : event.key === undefined ? words20() : `Keyed ${event.key}`
        return ended(
          thread.send(text, {
            ...(after !== undefined && { after }),
            ...(event.key !== undefined && { id: `k${event.key}` }),
            ...(event.own && { tools: few }),
          }),
          event.cancelAt,
        )
      }
      case 'history': {
        const shown = (await thread.visible()).filter(
          ({ kind, status, calls }) =>
            (kind === 'user' || kind === 'assistant') && status !== 'erased' && calls.length === 0,
        )
        const sent = shown.slice(event.drop).map(({ kind, text }): Message => ({ role: kind, content: text }))
        return ended(thread.send([...sent, user(words20())], { trusted: event.trusted }), undefined)
      }
      case 'queue': {
        let open = (): void => undefined
        gate = new Promise((resolve) => (open = resolve))
        const first = thread.send(words20())
        for (let round = 0; round < 5; round++) await tick()
        const second = thread.send(words20(), { ifBusy: 'queue' })
        for (let round = 0; round < 5; round++) await tick()
        if (event.taken) second.cancel()
        gate = undefined
        open()
        return [await ended(first, undefined), await ended(second, undefined)]
      }
      case 'retry':
      case 'resume':
        return ended(thread[event.do](), undefined)
      case 'look':
        return (await thread.visible()).map(({ text, pinned }) => [text, pinned])
      case 'revoke': {
        const notes = (await behind.read('t')).filter(({ kind }) => kind === 'note' || kind === 'journal')
        const note = notes.at(-1 - (event.pick % Math.max(1, notes.length)))
        return note && thread.revoke(note.id)
      }
      case 'pin': {
        const entry = await entryAt(event.pick)
        return entry && thread.pin(entry.id)
      }
      case 'unpin': {
        const pinned = [...pinnedIn(await behind.read('t'))]
        const id = pinned.at(-1 - (event.pick % Math.max(1, pinned.length)))
        return id === undefined ? undefined : thread.unpin(id)
      }
      case 'erase': {
        const entry = await entryAt(event.pick)
        return entry && (await thread.erase([entry.id])).erased
      }
      case 'import':
        return (await thread.importMessages(event.messages, { trusted: event.trusted })).map(({ id }) => id)
      case 'left': {
        const after = await entryAt(event.after)
        const entry: Entry = entryOf(user(`Keyed ${event.key}`), after, { kind: 'pending', key: `k${event.key}` })
        return (await behind.append('t', [entry])).ok
      }
      case 'restart':
        opening = event.opening
        thread = start().thread
        return undefined
    }
  }
  return {
    store: behind,
    requests: moody.requests,
    reads,
    apply: async (event) => {
      try {
        return await perform(event)
      } catch (error) {
        if (MinutebookError.isInstance(error)) return error.code
        throw error
      }
    },
  }
}

/** How a turn ended, without what was thrown. */
async function ended(turn: Turn, cancelAt: number | undefined): Promise<Omit<TurnResult, 'error'>> {
  let events = 0
  if (cancelAt === 0) turn.cancel()
  for await (const _ of turn) if (++events === cancelAt) turn.cancel()
  const { error: _, ...result } = await turn.done
  return result
}

function tools(): Tool[] {
  const parameters = { type: 'object', properties: { number: { type: 'number' } } }
  return ['once', 'again', 'fails', 'stuck'].map((name) =>
    defineTool({ name, parameters, run: async (_, { entries }) => `${name} of ${(await entries()).length}` }),
  )
}

function counted(store: Store, reads: { parts: number }): Store {
  return {
    ...store,
    snapshots: {
      ...store.snapshots,
      load: async (thread, name, to) => {
        const found = await store.snapshots.load(thread, name, to)
        if (found && name.startsWith('fold')) reads.parts++
        return found
      },
    },
  }
}

export const offline: readonly Policy[] = [
  defaultPolicy({ recall: 'off' }),
  defaultPolicy({ recall: 'off', epochs: false }),
]
