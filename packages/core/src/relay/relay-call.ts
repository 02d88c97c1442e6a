import { newestOf } from '../log/branch.ts'
import type { Entry, EntryDraft } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { isOperatorMessage } from '../log/log-reader.ts'
import type { LiveLog } from '../log/log.ts'
import { recordable, type Message } from '../log/message.ts'
import { sizeOf } from '../log/stored-entry.ts'
import { inSlices, itemWork, type Steps } from '../log/time.ts'
import { referencesIn } from '../receipts/derive.ts'
import {
  leading,
  referenceMessages,
  sentAfter,
  type Finder,
  type Reference,
  type SentByReference,
} from '../receipts/message-reference.ts'
import { requestHashing, type Prompt } from '../receipts/prompt.ts'
import {
  countNotWhole,
  isReceipt,
  isTaken,
  receiptFrom,
  turnVerdicts,
  verdictCounts,
  type KeptReceipt,
  type Receipt,
  type RelayMode,
} from '../receipts/receipt.ts'
import { around, fits, type Meter, type Prediction, type Weight } from '../tokens/prediction.ts'
import { appendOrThrowFenced, stopDrafts } from '../turns/stop-turn.ts'
import type { TurnConfig, WindowOptions } from '../turns/turn-run.ts'
import type { PlacedRequest } from './place-request.ts'

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
  readonly earlier: PreviousCalls
  /** Returns the same for the window that a server named when it refused a prompt. */
  readonly refitted: (fitting: WindowOptions) => RelayContext
}

/** What is sent to the model, and what its receipt will say. The receipt is computed while the model works. */
export interface RelayCall {
  readonly mode: RelayMode
  readonly messages: readonly Message[]
  readonly prediction: Prediction
  readonly notWhole: number
  readonly reused: () => Promise<number>
  readonly receipt: () => Promise<Omit<Receipt, 'outcome' | 'tokens'>>
  /** Entries that must be recorded with the receipt, because it refers to them. */
  readonly forms: readonly EntryDraft[]
  /** Call it when the receipt is recorded. */
  readonly recorded?: (receipt: KeptReceipt) => void
}

type Asking = { readonly [Option in 'alone' | 'unchanged' | 'instructed']?: boolean | undefined }

/**
 * Does a client's request pass through unchanged, or is a prompt compiled instead? It passes through if `unchanged`
 * says so, or if even the upper estimate fits and nothing must be added. `alone`: the entries before it must be added.
 * `instructed`: the request has the system text, so that need not be added.
 */
export async function callFor(
  relaying: RelayContext,
  said: readonly Message[],
  placed: PlacedRequest,
  { alone = false, unchanged = false, instructed = false }: Asking,
): Promise<RelayCall> {
  const { meter, config, system, log, earlier } = relaying
  const { tools, window, reserve } = config.settings
  const branch = log.branch(placed.head.id)
  const text = instructed && system ? branch.findLast(isOperatorMessage) : undefined
  const before = placed.entries[0]?.parent ?? null
  const isFirst = before === null || (before === text?.id && text.parent === null)
  const isPlain = config.notes === 'off' && !config.journal && (!system || text?.text === system) && (!alone || isFirst)
  if (!isPlain && !unchanged) return rewritten(relaying, placed.head)
  const messages = text ? [text.raw, ...said] : said
  const entries = text ? [text, ...placed.entries] : placed.entries
  const plain = await inSlices(recorded(messages), log.pause)
  const { references, forms } = referenceMessages(plain, entries, relaying.find())
  const weights = await inSlices(
    weighed(meter, plain, (index) => idOf(references[index], entries[index])),
    log.pause,
  )
  const prediction = await inSlices(meter.predicting(weights, tools), log.pause)
  // An assumed window is no reason to change what a client sends.
  if (!unchanged && config.windowSource !== 'assumed' && !fits(prediction, window, reserve ?? 0))
    return rewritten(relaying, placed.head)
  const seen = seenIn(relaying, branch, placed.head)
  return {
    mode: 'unchanged',
    messages,
    prediction,
    notWhole: 0,
    reused: reusing(relaying, plain, references, weights),
    receipt: async () => ({
      ...seen,
      hash: await inSlices(requestHashing(plain, tools), log.pause),
      epoch: 0,
      verdicts: { verbatim: messages.length },
      mode: 'unchanged',
      sent: earlier.sent(branch, references),
    }),
    forms,
    recorded: (receipt) => earlier.remember(receipt, { references }),
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

/** Compiles a prompt instead of the client's messages. */
async function rewritten(relaying: RelayContext, head: Entry): Promise<RelayCall> {
  const { meter, config, log, earlier } = relaying
  const {
    messages,
    compiled: { plan, tokens },
    hash,
  } = await compiled(relaying, head)
  const turn = turnVerdicts(plan)
  const weights = await inSlices(
    weighed(meter, messages, () => undefined),
    log.pause,
  )
  const seen = seenIn(relaying, log.branch(head.id), head)
  return {
    mode: 'rewritten',
    messages,
    prediction: around(await inSlices(meter.predicting(weights, config.settings.tools), log.pause), tokens),
    notWhole: countNotWhole(plan),
    reused: reusing(relaying, messages, undefined, weights),
    receipt: async () => ({
      ...seen,
      hash,
      epoch: plan.epoch.number,
      verdicts: verdictCounts(plan),
      ...(turn && { turn }),
      mode: 'rewritten',
    }),
    forms: [],
    recorded: (receipt) => earlier.remember(receipt, { messages }),
  }
}

/**
 * Returns a function that computes how many tokens this prompt has in common with the beginning of the newest recorded
 * call, on any branch.
 */
function reusing(
  { log, config, earlier }: RelayContext,
  messages: readonly Message[],
  references: readonly Reference[] | undefined,
  weights: readonly Weight[],
): () => Promise<number> {
  const entry = log.entries.findLast(isTaken)
  let reused: Promise<number> | undefined
  const find = async (): Promise<number> => {
    if (!entry) return 0
    const before = receiptFrom(entry)
    const common = await inSlices(
      earlier.common(before, messages, references, () => config.prompter.sentBy(log, before)),
      log.pause,
    )
    return weights.slice(0, common).reduce((sum, { predicted }) => sum + predicted, 0)
  }
  return () => (reused ??= find())
}

/**
 * Compiles the prompt of a branch. If that fails, records a stop entry and throws: `context_overflow` if nothing fits.
 */
async function compiled({ log, config }: RelayContext, head: Entry): Promise<Prompt> {
  try {
    return await inSlices(config.prompter.at(log, head.id), log.pause)
  } catch (error) {
    if (!MinutebookError.isInstance(error)) throw error
    const code = error.code === 'window_overflow' ? 'context_overflow' : error.code
    const stopping = { status: 'failed', code, reason: error.problem, fix: error.fix } as const
    await appendOrThrowFenced(log.append(stopDrafts(log, { journal: false }, stopping), { after: head.id }))
    throw code === error.code ? error : new MinutebookError(code, error.problem, error.fix, error.details)
  }
}

/** The part of the log that the prompt was made from. Entries that arrive during the call are not part of it. */
function seenIn(
  { log, config }: RelayContext,
  branch: readonly Entry[],
  head: Entry,
): Pick<Receipt, 'version' | 'head' | 'upto' | 'length' | 'settings' | 'windowSource'> {
  return {
    version: 1,
    head: head.id,
    upto: newestOf(branch),
    length: log.length,
    settings: config.settingsHash,
    ...(config.windowSource && { windowSource: config.windowSource }),
  }
}

/** The id under which the count of a message is cached. Only if the message is exactly its entry as recorded. */
function idOf(reference: unknown, entry: Entry | undefined): string | undefined {
  return typeof reference === 'string' && entry?.status !== 'erased' ? reference : undefined
}

/** What did earlier calls send? Remembers the last one, because the next call usually builds on it. */
interface PreviousCalls {
  /** What the receipt records as sent: only the difference to the newest unchanged call of the branch. */
  sent(branch: readonly Entry[], references: readonly Reference[]): SentByReference
  /**
   * The number of messages with which both this call and the one before it begin. `derive`: returns the messages of a
   * rewritten call.
   */
  common(
    before: KeptReceipt,
    messages: readonly Message[],
    references: readonly Reference[] | undefined,
    derive: () => Steps<readonly Message[]>,
  ): Steps<number>
  /** Remembers a call that is recorded now: the references of an unchanged one, or the messages of a rewritten one. */
  remember(
    receipt: KeptReceipt,
    sent: { readonly references: readonly Reference[] } | { readonly messages: readonly Message[] },
  ): void
}

/** A remembered call. After an erasure there is another finder, and what was remembered does not count. */
interface Remembered {
  readonly id: string
  readonly find: Finder
}

export function createEarlier(find: () => Finder): PreviousCalls {
  let last: (Remembered & { readonly references: readonly Reference[] | undefined }) | undefined
  let lastRewritten: (Remembered & { readonly messages: readonly Message[] }) | undefined
  const referencesOf = (receipt: KeptReceipt): readonly Reference[] | undefined => {
    const finder = find()
    // Another finder means that something was erased since.
    if (last?.id !== receipt.id || last.find !== finder)
      last = { find: finder, id: receipt.id, references: referencesIn(receipt, finder) }
    return last.references
  }
  return {
    sent: (branch, references) => {
      const base = newestSent(branch)
      const earlier = base && referencesOf(base)
      return sentAfter(references, earlier && { id: base.id, references: earlier })
    },
    common: function* (before, messages, references, derive) {
      const earlier = references && before.sent ? referencesOf(before) : undefined
      if (earlier && references) return leading(earlier, references)
      const isRemembered = lastRewritten?.id === before.id && lastRewritten.find === find()
      return leading(isRemembered ? lastRewritten!.messages : yield* derive(), messages)
    },
    remember: ({ id }, sent) => {
      if ('references' in sent) last = { find: find(), id, ...sent }
      else lastRewritten = { find: find(), id, ...sent }
    },
  }
}

/**
 * The newest receipt on the branch with a list of references. On the same branch, so that a fork contains all that its
 * receipts refer to.
 */
function newestSent(branch: readonly Entry[]): KeptReceipt | undefined {
  for (const entry of branch.toReversed()) {
    const receipt = isReceipt(entry) ? receiptFrom(entry) : undefined
    if (receipt?.sent) return receipt
  }
  return undefined
}
