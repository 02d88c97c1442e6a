import { history, newestChained, siblingsIn, type BranchLink } from '../log/log.ts'
import { branchesOf } from '../log/branches.ts'
import { feedbackRecords } from '../log/feedback.ts'
import { createPauses } from '../log/time.ts'
import { createMutex, liveLog, type LiveLog } from '../past/live-log.ts'
import {
  exported,
  exportLines,
  forked,
  createThread,
  recordsOf,
  restoredIn,
  restoredRecord,
  threadExistsError,
} from '../log/new-thread.ts'
import { isUnfinished, newestTurn } from '../log/next.ts'
import { waitingCalls, waitingRecords } from '../log/open-call.ts'
import type { PieceCache } from '../past/piece-cache.ts'
import type { Store, StoredEntry } from '../log/store.ts'
import { changeMetadata, metadataRecords, readMetadata } from '../log/thread-metadata.ts'
import { visible, visibleMessages, type VisibleEntry } from '../log/visible.ts'
import { receiptsOf } from '../receipts/receipt.ts'
import { dumpCall, dumpOf, dumpReceipt, type ThreadDump } from '../receipts/thread-dump.ts'
import { replay, verify } from '../receipts/verify.ts'
import { createRelayer } from '../relay/relay.ts'
import { readState } from '../state/state-snapshot.ts'
import { cancelRunning } from '../turns/await-turn.ts'
import { closingEntries } from '../turns/close-restored.ts'
import type { Feed } from '../turns/feed.ts'
import { decide, wakeAtDeadline } from '../turns/decide.ts'
import { resume, retry } from '../turns/resume.ts'
import type { SendInput } from '../turns/place-messages.ts'
import { importMessages } from '../turns/import-messages.ts'
import { ask, edit, send, type SendOptions } from '../turns/send.ts'
import { pin, revoke, unpin } from '../turns/pin.ts'
import { rate } from '../turns/rate.ts'
import { positionText } from '../turns/position.ts'
import type { Tool } from '../turns/tool.ts'
import type { ThreadLocks, TurnQueue } from '../turns/turn-queue.ts'
import type { LocalSenders, ThreadHandle, TurnConfig } from '../turns/turn-run.ts'
import type { Turn } from '../turns/turn.ts'
import { watch } from '../watch/watch.ts'
import { isSame, type OpenThreads, type OpenThread } from './held-threads.ts'
import { turnConfigOf, refitting, relayConfigOf, systemOf, type OpenOptions } from './thread-options.ts'
import type { Thread, VisibleOptions } from './thread.ts'
import { recordNames } from '../log/record-names.ts'

/** What the threads of one book share. */
export interface BookContext {
  readonly store: Store
  readonly locks: ThreadLocks<Turn>
  readonly feed: Feed
  /** Is told that a thread needs work, and has an instance run it. */
  readonly queue: TurnQueue
  /** True if the process that asks for a turn runs it, false if the queue picks an instance. */
  readonly runsHere: boolean
  /** The callers in this process that wait for turns of the queue. */
  readonly senders: LocalSenders
  /** Returns a text that no message had before. See `ThreadHandle.unique`. */
  readonly unique: () => Promise<string>
  /** The threads that are kept open. */
  readonly held: OpenThreads
  /** What was read of their indexes. */
  readonly pieces: PieceCache
}

/** Opens a thread, or returns the one that is held. */
export function openThread(shared: BookContext, id: string, options: OpenOptions): Thread {
  return heldThread(shared, id, options).thread
}

function heldThread(shared: BookContext, id: string, options: OpenOptions): OpenThread {
  return shared.held.open(shared.store, id, options, () => {
    const handle = openHandle(shared, id, options)
    const logs = [handle.log]
    return { handle, logs, thread: threadOn(handle, shared, options, (log) => logs.push(log)) }
  })
}

/**
 * Builds a `Thread`: each of its methods calls the function that does the work, on one shared handle of the log. `reads`
 * is told of another log that it opens.
 */
function threadOn(
  handle: ThreadHandle,
  shared: BookContext,
  options: OpenOptions,
  reads: (log: LiveLog) => void,
): Thread {
  const { store, log, thread: id } = handle
  const branchTo = async (head: string | undefined): Promise<readonly StoredEntry[]> => {
    await handle.refresh({ whole: true })
    return head === undefined ? log.branch() : history(log.entries, { head })
  }
  const shownTo = async ({ head, siblings = false }: VisibleOptions = {}): Promise<readonly VisibleEntry[]> => {
    const shown = visible(await branchTo(head))
    const others = siblings ? siblingsIn(log.entries) : undefined
    return others ? shown.map((entry) => ({ ...entry, ...siblingsOf(others.get(entry.id)) })) : shown
  }
  return {
    id,
    send: (sent, sending = {}) => send(handle, sent, sending),
    ask: <T>(sent: SendInput, sending: SendOptions = {}) => ask<T>(handle, sent, sending),
    edit: (edited, sent, sending = {}) => edit(handle, edited, sent, sending),
    retry: (running = {}) => retry(handle, running),
    resume: (running = {}) => resume(handle, running),
    decide: (call, decision, deciding = {}) => decide(handle, call, decision, deciding),
    waiting: async () => {
      await handle.refresh()
      return waitingCalls(log.position.turn)
    },
    cancel: () => cancelRunning(handle),
    importMessages: (messages, { trusted = false } = {}) => importMessages(handle, messages, trusted),
    relay: createRelayer({
      log: () => {
        const own = openLog(shared, id, options)
        reads(own)
        return own
      },
      config: (tools, fitting) => relayConfigOf({ ...options, ...(fitting && refitting(fitting, options)) }, tools),
      counter: options.counter,
      system: handle.system,
    }),
    watch: (watching = {}) => watch({ thread: id, store, feed: shared.feed, clock: options.clock }, watching),
    entries: ({ head } = {}) => branchTo(head),
    visible: shownTo,
    page: async (showing = {}) => {
      const entries = await shownTo(showing)
      // Nothing may come between: this is where the log was when the entries were taken from it.
      const isEnd = !isUnfinished(log.position.turn)
      return { entries, position: positionText({ seq: log.length, term: 0, offset: 0, isEnd }) }
    },
    messages: async ({ head } = {}) => visibleMessages(await branchTo(head)),
    branches: async () => {
      await handle.refresh({ whole: true })
      return branchesOf(log.entries)
    },
    state: async (reader, { at } = {}) => {
      await handle.refresh()
      return readState(reader, { store, thread: id, head: log.head, ...(typeof at === 'string' && { at }) })
    },
    standing: () => store.standing(id),
    receipts: async () => receiptsOf(await branchTo(undefined)),
    dump: async (choice = {}) => {
      if (choice.turn === undefined && choice.receipt === undefined) return dumpNext(handle)
      const dumped = choice.receipt === undefined ? undefined : await dumpReceipt(log, choice.receipt, options)
      if (dumped) return dumped
      const branch = await branchTo(undefined)
      return dumpCall(log.entries.slice(), branch, choice, options, log.pause)
    },
    replay: async (changes) => {
      const branch = await branchTo(undefined)
      return replay(log.entries.slice(), receiptsOf(branch), changes, options, createPauses(options.clock))
    },
    verify: (part) => verify(store, id, options, options.clock, part),
    pin: (entry) => pin(handle, entry),
    unpin: (entry) => unpin(handle, entry),
    revoke: (entry) => revoke(handle, entry),
    rate: (entry, { by = '', ...feedback }) => rate(handle, entry, feedback, by),
    metadata: () => readMetadata(store, id),
    setMetadata: (changes) => changeMetadata(store, id, changes),
    erase: async (ids) => {
      const erasure = await store.erase(id, ids)
      shared.pieces.forget(id)
      return erasure
    },
    fork: async ({ as, at }) => {
      await handle.refresh()
      const head = at ?? log.head
      // Read from the store, not from memory: another process may have erased entries that this log still holds.
      const copied = head === null ? [] : forked(await store.read(id, { head }))
      // What ends the turns of a restored thread comes after them, so a fork from the middle needs an end of its own.
      const restored = await restoredIn(store, id)
      const foreign = copied.filter(({ seq }) => seq < restored).length
      const endsInFile = (newestChained(copied)?.seq ?? restored) < restored
      const closing = endsInFile ? closingEntries(copied, options.clock.now()) : []
      const turn = endsInFile ? [] : newestTurn(copied)
      const records = [
        { name: recordNames.fork, value: { thread: id } },
        ...(foreign > 0 ? [restoredRecord(foreign)] : []),
        ...(await recordsOf(store, id)),
        ...waitingRecords(waitingCalls(turn)),
        ...feedbackRecords(copied),
      ]
      // `createThread` accepts the entries that a thread already has, as a repeated write. So it would not notice this.
      if (as === id) throw threadExistsError(forkElsewhere)
      await createThread(store, as, { entries: [...copied, ...closing], records }, forkElsewhere)
      if (!shared.runsHere) await wakeAtDeadline(shared.queue, as, turn)
      return openThread(shared, as, options)
    },
    export: ({ records = exported } = {}) => exportLines(store, id, records, log.pause),
  }
}

/** The prompt that would be sent now. Reads the whole log only if its end is not enough. */
async function dumpNext(handle: ThreadHandle): Promise<ThreadDump> {
  const { log } = handle
  const config = await handle.discover(handle.config())
  await handle.refresh({ config })
  return dumpOf(await config.prompter.next(log))
}

/**
 * Makes the checkpoints of a log that was written at once, so that its first turn is as fast as others. Without a window
 * or a model it is not known for which settings: then the first turn makes them.
 */
export async function prepare(shared: BookContext, thread: string, options: OpenOptions): Promise<void> {
  if (options.window === undefined || !options.model) return
  // The first turn reads the log again and gets the error.
  await openHandle(shared, thread, options)
    .refresh()
    .catch(() => undefined)
}

const forkElsewhere = 'Fork to another name.'

/**
 * The handle of the runner of a woken thread. If a sender in this process waits for the turn, the runner takes over its
 * handle if the thread was opened with the same options, or else the log that the sender has read. If none waits, it is
 * the thread that is held.
 */
export function openRunner(shared: BookContext, thread: string, options: OpenOptions): ThreadHandle {
  const known = shared.senders.find(thread)
  if (known) return isSame(known.options, options) ? known : openHandle(shared, thread, options, known.log)
  return heldThread(shared, thread, options).handle
}

/** The handle of a thread: its log, and what is needed to run its turns. `read`: a log of it that was read already. */
export function openHandle(shared: BookContext, thread: string, options: OpenOptions, read?: LiveLog): ThreadHandle {
  const own = options.tools ?? []
  let known: { readonly tools: readonly Tool[]; readonly config: TurnConfig } | undefined
  const config = (tools = own): TurnConfig => {
    if (known?.tools !== tools) known = { tools, config: turnConfigOf(options, tools) }
    return known.config
  }
  const discover = async (assumed: TurnConfig): Promise<TurnConfig> => {
    const found = await assumed.discovered()
    if (known?.config === assumed) known = { ...known, config: found }
    return found
  }
  /** Returns undefined if the thread has no model, and so can only be read. */
  const usual = (): TurnConfig | undefined => {
    try {
      return known?.config ?? config()
    } catch {
      return undefined
    }
  }
  // A log that was read from the checkpoint of other settings lacks what these need.
  const isOfUse = read && (!read.past.start || read.past.start.settings === config().settingsHash)
  const log = isOfUse ? read : openLog(shared, thread, options)
  let current: Thread | undefined
  const handle: ThreadHandle = {
    thread,
    store: shared.store,
    locks: shared.locks,
    feed: shared.feed,
    log,
    system: systemOf(options),
    config,
    discover,
    prompter: () => usual()?.prompter,
    refresh: ({ config: needed, whole } = {}) => {
      if (whole) return log.sync({ whole })
      const { settingsHash: settings, prompter } = needed ?? usual() ?? {}
      return log.sync({ settings, catchUp: prompter?.catchUp(log) })
    },
    unique: shared.unique,
    queue: shared.queue,
    runsHere: shared.runsHere,
    options,
    senders: shared.senders,
    clock: options.clock,
    journal: options.journal ?? true,
    exclusively: createMutex(),
    around: (run) =>
      options.threadContext
        ? options.threadContext.run((current ??= threadOn(handle, shared, options, () => undefined)), run)
        : run(),
  }
  return handle
}

function openLog({ store, feed, pieces }: BookContext, thread: string, options: OpenOptions): LiveLog {
  const { clock, sizeLimit, metadata = {} } = options
  const grown = (): void => feed.publish(thread, { type: 'grown' })
  return liveLog(store, thread, { clock, grown, first: metadataRecords(metadata), sizeLimit, pieces })
}

function siblingsOf(siblings: readonly BranchLink[] | undefined): Pick<VisibleEntry, 'siblings'> {
  return siblings ? { siblings } : {}
}
