import { dump } from './dump.ts'
import type { Entry } from './log/entry.ts'
import { MinutebookError } from './log/error.ts'
import type { Message } from './log/message.ts'
import type { Plan } from './plan/plan.ts'
import { createDeriver } from './receipt/derive.ts'
import type { Functions } from './receipt/call-settings.ts'
import type { Prompt } from './receipt/prompt.ts'
import { receiptsOf, type KeptReceipt } from './receipt/receipt.ts'
import { turnOf } from './turn/result.ts'
import type { ToolSchema } from './wire/model.ts'

/** What a model saw, or would see next: exactly, and as text for people. */
export interface ThreadDump {
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSchema[]
  /** For people: escaped, in the order of the prompt, each stretch labelled with what it is. */
  readonly text: string
  readonly plan: Plan
  readonly hash: string
  /** Of the model call; none for a prompt that was not sent. */
  readonly receipt?: KeptReceipt
  /** Whether this is, byte for byte, what was sent. False where something in it was erased since. */
  readonly same: boolean
}

/** Which model call is meant. */
export interface CallChoice {
  /** The id of a turn's user entry, or the turn's number on the newest branch, from 1: its last call. */
  readonly turn?: string | number
  /** The id of a receipt. */
  readonly receipt?: string
}

export function dumpOf({ messages, tools, compiled, hash }: Prompt, receipt?: KeptReceipt): ThreadDump {
  return { messages, tools, text: dump(compiled), plan: compiled.plan, hash, ...(receipt && { receipt }), same: receipt === undefined || receipt.hash === hash }
}

export function dumpCall(log: readonly Entry[], branch: readonly Entry[], choice: CallChoice, functions: Functions): ThreadDump {
  const receipt = choose(log, branch, choice)
  return dumpOf(createDeriver(log, functions)(receipt), receipt)
}

function choose(log: readonly Entry[], branch: readonly Entry[], { turn, receipt }: CallChoice): KeptReceipt {
  if (receipt !== undefined) return receiptsOf(log).find(({ id }) => id === receipt) ?? fail('receipt')
  const asked = typeof turn === 'number' ? branch.filter(({ kind }) => kind === 'user')[turn - 1] : log.find(({ id }) => id === turn)
  return receiptsOf(asked ? turnOf(log, asked) : []).at(-1) ?? fail('model call of this turn')
}

function fail(what: string): never {
  throw new MinutebookError('unknown_call', `The log has no such ${what}; thread.receipts() lists what there is.`)
}
