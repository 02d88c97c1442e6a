import { dump } from '../compiler/explain.ts'
import type { CompileResult, Plan } from '../compiler/compile.ts'
import type { Entry } from '../log/entry.ts'
import { fail, MinutebookError } from '../log/error.ts'
import { traits } from '../log/kind.ts'
import type { LiveLog } from '../past/live-log.ts'
import type { Message } from '../log/message.ts'
import { stopOf, turnOf } from '../log/next.ts'
import { inSlices, type Pause } from '../log/time.ts'
import type { ToolSchema } from '../models/model.ts'
import { createDeriving, createErasedSince } from './derive.ts'
import { pastCall } from './past-call.ts'
import type { Prompt } from './prompt.ts'
import { isReceipt, receiptFrom, receiptsOf, type Functions, type KeptReceipt } from './receipt.ts'

/**
 * What did the model see, or what would it see next? Exactly, and as text for people.
 *
 * @example
 * const { messages, text, plan, same } = await thread.dump({ turn: 1 })
 */
export interface ThreadDump {
  /** The messages of the request, as they were or would be sent. */
  readonly messages: readonly Message[]
  /** The tools that the model was told of. */
  readonly tools: readonly ToolSchema[]
  /** For people: escaped, in the order of the prompt, each piece with a label. */
  readonly text: string
  /** What became of each entry, and why. `explain(dump)` draws it. */
  readonly plan: Plan
  /** For each message, its pieces, each with the tier and the entries that it comes from. */
  readonly pieces: CompileResult['pieces']
  /** SHA-256 of messages and tools. */
  readonly hash: string
  /** The receipt of the model call. Absent for a prompt that was not sent. */
  readonly receipt?: KeptReceipt
  /** Of a recorded call: reads the entries that the plan is about, in its order. They may be as many as the log has. */
  readonly entries?: () => Promise<readonly Entry[]>
  /**
   * True if this is, byte for byte, what was sent. If not, and nothing was erased, Minutebook has a bug, or a counter
   * counts differently under the same name.
   */
  readonly same: boolean
  /** True if an entry that it was made of, or may have been made of, was erased since. */
  readonly erased: boolean
}

/** Selects a model call. */
export interface CallChoice {
  /**
   * Selects the last call of a turn: by the id of the turn's user entry, or by its number on the newest branch, from 1.
   * With a text such as `3.2`: the second call of the third turn.
   */
  readonly turn?: string | number | undefined
  /** The id of a receipt, or its first 16 characters or more. */
  readonly receipt?: string | undefined
}

export function dumpOf(
  { messages, tools, compiled, hash, planned }: Prompt,
  receipt?: KeptReceipt,
  erased = false,
  entries = async (): Promise<readonly Entry[]> => planned(),
): ThreadDump {
  return {
    messages,
    tools,
    text: dump(compiled),
    plan: compiled.plan,
    pieces: compiled.pieces,
    hash,
    ...(receipt && { receipt, entries }),
    same: receipt === undefined || receipt.hash === hash,
    erased: erased && receipt?.hash !== hash,
  }
}

/**
 * The dump of the call with this receipt. Reads only a part of the log before the call, if a checkpoint was kept there,
 * and nothing that came later. Undefined if there is no such receipt, or if `id` is only the beginning of its id.
 */
export async function dumpReceipt(
  log: Pick<LiveLog, 'stored' | 'pause'>,
  id: string,
  functions: Functions,
): Promise<ThreadDump | undefined> {
  const entry = await log.stored.find(id)
  if (!entry || !isReceipt(entry)) return undefined
  const receipt = receiptFrom(entry)
  const fromBeginning = async (): Promise<ThreadDump> => {
    const before = await log.stored.read({ from: 0, to: receipt.seq })
    return dumpOfReceipt([...before, entry], receipt, functions, log.pause)
  }
  const found = await pastCall(log, receipt, functions)
  if (!found) return fromBeginning()
  return dumpOf(found.prompt, receipt, found.isErased, async () => (await (await fromBeginning()).entries?.()) ?? [])
}

export async function dumpCall(
  log: readonly Entry[],
  branch: readonly Entry[],
  choice: CallChoice,
  functions: Functions,
  pause: Pause,
): Promise<ThreadDump> {
  return dumpOfReceipt(log, choose(log, branch, choice), functions, pause)
}

async function dumpOfReceipt(
  log: readonly Entry[],
  receipt: KeptReceipt,
  functions: Functions,
  pause: Pause,
): Promise<ThreadDump> {
  try {
    const prompt = await inSlices(createDeriving(log, functions)(receipt), pause)
    return dumpOf(prompt, receipt, createErasedSince(log)(receipt))
  } catch (error) {
    if (!MinutebookError.isInstance(error) || error.code !== 'cannot_derive') throw error
    // The receipt says something of the call, also without its prompt.
    throw new MinutebookError(error.code, error.problem, error.fix, { ...error.details, receipt })
  }
}

function choose(log: readonly Entry[], branch: readonly Entry[], { turn, receipt }: CallChoice): KeptReceipt {
  if (receipt !== undefined)
    return (
      receiptsOf(log).find(({ id }) => id === receipt || (receipt.length >= idLength && id.startsWith(receipt))) ??
      fail(unknownCallError('The log has no such receipt.', `Name ${otherCalls}.`))
    )
  const turns = branch.filter(({ kind }) => kind === 'user')
  const [, number, place] = (typeof turn === 'string' && /^(\d{1,9})\.(\d{1,9})$/.exec(turn)) || []
  if (number !== undefined) return callAt(log, turns, Number(number), Number(place))
  const asked = typeof turn === 'number' ? turns[turn - 1] : log.find(({ id }) => id === turn)
  if (!asked) throw unknownCallError(...turnsText(turns.length))
  // If the turn was retried, or stopped before it called a model, its last call is on another branch.
  const called = log.filter(({ kind }) => traits[kind].chained || kind === 'receipt')
  return receiptsOf(turnOf(called, asked)).at(-1) ?? fail(uncalledError(log, asked))
}

/** How calls are named. */
const otherCalls = 'a turn by its number, or a receipt by its id'

/** Says why a turn has no model call, if its stop says so. */
function uncalledError(log: readonly Entry[], asked: Entry): MinutebookError {
  const stopped = log.filter(({ kind }) => traits[kind].chained || kind === 'stop')
  const stop = turnOf(stopped, asked).findLast(({ kind }) => kind === 'stop')
  const { reason, fix = '' } = stop ? stopOf(stop) : { reason: '' }
  return reason === ''
    ? unknownCallError('This turn recorded no model calls.', `For another call, name ${otherCalls}.`)
    : unknownCallError(`This turn called no model. ${reason}`, fix)
}

/** The calls of each turn, by the id of its user entry, oldest first: also of answers that were retried. */
function callsByTurn(log: readonly Entry[]): Map<string, KeptReceipt[]> {
  const turnsBy = new Map<string, string>()
  for (const { id, kind, parent } of log) {
    const turn = kind === 'user' ? id : turnsBy.get(parent ?? '')
    if (turn !== undefined) turnsBy.set(id, turn)
  }
  const calls = new Map<string, KeptReceipt[]>()
  for (const receipt of receiptsOf(log)) {
    const turn = turnsBy.get(receipt.head) ?? ''
    const known = calls.get(turn)
    if (known) known.push(receipt)
    else calls.set(turn, [receipt])
  }
  return calls
}

function callAt(log: readonly Entry[], turns: readonly Entry[], number: number, place: number): KeptReceipt {
  const asked = turns[number - 1]
  if (!asked) throw unknownCallError(...turnsText(turns.length))
  const calls = callsByTurn(log).get(asked.id) ?? []
  return (
    calls[place - 1] ??
    fail(
      unknownCallError(
        `Turn ${number} has ${calls.length} model ${calls.length === 1 ? 'call' : 'calls'}.`,
        `Pass ${number} for its last one.`,
      ),
    )
  )
}

/**
 * How a person names each call of a log, by the id of its receipt: `3` for the only call of the third turn of the newest
 * branch, `3.2` for the second of several, and the beginning of the receipt's id for a turn of another branch.
 */
export function callNames(log: readonly Entry[], branch: readonly Entry[]): ReadonlyMap<string, string> {
  const turns = branch.filter(({ kind }) => kind === 'user').map(({ id }) => id)
  const numbers = new Map(turns.map((id, index) => [id, index + 1]))
  const names = new Map<string, string>()
  for (const [turn, calls] of callsByTurn(log)) {
    const number = numbers.get(turn)
    for (const [index, { id }] of calls.entries()) {
      const several = calls.length === 1 ? `${number}` : `${number}.${index + 1}`
      names.set(id, number === undefined ? id.slice(0, idLength) : several)
    }
  }
  return names
}

/** The command reads up to 15 digits as the number of a turn, so a shorter beginning of an id could be mistaken for one. */
const idLength = 16

function turnsText(turns: number): [problem: string, fix: string] {
  if (turns === 0) return ['This branch has no turns.', 'Send a message first.']
  const numbers = turns === 1 ? 'the number 1' : `a number from 1 to ${turns}`
  return [`This branch has ${turns} ${turns === 1 ? 'turn' : 'turns'}.`, `Pass ${numbers}, or the id of a user entry.`]
}

function unknownCallError(problem: string, fix: string): MinutebookError {
  return new MinutebookError('unknown_call', problem, fix)
}
