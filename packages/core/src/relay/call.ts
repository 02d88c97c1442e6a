import type { Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import type { Message } from '../log/message.ts'
import { sizeOf } from '../log/size.ts'
import { inSlices, itemWork, type Steps } from '../log/steps.ts'
import type { Finder } from '../receipt/as-it-came.ts'
import type { Reference } from '../receipt/form.ts'
import { around, fits, type Meter, type Prediction, type Weight } from '../receipt/prediction.ts'
import { requestHashing, type Prompt } from '../receipt/prompt.ts'
import { countNotWhole, isTaken, receiptFrom, turnVerdicts, verdictCounts, type KeptReceipt, type Path, type Receipt } from '../receipt/receipt.ts'
import type { Draft } from '../record/draft.ts'
import type { LiveLog } from '../record/live-log.ts'
import { recordable } from '../record/recordable.ts'
import { newestOf } from '../turn/call-model.ts'
import { written } from '../turn/fence.ts'
import type { Fitting } from '../turn/fitting.ts'
import type { Manner } from '../turn/running.ts'
import { stopDrafts } from '../turn/stop.ts'
import type { Earlier } from './earlier.ts'
import type { Placed } from './place.ts'
import { referTo } from './referring.ts'

/** What relays of a thread need. */
export interface Relaying {
  readonly log: LiveLog
  readonly manner: Manner
  readonly meter: Meter
  /** Whether texts are estimated, not counted as the model does. */
  readonly isEstimated: boolean
  /** The thread's own system text. */
  readonly system: string | undefined
  readonly find: () => Finder
  readonly earlier: Earlier
  /** The same for the window that a server told when it refused a prompt. */
  readonly refitted: (fitting: Fitting) => Relaying
}

/** What goes out, and what its receipt will say of it: that is worked out while the model is at work. */
export interface RelayCall {
  readonly path: Path
  readonly messages: readonly Message[]
  readonly prediction: Prediction
  readonly notWhole: number
  readonly reused: () => Promise<number>
  readonly receipt: () => Promise<Omit<Receipt, 'outcome' | 'tokens'>>
  /** What must be on record for the receipt to be read. */
  readonly forms: readonly Draft[]
  /** To be called when the receipt is on record. */
  readonly recorded?: (receipt: KeptReceipt) => void
}

interface Asking {
  readonly alone?: boolean | undefined
  readonly asItCame?: boolean | undefined
}

/** As it came if that is wanted, or if there is room for whatever it may come to and nothing is to be added, else rewritten. `alone`: what came before is to be added. */
export async function callFor(relaying: Relaying, messages: readonly Message[], placed: Placed, { alone = false, asItCame = false }: Asking): Promise<RelayCall> {
  const { meter, manner, system, log, earlier } = relaying
  const { tools, window, reserve } = manner.settings
  const isPlain = manner.notes === 'off' && !manner.journal && !system && !(alone && placed.entries[0]?.parent !== null)
  if (!isPlain && !asItCame) return rewritten(relaying, placed.head)
  const plain = await inSlices(recorded(messages), log.pause)
  const { references, forms } = referTo(plain, placed.entries, relaying.find())
  const weights = await inSlices(weighed(meter, plain, (index) => idOf(references[index], placed.entries[index])), log.pause)
  const prediction = await inSlices(meter.predicting(weights, tools), log.pause)
  // A window that nobody told is no reason to change what a client sends.
  if (!asItCame && manner.windowSource !== 'assumed' && !fits(prediction, window, reserve ?? 0)) return rewritten(relaying, placed.head)
  const branch = log.branch(placed.head.id)
  const seen = seenIn(relaying, branch, placed.head)
  const verdicts = { verbatim: messages.length }
  return {
    path: 'as it came',
    messages,
    prediction,
    notWhole: 0,
    reused: reusing(relaying, plain, references, weights),
    receipt: async () => ({ ...seen, hash: await inSlices(requestHashing(plain, tools), log.pause), epoch: 0, verdicts, path: 'as it came', sent: earlier.sent(branch, references) }),
    forms,
    recorded: (receipt) => earlier.remember(receipt, { references }),
  }
}

function* recorded(messages: readonly Message[]): Steps<Message[]> {
  const plain: Message[] = []
  for (const message of messages) {
    const kept = recordable(message)
    plain.push(kept)
    yield itemWork + sizeOf(kept) / 4
  }
  return plain
}

/** `idOf`: the id by which the message at a place goes. */
function* weighed(meter: Meter, messages: readonly Message[], idOf: (index: number) => string | undefined): Steps<Weight[]> {
  const weights: Weight[] = []
  for (const [index, message] of messages.entries()) weights.push(yield* meter.weighing(message, idOf(index)))
  return weights
}

async function rewritten(relaying: Relaying, head: Entry): Promise<RelayCall> {
  const { meter, manner, log, earlier } = relaying
  const { messages, compiled: { plan, tokens }, hash } = await compiled(relaying, head)
  const turn = turnVerdicts(plan)
  const weights = await inSlices(weighed(meter, messages, () => undefined), log.pause)
  const seen = seenIn(relaying, log.branch(head.id), head)
  return {
    path: 'rewritten',
    messages,
    prediction: around(await inSlices(meter.predicting(weights, manner.settings.tools), log.pause), tokens),
    notWhole: countNotWhole(plan),
    reused: reusing(relaying, messages, undefined, weights),
    receipt: async () => ({ ...seen, hash, epoch: plan.epoch.number, verdicts: verdictCounts(plan), ...(turn && { turn }), path: 'rewritten' }),
    forms: [],
    recorded: (receipt) => earlier.remember(receipt, { messages }),
  }
}

/** How many tokens stood at the beginning of the newest call on record, on whatever branch. */
function reusing({ log, manner, earlier }: Relaying, messages: readonly Message[], references: readonly Reference[] | undefined, weights: readonly Weight[]): () => Promise<number> {
  const entry = log.entries.findLast(isTaken)
  let reused: Promise<number> | undefined
  const find = async (): Promise<number> => {
    if (!entry) return 0
    const before = receiptFrom(entry)
    const common = await inSlices(earlier.common(before, messages, references, () => manner.prompter.sentBy(log, before)), log.pause)
    return weights.slice(0, common).reduce((sum, { predicted }) => sum + predicted, 0)
  }
  return () => (reused ??= find())
}

/** Where nothing fits, the record says so, and so does the error. */
async function compiled({ log, manner }: Relaying, head: Entry): Promise<Prompt> {
  try {
    return await inSlices(manner.prompter.at(log, head.id), log.pause)
  } catch (error) {
    if (!MinutebookError.isInstance(error)) throw error
    const code = error.code === 'window_overflow' ? 'context_overflow' : error.code
    const stopping = { status: 'failed', code, reason: error.message } as const
    await written(log.append(stopDrafts(log, { journal: false }, stopping), { after: head.id }))
    throw code === error.code ? error : new MinutebookError(code, error.message, error.details)
  }
}

/** What of the log the prompt was made of: what arrives while the model thinks is not what it saw. */
function seenIn({ log, manner }: Relaying, branch: readonly Entry[], head: Entry): Pick<Receipt, 'version' | 'head' | 'upto' | 'length' | 'settings' | 'windowSource'> {
  return { version: 1, head: head.id, upto: newestOf(branch), length: log.length, settings: manner.settingsHash, ...(manner.windowSource && { windowSource: manner.windowSource }) }
}

/** By which a message need be weighed only once: it is an entry as that stands on record. */
function idOf(reference: unknown, entry: Entry | undefined): string | undefined {
  return typeof reference === 'string' && entry?.status !== 'erased' ? reference : undefined
}
