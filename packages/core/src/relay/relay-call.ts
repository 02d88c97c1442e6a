import { unknownEntry } from '../log/log.ts'
import { isOwnText, isSystem, type Entry, type EntryDraft } from '../log/entry.ts'
import { fail, MinutebookError } from '../log/error.ts'
import type { LiveLog } from '../past/live-log.ts'
import { kindOf, readMessage, recordable, type Message } from '../log/message.ts'
import { pinnedIn } from '../log/pins.ts'
import { sizeOf } from '../log/stored-entry.ts'
import { inSlices, itemWork, type Steps } from '../log/time.ts'
import { messagesAsked, piecesAsSent, requestMessages } from '../receipts/derive.ts'
import { referenceMessages, type Finder, type Reference, type ReferenceList } from '../receipts/message-reference.ts'
import { requestHashing } from '../receipts/prompt.ts'
import { seenIn, type PreparedPrompt } from '../receipts/prompter.ts'
import {
  isReceipt,
  messagesIn,
  promptFacts,
  receiptFrom,
  type KeptReceipt,
  type RelayMode,
  type Stabiliser,
} from '../receipts/receipt.ts'
import { mayBeginEarlier, requestEntries, type RequestMessage } from '../receipts/request-entries.ts'
import { countNotWhole } from '../compiler/verdict.ts'
import { around, fits, type Meter, type Prediction, type Weight } from '../tokens/prediction.ts'
import { takeNotes } from '../turns/notes.ts'
import { recordUnsent, type CallSent } from '../turns/record-call.ts'
import type { TurnConfig, WindowOptions } from '../turns/turn-run.ts'
import { textsUpTo, type PlacedRequest, type RequestOptions } from './place-request.ts'
import { factsOf, moveVolatileLines, type RequestFacts } from './stabilise.ts'
import {
  compareWithPrevious,
  isFromRoot,
  lineBack,
  newestRequest,
  type EarlierCalls,
  type PromptMatch,
  type RelayPrompt,
} from './previous-call.ts'

/** How `thread.relay` handles a client's request. */
export interface RelayOptions extends RequestOptions, RequestFacts {
  /** The tools of the request. The client runs them. */
  readonly tools?: readonly unknown[] | undefined
  /**
   * Leave only an eighth of the window for the answer if nothing fits with the reserve: clients ask for far longer
   * answers than they get. Default: false.
   */
  readonly flexibleReserve?: boolean | undefined
  /** Send the messages unchanged: the caller knows that they fit. Default: only if they are predicted to fit. */
  readonly unchanged?: boolean | undefined
  /** The request has the thread's system text itself, next to the messages. Default: false, it must be added. */
  readonly instructed?: boolean | undefined
}

/** What the relays of a thread need. */
export interface RelayContext {
  readonly log: LiveLog
  readonly config: TurnConfig
  readonly meter: Meter
  /** True if tokens are estimated, not counted as the model does. */
  readonly isEstimated: boolean
  /** The thread's own system text. */
  readonly system: string | undefined
  /** Returns a function that finds entries by id. */
  readonly find: () => Finder
  readonly earlier: EarlierCalls
  /** What was already done with the tools. */
  readonly stabilised: readonly Stabiliser[]
  /** Returns the same for the window that a server named when it refused a prompt. */
  readonly refitted: (fitting: WindowOptions) => RelayContext
}

/** What is sent to the model, and what its receipt will say. The receipt is computed while the model works. */
export interface RelayCall extends PromptMatch {
  /** The settings that it is made with. */
  readonly config: TurnConfig
  readonly mode: RelayMode
  readonly messages: readonly Message[]
  readonly prediction: Prediction
  readonly notWhole: number
  /** The messages of the request, by reference. Undefined if the prompt was compiled from the branch. */
  readonly references: readonly Reference[] | undefined
  /** The number of its turn on its branch, counted from 1. */
  readonly turn: number
  /** What its receipt says of what is sent. */
  readonly sent: () => Promise<CallSent>
  /** Entries that must be recorded with the receipt, because it refers to them. */
  readonly forms: readonly EntryDraft[]
  /** Call it when the receipt is recorded. */
  readonly recorded: (receipt: KeptReceipt) => Promise<void>
}

/**
 * What is sent for a client's request. With `flexibleReserve`, less room is left for the answer if nothing fits
 * otherwise. If nothing fits at all, or the prompt cannot be made, a stop entry is recorded, and this throws
 * `context_overflow`, or why.
 */
export async function callFor(
  relaying: RelayContext,
  said: readonly Message[],
  placed: PlacedRequest,
  asking: RelayOptions,
): Promise<RelayCall> {
  try {
    return await callWithin(relaying, said, placed, asking)
  } catch (error) {
    if (!MinutebookError.isInstance(error)) throw error
    const isOverflow = error.code === 'window_overflow'
    const roomier = isOverflow && asking.flexibleReserve ? withMoreRoom(relaying) : undefined
    if (roomier) return callFor(roomier, said, placed, asking)
    const code = isOverflow ? 'context_overflow' : error.code
    const stopping = { status: 'failed', code, reason: error.problem, fix: error.fix } as const
    const place = { head: placed.head.id, owner: asking.owner }
    await recordUnsent(relaying.log, relaying.config, stopping, [], place)
    throw isOverflow ? new MinutebookError(code, error.problem, error.fix, error.details) : error
  }
}

/** With an eighth of the window for the answer, as if the client had asked for no length. */
function withMoreRoom({ config, refitted }: RelayContext): RelayContext | undefined {
  const { window, reserve } = config.settings
  const least = Math.floor(window / 8)
  if (reserve === null || reserve === undefined || reserve <= least) return undefined
  return refitted({ window, reserve: least, source: config.windowSource })
}

/**
 * Does a client's request pass through unchanged, or is a prompt compiled instead? It passes through if `unchanged`
 * says so, or if even the upper estimate fits and nothing must be added: the thread's system text (unless the request
 * has it, `instructed`), a pinned message that the client left out, or with `alone` the entries before it. With
 * `onlySent`, pins are not added, and a prompt is compiled from the messages alone. With `continues`, it is compiled
 * from the messages of that call and these.
 */
async function callWithin(
  relaying: RelayContext,
  said: readonly Message[],
  placed: PlacedRequest,
  asking: RelayOptions,
): Promise<RelayCall> {
  const { alone = false, after, onlySent = false, continues, unchanged = false, instructed = false } = asking
  const { config, system, log } = relaying
  const texts = await textsUpTo(log, placed.head.id)
  const { pins, seen } = await turnLine(log, placed.head.id)
  const own = system ? texts.findLast(isOwnText) : undefined
  const text = instructed ? own : undefined
  const before = placed.entries[0]?.parent ?? null
  const isFirst = before === null || (before === text?.id && text.parent === null)
  const known = new Set(placed.entries.map((entry) => entry?.id))
  const isComplete =
    (!system || text?.text === system) && (!alone || isFirst) && (onlySent || pins.every((id) => known.has(id)))
  if (unchanged || (config.notes === 'off' && !config.journal && isComplete)) {
    const messages = text ? [text.raw, ...said] : said
    const entries = text ? [text, ...placed.entries] : placed.entries
    const call = await unchangedCall(relaying, { messages, entries, texts, seen }, placed.head, asking)
    if (call) return call
  }
  const asked = await continuedMessages(relaying, continues, after)
  const instructions = own ? [{ entry: own, message: own.raw }] : []
  const prompt =
    onlySent || asked
      ? await promptOfRequest(relaying, said, placed, [...instructions, ...(asked ?? [])])
      : await promptOfBranch(relaying, placed.head)
  return compiledCall(relaying, prompt, placed.head, asking)
}

/** What a client sent, to be passed on. */
interface PassedRequest extends Pick<PreparedPrompt, 'seen'> {
  readonly messages: readonly Message[]
  /** For each message, its entry. */
  readonly entries: readonly (Entry | undefined)[]
  /** The newest system texts of its branch. */
  readonly texts: readonly Entry[]
}

/**
 * A call that passes the client's messages on, with nothing but what `stabilise` asks for changed in them. Undefined if
 * they may not fit.
 */
async function unchangedCall(
  relaying: RelayContext,
  { messages, entries, texts, seen }: PassedRequest,
  head: Entry,
  asking: RelayOptions,
): Promise<RelayCall | undefined> {
  const { meter, config, log, earlier } = relaying
  const { tools, window, reserve } = config.settings
  const stable = moveVolatileLines(await inSlices(recorded(messages), log.pause), texts, asking.stabilise)
  const plain = stable.value
  const { references, forms } = referenceMessages(plain, entries, relaying.find())
  const weights = await inSlices(
    weighed(meter, plain, (index) => idOf(references[index], entries[index])),
    log.pause,
  )
  const prediction = await inSlices(meter.predicting(weights, tools), log.pause)
  // An assumed window is no reason to change what a client sends.
  const mustFit = !asking.unchanged && config.windowSource !== 'assumed'
  if (mustFit && !fits(prediction, window, reserve ?? 0)) return undefined
  const base = await newestRequest(log, head.id)
  const keep = await config.prompter.passing(log, head.id)
  const stabilised = [...relaying.stabilised, ...stable.stabilised]
  const isChanged = stabilised.length > 0
  const call = await preparedCall(relaying, asking, seen, {
    mode: isChanged ? 'rewritten' : 'unchanged',
    stabilised,
    messages: plain,
    prediction,
    weights,
    pieces: () => piecesAsSent(plain),
    epoch: 0,
    references,
    isCompiled: false,
    facts: async () => ({
      hash: await inSlices(requestHashing(plain, tools), log.pause),
      verdicts: { verbatim: messages.length },
      sent: await inSlices(earlier.sent(base, references), log.pause),
    }),
    notWhole: 0,
    turn: plain.filter((message) => kindOf(message) === 'user').length,
    forms,
    recorded: async (receipt) => {
      earlier.remember(receipt, { references })
      await keep?.()
    },
  })
  return isChanged ? call : { ...call, messages }
}

/** A prompt that is sent instead of the client's messages. */
interface CompiledPrompt extends Pick<PreparedPrompt, 'prompt' | 'seen'> {
  /** Call it when the answer is recorded. */
  readonly keep: (() => Promise<void>) | undefined
  /** What it was compiled from, if that is not the branch. */
  readonly request?: ReferenceList
  /** The first entry of that which is not a system entry. */
  readonly since?: string | undefined
}

/** A call that sends a compiled prompt instead of the client's messages. */
async function compiledCall(
  relaying: RelayContext,
  { prompt, seen, keep, request, since }: CompiledPrompt,
  head: Entry,
  asking: RelayOptions,
): Promise<RelayCall> {
  const { meter, config, log, earlier, stabilised } = relaying
  const {
    messages,
    compiled: { plan, tokens, pieces },
  } = prompt
  const base = request && (await newestRequest(log, head.id))
  const weights = await inSlices(
    weighed(meter, messages, () => undefined),
    log.pause,
  )
  return preparedCall(relaying, asking, seen, {
    mode: 'rewritten',
    stabilised,
    messages,
    prediction: around(await inSlices(meter.predicting(weights, config.settings.tools), log.pause), tokens),
    weights,
    pieces: () => pieces,
    epoch: plan.epoch.number,
    references: request?.references,
    isCompiled: true,
    facts: async () => ({
      ...promptFacts(prompt),
      ...(request && { request: await inSlices(earlier.sent(base, request.references), log.pause) }),
      ...(request && since !== undefined && { since }),
    }),
    notWhole: countNotWhole(plan),
    turn: plan.exchanges,
    forms: request?.forms ?? [],
    recorded: async (receipt) => {
      earlier.remember(receipt, { prompt, references: request?.references })
      await keep?.()
    },
  })
}

/** A call that is about to be made, before it is compared with the one before. */
interface CallDraft extends Omit<RelayCall, keyof PromptMatch | 'config' | 'sent'>, Omit<RelayPrompt, 'references'> {
  readonly mode: RelayMode
  readonly messages: readonly Message[]
  readonly prediction: Prediction
  readonly stabilised: readonly Stabiliser[]
  /** True if Minutebook compiled the prompt. */
  readonly isCompiled: boolean
  /** What else the receipt says of what is sent. */
  readonly facts: () => Promise<Pick<CallSent, 'hash' | 'verdicts' | 'turn' | 'sent' | 'request' | 'since'>>
}

/** Compares a call with the one before, and puts together what its receipt will say. */
async function preparedCall(
  relaying: RelayContext,
  asking: RelayOptions,
  seen: PreparedPrompt['seen'],
  { stabilised, isCompiled, facts, weights, pieces, epoch, ...call }: CallDraft,
): Promise<RelayCall> {
  const { mode, messages, prediction, references } = call
  const asked = factsOf(asking, stabilised)
  const compared = { ...asked, mode, messages, references: isCompiled ? undefined : references }
  const match = await compareWithPrevious(relaying, { ...compared, pieces, epoch, weights, prediction })
  return {
    ...call,
    ...match,
    config: relaying.config,
    sent: async () => ({
      ...seen,
      ...asked,
      ...(await facts()),
      epoch,
      mode,
      tokens: { ...recordedPrediction(prediction), reused: await match.reused() },
      ...(asking.id !== undefined && { key: asking.id }),
    }),
  }
}

/** A prediction as a receipt has it: the range only if both of its ends are known. */
function recordedPrediction({ predicted, uncalibrated, low, high }: Prediction): Omit<CallSent['tokens'], 'reused'> {
  return {
    predicted,
    ...(low !== undefined && high !== undefined && { low, high }),
    ...(uncalibrated !== predicted && { uncalibrated }),
  }
}

/** The messages as they are recorded. */
function* recorded(messages: readonly Message[]): Steps<Message[]> {
  const plain: Message[] = []
  for (const message of messages) {
    const kept = recordable(message)
    plain.push(kept)
    yield itemWork + sizeOf(kept) / 4
  }
  return plain
}

/** Counts the tokens of each message. `idOf`: the id under which the count of the message at an index is cached. */
function* weighed(
  meter: Meter,
  messages: readonly Message[],
  idOf: (index: number) => string | undefined,
): Steps<Weight[]> {
  const weights: Weight[] = []
  for (const [index, message] of messages.entries()) weights.push(yield* meter.weighing(message, idOf(index)))
  return weights
}

/** A prompt of the branch that ends with `head`. */
async function promptOfBranch({ config, log }: RelayContext, head: Entry): Promise<CompiledPrompt> {
  // To place a history, a checkpoint without a fold was enough, or one with a fold under other settings.
  if (log.past.start && log.past.start.settings !== config.settingsHash)
    await log.sync({ settings: config.settingsHash, catchUp: config.prompter.catchUp(log) })
  return config.prompter.at(log, head.id)
}

/**
 * A prompt of what the client sent. `before`: the thread's own system text, and the messages of the call that it
 * continues.
 */
async function promptOfRequest(
  relaying: RelayContext,
  said: readonly Message[],
  placed: PlacedRequest,
  before: readonly RequestMessage[],
): Promise<CompiledPrompt> {
  const { config, log } = relaying
  const find = relaying.find()
  const fresh = (await inSlices(recorded(said), log.pause)).flatMap((message, index): RequestMessage[] => {
    const entry = placed.entries[index]
    // Only a message that was nothing but a note has no entry.
    return entry ? [{ entry, message: inRecordedForm(withoutKeptNotes(message, entry), entry) }] : []
  })
  const messages = [...before, ...fresh]
  const request = referenceMessages(
    messages.map(({ message }) => message),
    messages.map(({ entry }) => entry),
    find,
  )
  let line = await lineBack(log, placed.head.id)
  while (!isFromRoot(log, line.branch) && mayBeginEarlier(messages, line.branch)) {
    await log.past.earlier()
    line = await lineBack(log, placed.head.id)
  }
  const keep = await config.prompter.passing(log, placed.head.id)
  const prompt = await inSlices(config.prompter.ofRequest(requestEntries(messages, line.branch)), log.pause)
  const since = messages.find(({ entry }) => !isSystem(entry))?.entry.id
  return { prompt, seen: seenIn(line, placed.head.id), keep, request, since }
}

/** The branch that ends with a request: what a receipt says of it, and its pins. */
async function turnLine(
  log: LiveLog,
  head: string,
): Promise<{ readonly seen: PreparedPrompt['seen']; readonly pins: readonly string[] }> {
  const found = await log.line(
    head,
    (branch) =>
      branch.length > 0 && {
        seen: seenIn({ branch, length: log.length }, head),
        pins: [...(log.past.start?.pins ?? []), ...pinnedIn(branch)],
      },
  )
  if (found) return found
  await log.past.whole()
  return turnLine(log, head)
}

/**
 * What the call with the receipt `continues` was asked, and its answer `after`. Without a receipt, only what is at
 * `after`. Undefined if no call is continued, or one whose prompt was compiled from the branch.
 */
async function continuedMessages(
  { log, find }: RelayContext,
  continues: string | null | undefined,
  after: string | undefined,
): Promise<readonly RequestMessage[] | undefined> {
  if (continues === undefined) return undefined
  const entryAt = async (id: string): Promise<Entry> => {
    while (!find()(id) && log.past.start) await log.past.earlier()
    return find()(id) ?? fail(unknownEntry(id))
  }
  const last = after === undefined ? undefined : await entryAt(after)
  const answer = last ? [{ entry: last, message: last.raw }] : []
  const entry = continues === null ? undefined : await entryAt(continues)
  const call = entry && isReceipt(entry) ? receiptFrom(entry) : undefined
  if (!call) return answer
  // What was erased is missed only in the whole log.
  while (log.past.start && messagesIn(call) && !requestMessages(call, find())) await log.past.whole()
  const asked = messagesAsked(call, find(), (head) => log.branch(head))
  return asked && [...asked.filter((each) => each.entry.id !== last?.id), ...answer]
}

/**
 * A message whose only content is one text, as a text or as a block like the record. Clients mark the newest message for
 * the cache of the server, which takes a block, and send it as a text again later: the prompt has one form of it, or
 * every byte after it would be read anew.
 */
function inRecordedForm(message: Message, { raw }: Entry): Message {
  const [said, recorded] = [onlyText(message.content), onlyText(raw.content)]
  if (said === undefined || said.text !== recorded?.text || said.isBlock === recorded.isBlock || said.isMarked)
    return message
  return { ...message, content: recorded.isBlock ? [{ type: 'text', text: said.text }] : said.text }
}

/** The text of a content that is nothing else. Of a block, only a mark for the cache may be more. */
function onlyText(
  content: unknown,
): { readonly text: string; readonly isBlock: boolean; readonly isMarked: boolean } | undefined {
  if (typeof content === 'string') return { text: content, isBlock: false, isMarked: false }
  const [block, ...others] = Array.isArray(content) ? (content as readonly unknown[]) : []
  const { type, text, cache_control: mark, ...more } = Object(block) as Readonly<Record<string, unknown>>
  if (others.length > 0 || type !== 'text' || typeof text !== 'string' || Object.keys(more).length > 0) return undefined
  return { text, isBlock: true, isMarked: mark !== undefined }
}

/** A message as it is recorded. If the thread takes no notes, they are a part of the message. */
function withoutKeptNotes(message: Message, entry: Entry): Message {
  const { message: rest } = takeNotes(message, 'exact')
  if (rest === message) return message
  const { text, calls } = readMessage(message)
  return text.trim() === entry.text.trim() && calls.length === entry.calls.length ? message : rest
}

/** The id under which the count of a message is cached. Only if the message is exactly its entry as recorded. */
function idOf(reference: unknown, entry: Entry | undefined): string | undefined {
  return typeof reference === 'string' && entry?.status !== 'erased' ? reference : undefined
}
