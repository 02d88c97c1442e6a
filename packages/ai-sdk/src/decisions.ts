import type { Decision, Entry, OpenCall } from 'minutebook'
import { canonicalJson } from 'minutebook/store'
import { fieldsOf, type Fields } from 'minutebook/wire'
import type { ShownPart } from './call-chunks.ts'
import { lastCalls, lastStepOf } from './to-ui.ts'

/** What a page decides about an open call. */
export interface PageDecision {
  readonly id: string
  readonly decision: Decision
}

/**
 * What does a page decide? Reads the parts of the answer as the page sends them back. Only calls count that wait on this
 * thread: the others are decided already, or the page made them up.
 *
 * An approval has the id of its open call. All that the hook says of an output is the id that the model gave the call,
 * and models give the same id again. So the call must also have the same place, name and input on the page and in the
 * record: an output must not answer another question.
 */
export function decisionsIn(parts: readonly Fields[], entries: readonly Entry[]): PageDecision[] {
  const recorded = lastCalls(entries)
  const shown = lastStepOf(parts)
  return recorded.calls.flatMap(({ part, open }, index) => {
    if (open?.needs === 'approval') return shown.calls.flatMap((sent) => approvalOf(open, sent))
    const sent = shown.step === recorded.step ? shown.calls[index] : undefined
    return open && sent && isSameCall(sent, part) ? answerOf(open, sent) : []
  })
}

/** A page must not make up the result of a tool that runs on the server. So only the answer to its request counts. */
function approvalOf({ id }: OpenCall, { state, approval }: Fields): PageDecision[] {
  const { id: named, approved, reason } = fieldsOf(approval)
  if (state !== 'approval-responded' || named !== id || typeof approved !== 'boolean') return []
  return [{ id, decision: approved ? { do: 'run' } : refusal(reason) }]
}

function answerOf({ id }: OpenCall, { state, output, errorText }: Fields): PageDecision[] {
  if (state === 'output-error') return [{ id, decision: refusal(errorText) }]
  return state === 'output-available' ? [{ id, decision: { do: 'answer', output: output ?? null } }] : []
}

function isSameCall(one: Fields, other: Fields): boolean {
  return keyOf(one) === keyOf(other)
}

function keyOf({ toolCallId, type, input }: Fields): string {
  return canonicalJson({ toolCallId, type, input })
}

function refusal(reason: unknown): Decision {
  return { do: 'refuse', ...(typeof reason === 'string' && reason !== '' && { reason }) }
}

/** What a page says that it shows. It may say anything. */
export function shownPart({ type, toolCallId, state, ...part }: Fields): ShownPart {
  return {
    ...part,
    type: String(type),
    ...(typeof toolCallId === 'string' && { toolCallId }),
    ...(typeof state === 'string' && { state }),
  }
}
