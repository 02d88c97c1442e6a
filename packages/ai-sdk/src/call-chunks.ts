import type { UIMessageChunk } from 'ai'
import { canonicalJson } from 'minutebook/store'
import type { Approval } from './approval.ts'
import { installedSpecification } from './model-part.ts'

/** A part of a UI message, by its fields. */
export interface ShownPart {
  readonly type: string
  readonly text?: string
  readonly url?: string
  readonly mediaType?: string
  readonly toolCallId?: string
  readonly state?: string
  readonly input?: unknown
  readonly output?: unknown
  readonly errorText?: string
  readonly approval?: Approval
}

/** A part of a call. */
export type CallPart = ShownPart & { readonly toolCallId: string }

export function isCallPart(part: ShownPart): part is CallPart {
  return part.toolCallId !== undefined
}

/** True if a call has its result, or will never run. */
export function isAnswered({ state }: ShownPart): boolean {
  return state?.startsWith('output-') ?? false
}

/**
 * What must a page be sent so that it shows a call as the record does? `has`: the part that the page has. If the page
 * made a result up, the call is sent again, without the result.
 */
export function callChunks(has: CallPart | undefined, part: CallPart): UIMessageChunk[] {
  const isNew = !has || (isAnswered(has) && !isAnswered(part))
  const { toolCallId, type, input, approval } = part
  const isAsked = approval && (isNew || !isSame(approvalIn(has), approvalIn(part)))
  const isTold = isAnswered(part) && (isNew || !isSame(outcomeIn(has), outcomeIn(part)))
  return [
    ...(isNew
      ? [{ type: 'tool-input-available', toolCallId, toolName: type.slice('tool-'.length), input } as const]
      : []),
    ...(isAsked ? approvalChunks(part, approval) : []),
    ...(isTold ? [outcomeChunk(part)] : []),
  ]
}

/**
 * Version 6 of the AI SDK has no chunk for a decision: such a page has it after a reload, or if it decided itself. The
 * request takes back what the page decided otherwise. A call that runs must not look as if it waits.
 */
function approvalChunks(part: CallPart, { id: approvalId, approved, reason }: Approval): UIMessageChunk[] {
  const { toolCallId } = part
  const request = { type: 'tool-approval-request', approvalId, toolCallId } as const
  if (approved === undefined) return [request]
  if (installedSpecification() === 'v3') return approved && !isAnswered(part) ? [] : [request]
  return [request, { type: 'tool-approval-response', approvalId, approved, ...(reason !== undefined && { reason }) }]
}

function outcomeChunk({ toolCallId, state, errorText = '', output }: CallPart): UIMessageChunk {
  if (state === 'output-denied') return { type: 'tool-output-denied', toolCallId }
  return state === 'output-error'
    ? { type: 'tool-output-error', toolCallId, errorText }
    : { type: 'tool-output-available', toolCallId, output }
}

function approvalIn({ approval }: ShownPart): unknown {
  return approval && [approval.id, approval.approved, approval.reason]
}

function outcomeIn({ state, output, errorText }: ShownPart): unknown {
  return [state, output, errorText]
}

function isSame(one: unknown, other: unknown): boolean {
  return canonicalJson(one) === canonicalJson(other)
}
