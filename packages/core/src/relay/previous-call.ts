import { endOf } from '../log/log.ts'
import type { Entry } from '../log/entry.ts'
import { canonicalJson } from '../log/json.ts'
import { traits } from '../log/kind.ts'
import type { LiveLog } from '../past/live-log.ts'
import type { StoredEntry } from '../log/store.ts'
import type { Message } from '../log/message.ts'
import { inSlices, reading, type Steps } from '../log/time.ts'
import { piecesAsSent, recordedSettings, referencesIn } from '../receipts/derive.ts'
import {
  leading,
  referredBy,
  sentAfter,
  type Finder,
  type Reference,
  type SentByReference,
} from '../receipts/message-reference.ts'
import type { Prompt } from '../receipts/prompt.ts'
import { newestCall } from '../receipts/prompter.ts'
import {
  isReceipt,
  messagesIn,
  receiptFrom,
  type CallSettings,
  type KeptReceipt,
  type Receipt,
} from '../receipts/receipt.ts'
import type { Prediction, Weight } from '../tokens/prediction.ts'
import type { TurnConfig } from '../turns/turn-run.ts'

/** A call that is compared with the one before it. */
export interface RelayPrompt
  extends Pick<Receipt, 'epoch' | 'promptOptions' | 'between'>, Required<Pick<Receipt, 'mode'>> {
  readonly messages: readonly Message[]
  /** Undefined if Minutebook made the prompt. */
  readonly references: readonly Reference[] | undefined
  readonly pieces: () => Prompt['compiled']['pieces']
  readonly weights: readonly Weight[]
  readonly prediction: Prediction
}

/** What a call has in common with the newest recorded call of the thread, on any branch. Computed on demand. */
export interface PromptMatch {
  /** The tokens of the whole messages that both begin with. */
  readonly reused: () => Promise<number>
  /** Undefined if the previous prompt cannot be derived any more. */
  readonly previous: () => Promise<PreviousCall | undefined>
}

/** The newest recorded call of a thread before a relay, on any branch, and what the relay changes in its prompt. */
export interface PreviousCall {
  /** Absent if the relay is the first call of the thread. */
  readonly receipt?: KeptReceipt
  /** What the server answered since. Absent if nothing, or if that is not known. */
  readonly between?: Receipt['between']
  /** The tokens that the relay adds, by the counter before calibration, or both prompts if it changes more. */
  readonly change: { readonly added: number } | { readonly now: CallPrompt; readonly before: CallPrompt }
}

/** A prompt, with what its receipt and its settings say of it. */
export interface CallPrompt extends Pick<Prompt, 'messages' | 'unchanged'> {
  /** For each message, the pieces that it is made of. */
  readonly pieces: Prompt['compiled']['pieces']
  readonly receipt: Pick<Receipt, 'epoch' | 'promptOptions' | 'options' | 'mode'>
  readonly settings: CallSettings
}

/** The log, and what compares calls in it. */
interface ComparingContext {
  readonly log: LiveLog
  readonly config: TurnConfig
  readonly earlier: EarlierCalls
}

/** What did the call before send, and what of it is in this one? */
export async function compareWithPrevious(comparing: ComparingContext, call: RelayPrompt): Promise<PromptMatch> {
  const { log } = comparing
  const before = await inSlices(newestCall(log), log.pause)
  const count = async (): Promise<number> => (before ? inSlices(reusedOf(comparing, call, before), log.pause) : 0)
  const find = async (): Promise<PreviousCall | undefined> => {
    const { between, prediction } = call
    const added = { added: prediction.uncalibrated }
    const change = before ? await inSlices(changeFrom(comparing, call, before), log.pause) : added
    return change && { ...(before && { receipt: before }), ...(between && { between }), change }
  }
  return { reused: onDemand(count), previous: onDemand(find) }
}

/** Does the work once, for the first caller. If it fails, because the store could not be reached, the next one tries again. */
function onDemand<T>(work: () => Promise<T>): () => Promise<T> {
  let known: Promise<T> | undefined
  return () =>
    (known ??= work().catch((error: unknown) => {
      known = undefined
      throw error
    }))
}

function* reusedOf(comparing: ComparingContext, call: RelayPrompt, before: KeptReceipt): Steps<number> {
  const { common } = yield* commonOf(comparing, call, before)
  return call.weights.slice(0, common).reduce((sum, { predicted }) => sum + predicted, 0)
}

/** The number of messages with which both calls begin, and whether that is the whole of the previous one. */
function* commonOf(
  { log, config, earlier }: ComparingContext,
  { messages, references }: RelayPrompt,
  before: KeptReceipt,
): Steps<{ readonly common: number; readonly isGrown: boolean }> {
  const known = references && before.sent ? yield* earlier.references(before) : undefined
  const [theirs, mine] =
    known && references
      ? [known, references]
      : [
          (yield* earlier.prompt(before, () => reading(() => config.prompter.sentBy(log, before))))?.messages ?? [],
          messages,
        ]
  const common = leading(theirs, mine)
  return { common, isGrown: common > 0 && common === theirs.length }
}

/** Most calls only add messages. Then nothing more needs to be compared. */
function* changeFrom(
  comparing: ComparingContext,
  call: RelayPrompt,
  before: KeptReceipt,
): Steps<PreviousCall['change'] | undefined> {
  const { log, config, earlier } = comparing
  const { settings, settingsHash } = config
  const { messages, weights, epoch, mode, promptOptions = {} } = call
  const { common, isGrown } = yield* commonOf(comparing, call, before)
  const isSame =
    before.settings === settingsHash && canonicalJson(before.promptOptions ?? {}) === canonicalJson(promptOptions)
  if (isSame && isGrown)
    return { added: weights.slice(common).reduce((sum, { uncalibrated }) => sum + uncalibrated, 0) }
  const sent = yield* earlier.prompt(before, () => reading(() => config.prompter.sentBy(log, before)))
  const under = before.settings === settingsHash ? settings : yield* settingsOf(log, before)
  if (!sent || !under) return undefined
  const unchanged = call.references !== undefined
  const now = { messages, pieces: call.pieces(), unchanged, receipt: { epoch, mode, promptOptions }, settings }
  return { now, before: { ...sent, receipt: before, settings: under } }
}

/** The settings of an earlier call. Undefined if they were erased. */
function* settingsOf(log: LiveLog, { settings }: KeptReceipt): Steps<CallSettings | undefined> {
  const { start } = log.past
  const known = recordedSettings(log.entries, settings)
  if (known || !start) return known
  const [, seq] = start.landmarks?.settings.find(([hash]) => hash === settings) ?? []
  const older = seq === undefined ? [] : yield* reading(() => log.stored.entries([seq]))
  const found = recordedSettings(older, settings)
  if (found) return found
  yield* reading(() => log.past.whole())
  return recordedSettings(log.entries, settings)
}

/** The prompt of an earlier call, as far as it is compared. */
type EarlierPrompt = Omit<CallPrompt, 'receipt' | 'settings'>

/** What did earlier calls send? Remembers the last one, because the next call usually builds on it. */
export interface EarlierCalls {
  /** What the receipt records of a request: only the difference to `base`, the newest such receipt of the branch. */
  sent(base: KeptReceipt | undefined, references: readonly Reference[]): Steps<SentByReference>
  /** The references of a call's request. Undefined if a receipt that it builds on is gone. */
  references(receipt: KeptReceipt): Steps<readonly Reference[] | undefined>
  /** The prompt of a call. `derive`: derives the prompt of a rewritten one. Undefined if that is not possible. */
  prompt(receipt: KeptReceipt, derive: () => Steps<Prompt | undefined>): Steps<EarlierPrompt | undefined>
  /** Remembers a call that is recorded now: the references of its request, and the prompt of a rewritten one. */
  remember(
    receipt: KeptReceipt,
    sent: { readonly references?: readonly Reference[] | undefined; readonly prompt?: Prompt },
  ): void
}

/** A remembered call. After an erasure there is another finder, and what was remembered does not count. */
interface Remembered {
  readonly id: string
  readonly find: Finder
}

export function createEarlier({ past }: Pick<LiveLog, 'past'>, find: () => Finder): EarlierCalls {
  let last: (Remembered & { readonly references: readonly Reference[] | undefined }) | undefined
  let lastRewritten: (Remembered & { readonly prompt: EarlierPrompt }) | undefined
  const rememberPrompt = (id: string, { messages, unchanged, compiled }: Prompt): EarlierPrompt => {
    const prompt = { messages, unchanged, pieces: compiled.pieces }
    lastRewritten = { find: find(), id, prompt }
    return prompt
  }
  /** What is found in the log, also if it is before the loaded part. */
  const searched = function* <T>(found: () => T | undefined): Steps<T | undefined> {
    for (;;) {
      const known = found()
      if (known !== undefined || !past.start) return known
      yield* reading(() => past.earlier())
    }
  }
  const referencesOf = (receipt: KeptReceipt): Steps<readonly Reference[] | undefined> =>
    searched(() => {
      const finder = find()
      // Another finder means that something was erased since.
      if (last?.id !== receipt.id || last.find !== finder || !last.references)
        last = { find: finder, id: receipt.id, references: referencesIn(receipt, finder) }
      return last.references
    })
  const sentUnchanged = function* (receipt: KeptReceipt): Steps<EarlierPrompt | undefined> {
    const references = yield* referencesOf(receipt)
    const messages = yield* searched(() => {
      const found = references?.map((reference) => referredBy(reference, find()))
      const known = found?.filter((message) => message !== undefined)
      return known && known.length === found?.length ? known : undefined
    })
    return messages && { messages, pieces: piecesAsSent(messages), unchanged: true }
  }
  return {
    sent: function* (base, references) {
      const earlier = base && (yield* referencesOf(base))
      return sentAfter(references, earlier && { id: base.id, references: earlier })
    },
    references: referencesOf,
    prompt: function* (receipt, derive) {
      if (receipt.sent) return yield* sentUnchanged(receipt)
      if (lastRewritten?.id === receipt.id && lastRewritten.find === find()) return lastRewritten.prompt
      const prompt = yield* derive()
      return prompt && rememberPrompt(receipt.id, prompt)
    },
    remember: ({ id }, { references, prompt }) => {
      if (references) last = { find: find(), id, references }
      if (prompt) rememberPrompt(id, prompt)
    },
  }
}

/**
 * The newest receipt on the branch with the messages of its request. On the same branch, so that a fork contains all that its
 * receipts refer to.
 */
export async function newestRequest(log: LiveLog, head: string): Promise<KeptReceipt | undefined> {
  for (;;) {
    const { branch } = await lineBack(log, head)
    for (const entry of branch.toReversed()) {
      const receipt = isReceipt(entry) ? receiptFrom(entry) : undefined
      if (receipt && messagesIn(receipt)) return receipt
    }
    if (isFromRoot(log, branch)) return undefined
    await log.past.earlier()
  }
}

/** The branch that ends with `head`, from as far back as it is loaded, and the length of the log at that moment. */
export function lineBack(
  log: LiveLog,
  head: string,
): Promise<{ readonly branch: readonly StoredEntry[]; readonly length: number }> {
  return log.line(head, (line) => {
    const { start, before } = log.past
    return { branch: [...(start ? endOf(before, start.head) : []), ...line], length: log.length }
  })
}

/** True if nothing of the branch is before this part of it. */
export function isFromRoot({ past }: LiveLog, line: readonly Entry[]): boolean {
  return !past.start || line.find(({ kind }) => traits[kind].chained)?.parent === null
}
