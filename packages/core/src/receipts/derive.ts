import { sha256 } from '#sha256'
import { entryTitle } from '../compiler/framing.ts'
import type { CompileResult, Plan, Span } from '../compiler/compile.ts'
import { refold, type Fold } from '../compiler/fold.ts'
import { settingsOf, type CompileOptions } from '../compiler/settings.ts'
import { followBranch, history } from '../log/log.ts'
import { isOwnText, isSystem, type Entry } from '../log/entry.ts'
import { fail, isNotLoaded, MinutebookError, notLoadedError } from '../log/error.ts'
import { exchanges } from '../log/exchange.ts'
import { traits } from '../log/kind.ts'
import type { Checkpoint } from '../past/checkpoint.ts'
import { recallFrom } from '../past/stored-index.ts'
import type { StoredLog } from '../past/stored-log.ts'
import { readMessage, type Message } from '../log/message.ts'
import { createPauses, inSlices, type Clock, type Steps } from '../log/time.ts'
import { createMeter, fits } from '../tokens/prediction.ts'
import {
  createFinder,
  entryOfReference,
  referencesOf,
  referredBy,
  type Finder,
  type Reference,
  type SentByReference,
} from './message-reference.ts'
import { messagesOf, requestEntries, type RequestMessage } from './request-entries.ts'
import { createFoldCache, type FoldCache } from '../past/fold-branch.ts'
import { promptOf, requestHash, type Prompt } from './prompt.ts'
import {
  isReceipt,
  messagesIn,
  optionsFor,
  receiptFrom,
  settingsFrom,
  type CallSettings,
  type Functions,
  type Receipt,
  type RequestReceipt,
} from './receipt.ts'

/** The settings of past model calls, and the fold cache that makes prompts under them. */
export interface DeriveContext {
  readonly settings: CallSettings
  readonly follow: FoldCache
}

/** Where the loaded part of a log begins. Default: with its first entry. */
export interface LogStart {
  readonly start?: Checkpoint | undefined
  readonly stored?: StoredLog | undefined
}

/**
 * Derives the prompt of a receipt. With `changes`, under these options in place of those that the deriver has, such as
 * another window. This costs less than another deriver: the entries are not counted again if the counter is the same.
 */
export type DeriveFunction = (receipt: Receipt, changes?: Partial<CompileOptions>) => Promise<Prompt>

/** Derives the prompt of a receipt in steps. */
export type DeriveSteps = (receipt: Receipt, changes?: Partial<CompileOptions>) => Steps<Prompt>

/**
 * What did the model see? Derives the prompts of past model calls from a log and its receipts. With `changes`, under
 * other options. Compare the hash with the receipt's to see whether it is the prompt that was sent. Throws
 * `cannot_derive` if something that it was made of is gone. Cheapest if receipts are passed in their order. With a
 * clock that can pause, others can work in between.
 *
 * @example
 * const derive = createDeriver(await store.read('garden'), { counter })
 * const { messages, hash } = await derive(receipt)
 */
export function createDeriver(
  log: readonly Entry[],
  { clock, ...functions }: Pick<CompileOptions, 'counter' | 'digesters'> & { readonly clock?: Clock | undefined } = {},
  changes: Partial<CompileOptions> = {},
): DeriveFunction {
  const derive = createDeriving(log, functions, changes)
  const pause = createPauses(clock)
  return (...call) => inSlices(derive(...call), pause)
}

/**
 * Derives prompts in steps, so that others can work in between. `known`: derivations that the caller already has, by the
 * hash of their settings. `start`: the checkpoint before `log`, if that is only the end of a log, and how to read what
 * is `stored` of it. It then throws `not_loaded` if the end is not enough.
 */
export function createDeriving(
  log: readonly Entry[],
  functions: Functions,
  changes: Partial<CompileOptions> = {},
  known: Map<string, DeriveContext> = new Map(),
  { start, stored }: LogStart = {},
): DeriveSteps {
  const places = new Map(log.map(({ id }, index) => [id, index]))
  const follow = followBranch(log, start?.head)
  const line = (head: string, length: number): readonly Entry[] => follow(head, length) ?? fail(goneError(start))
  const find = createFinder(log)
  const settingsBy = new Map<string, CallSettings>()
  const settingsAt = ({ settings: hash }: Receipt): CallSettings => {
    const settings =
      known.get(hash)?.settings ??
      settingsBy.get(hash) ??
      recordedSettings(log, hash) ??
      fail(cannotDeriveError('the settings of this model call were erased'))
    settingsBy.set(hash, settings)
    return settings
  }
  /** The folds of requests, by the hash of their settings. */
  const requests = new Map<string, FoldCache>()
  return function* (receipt, more) {
    if (start && (start.settings !== receipt.settings || !places.has(receipt.upto) || messagesIn(receipt)))
      throw notLoadedError()
    // Entries that came later, on any branch, did not exist at the time of the call.
    const upto = places.get(receipt.upto) ?? fail(cannotDeriveError('an entry of this model call is not in the log'))
    const settings = settingsAt(receipt)
    const came = receipt.sent && passThroughPrompt(receipt, settings, line(receipt.head, upto + 1), find)
    if (came && fitsStill(came, settings, functions, { ...changes, ...more })) return came
    const options = (): CompileOptions => ({ ...optionsFor(settings, functions), ...changes })
    const changed = function* (fold: Fold): Steps<Fold> {
      if (!more) return fold
      yield fold.length * replayWork
      return refold(fold, { ...fold.settings.options, ...more })
    }
    if (receipt.request) {
      const follow = requests.get(receipt.settings) ?? createFoldCache(options())
      requests.set(receipt.settings, follow)
      const entries = entriesOfRequest(receipt, line(receipt.head, upto + 1), find)
      return yield* requestPrompt(yield* changed(yield* follow(entries)), settings)
    }
    const { follow } = known.get(receipt.settings) ?? {
      follow: createFoldCache(options()),
    }
    known.set(receipt.settings, { settings, follow })
    const fold = yield* changed(yield* follow(line(receipt.head, upto + 1), start))
    return yield* promptOf(fold, settings.tools, settings.wire, stored && recallFrom(stored))
  }
}

/** What it takes to find the epochs of one entry again, in the unit of `Steps`. */
const replayWork = 100

/** True if a prompt that was passed through unchanged would also have been passed through under other options. */
function fitsStill(
  { messages, tools }: Prompt,
  settings: CallSettings,
  functions: Functions,
  changes: Partial<CompileOptions>,
): boolean {
  if (Object.keys(changes).length === 0) return true
  const {
    prices: { counter },
    window,
    reserve,
  } = settingsOf({ ...optionsFor(settings, functions), ...changes })
  const meter = createMeter(counter)
  return fits(
    meter.predict(
      messages.map((message) => meter.message(message)),
      tools,
    ),
    window,
    reserve,
  )
}

/** Returns the prompt, or undefined if it cannot be derived. */
export function* derivable(derive: DeriveSteps, receipt: Receipt): Steps<Prompt | undefined> {
  try {
    return yield* derive(receipt)
  } catch (error) {
    if (MinutebookError.isInstance(error) && !isNotLoaded(error)) return undefined
    throw error
  }
}

/** The settings with this hash. Undefined if they were erased. */
export function recordedSettings(log: readonly Entry[], hash: string): CallSettings | undefined {
  const entry = log.find(({ kind, text }) => kind === 'settings' && sha256(text) === hash)
  return entry && settingsFrom(entry)
}

/** The error if a log does not have the branch of a call. */
function goneError(start: Checkpoint | undefined): MinutebookError {
  return start ? notLoadedError() : cannotDeriveError('an entry of this model call is not in the log')
}

function cannotDeriveError(why: string): MinutebookError {
  return new MinutebookError(
    'cannot_derive',
    `This prompt cannot be derived any more: ${why}.`,
    'Restore the log from an earlier export.',
  )
}

/** The references of a request. Undefined if a receipt that it builds on is gone. */
export function referencesIn(receipt: RequestReceipt, find: Finder): readonly Reference[] | undefined {
  const sent = messagesIn(receipt)
  const sentOf = (id: string): SentByReference | undefined => {
    const entry = find(id)
    return entry && isReceipt(entry) ? messagesIn(receiptFrom(entry)) : undefined
  }
  return sent && referencesOf(sent, sentOf)
}

/** The messages of a request. Undefined if one of them, or a receipt that it builds on, is gone. */
export function requestMessages(receipt: RequestReceipt, find: Finder): readonly RequestMessage[] | undefined {
  const references = referencesIn(receipt, find)
  return references && messagesOf(references, find)
}

/**
 * What a recorded call was asked: the messages of its request, and those of the calls that it continues. Without the
 * thread's own system text. If that cannot be derived any more, what is left of them. Undefined if the prompt was
 * compiled from the branch. `branchTo`: the branch that ends with an entry.
 */
export function messagesAsked(
  receipt: RequestReceipt & Pick<Receipt, 'head'>,
  find: Finder,
  branchTo: (head: string) => readonly Entry[],
): readonly RequestMessage[] | undefined {
  if (!messagesIn(receipt)) return undefined
  const messages = requestMessages(receipt, find)
  if (messages) return messages.filter(({ entry }) => !isOwnText(entry))
  const branch = receipt.since === undefined ? [] : branchTo(receipt.head)
  const first = branch.findIndex(({ id }) => id === receipt.since)
  const left = first < 0 ? [] : branch.slice(first)
  // System messages may be of other requests.
  return left
    .filter((entry) => traits[entry.kind].chained && !isSystem(entry))
    .map((entry) => ({ entry, message: entry.raw }))
}

/**
 * What a recorded call was asked, as entries of the log with what the request says of each. Undefined if its prompt was
 * compiled from the branch. `receipt`: the id of its receipt.
 *
 * @example
 * const asked = askedIn(await store.read('garden'), receipt.id)?.map(({ raw }) => raw)
 */
export function askedIn<E extends Entry>(log: readonly E[], receipt: string): E[] | undefined {
  const byId = new Map(log.map((entry) => [entry.id, entry]))
  const find: Finder = (id) => byId.get(id)
  const entry = find(receipt)
  const asked =
    entry && isReceipt(entry) ? messagesAsked(receiptFrom(entry), find, (head) => history(log, { head })) : undefined
  return (
    asked &&
    requestEntries(
      asked.filter((each) => each.entry.status !== 'erased'),
      [],
    ).map((sent) => ({ ...byId.get(sent.id)!, ...sent }))
  )
}

/** The entries that the prompt of a call was compiled from. `branch`: as of the call. Throws `cannot_derive`. */
function entriesOfRequest(receipt: RequestReceipt, branch: readonly Entry[], find: Finder): Entry[] {
  const references =
    referencesIn(receipt, find) ?? fail(cannotDeriveError('the receipt of a call that it builds on was erased'))
  const messages =
    messagesOf(references, find) ?? fail(cannotDeriveError('an entry of this model call is not in the log'))
  return requestEntries(messages, branch)
}

/** The prompt that holds only what a request sent. `fold`: of the entries of that request, all of which are in memory. */
export function* requestPrompt(fold: Fold, { tools, wire }: Pick<CallSettings, 'tools' | 'wire'>): Steps<Prompt> {
  return { ...(yield* promptOf(fold, tools, wire)), ofRequest: true }
}

/** The prompt of a call that was passed through unchanged. `branch`: its entries at the time of the call. */
function passThroughPrompt(receipt: Receipt, settings: CallSettings, branch: readonly Entry[], find: Finder): Prompt {
  const references =
    referencesIn(receipt, find) ?? fail(cannotDeriveError('the receipt of a call that it builds on was erased'))
  const messages = references.map(
    (reference) =>
      referredBy(reference, find) ?? fail(cannotDeriveError('an entry of this model call is not in the log')),
  )
  const ids = references.map((reference) => entryOfReference(reference, find))
  const { tools } = settings
  const planned = branch.filter(({ kind }) => traits[kind].prompted)
  const plan = planOf(receipt, settings, planned, new Set(ids))
  const places = new Map(planned.map(({ id }, index) => [id, index]))
  const pieces = messages.map((message, index) => [pieceOf(message, places.get(ids[index] ?? ''))])
  return {
    messages,
    tools,
    compiled: { messages: [...messages], plan, tokens: plan.tokens, pieces },
    hash: requestHash(messages, tools),
    unchanged: true,
    planned: () => planned,
  }
}

/**
 * Nothing was chosen by Minutebook here: all that the client sent is verbatim, and the client left out the rest of the
 * branch.
 */
function planOf(
  { tokens: { predicted } }: Receipt,
  { policy, counter, window, reserve }: CallSettings,
  entries: readonly Entry[],
  sent: ReadonlySet<string | undefined>,
): Plan {
  const found = exchanges(entries)
  const part = {
    shape: 'entries',
    tier: 'verbatim',
    from: 0,
    to: entries.length,
    reasoningFrom: 0,
    systems: true,
    notes: false,
    clips: [],
    tokens: predicted,
  } as const
  return {
    policy: policy.name,
    counter,
    digesters: [],
    window,
    reserve: reserve ?? 0,
    tokens: predicted,
    tools: 0,
    overhead: 0,
    entries: entries.length,
    exchanges: found.length,
    epoch: { number: 0, since: 0 },
    overflow: 0,
    parts: [part],
    spans: spansOf(entries, sent, found),
  }
}

/** One span for each exchange. More, if a part of an exchange was not sent. */
function spansOf(
  entries: readonly Entry[],
  sent: ReadonlySet<string | undefined>,
  found: ReturnType<typeof exchanges>,
): Span[] {
  const spans: Span[] = []
  let exchange = -1
  for (const [index, { id, kind, text }] of entries.entries()) {
    if (found[exchange + 1]?.from === index) exchange++
    const [verdict, reason] = !traits[kind].chained
      ? (['hidden', 'no part of it'] as const)
      : sent.has(id)
        ? (['verbatim', 'sent unchanged'] as const)
        : (['omitted', 'left out by the client'] as const)
    const notes = traits[kind].chained ? 0 : 1
    const last = spans.at(-1)
    if (last?.verdict === verdict && last.exchange === exchange)
      spans[spans.length - 1] = { ...last, to: index + 1, notes: last.notes + notes }
    else
      spans.push({
        from: index,
        to: index + 1,
        exchange,
        last: exchange,
        verdict,
        tier: verdict === 'verbatim' ? 'verbatim' : null,
        tokens: 0,
        notes,
        reason,
        title: entryTitle({ kind, text }),
      })
  }
  return spans
}

function pieceOf(message: Message, place: number | undefined): CompileResult['pieces'][number][number] {
  const { kind, text } = readMessage(message)
  return {
    label: traits[kind].label,
    text,
    tier: kind === 'system' ? 'system' : 'verbatim',
    ...(place !== undefined && { entries: [place] }),
  }
}

/** The pieces of messages that were sent unchanged. */
export function piecesAsSent(messages: readonly Message[]): CompileResult['pieces'] {
  return messages.map((message) => [pieceOf(message, undefined)])
}

/** True if an entry that the prompt of a call was made of, or may have been made of, was erased since. */
export type ErasureCheck = (receipt: Receipt) => boolean

export function createErasedSince(log: readonly Entry[]): ErasureCheck {
  const first = log.findIndex(isErased)
  if (first < 0) return () => false
  const places = new Map(log.map(({ id }, index) => [id, index]))
  const line = followBranch(log)
  return (receipt) => {
    const { head, upto } = receipt
    const length = (places.get(upto) ?? log.length) + 1
    if (first >= length) return false
    // A request may also name entries of other branches.
    return messagesIn(receipt) !== undefined || line(head, length)?.some(isErased) === true
  }
}

function isErased({ status }: Entry): boolean {
  return status === 'erased'
}
