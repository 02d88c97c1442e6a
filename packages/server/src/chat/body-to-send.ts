import type { Buffer } from 'node:buffer'
import type { Message } from 'minutebook'
import type { RelayMode } from 'minutebook/inspect'
import { replaced, scanObject } from './json-span.ts'
import type { Protocol } from './protocol.ts'
import type { ChatRequest } from './request.ts'

/** What goes upstream in place of what came. */
export interface Sending {
  readonly mode: RelayMode
  readonly messages: readonly Message[]
  /** The `num_ctx` that the operator wants in every request. */
  readonly numCtx?: number | undefined
}

/** The body that goes upstream: the very bytes that came, but for what must be another. */
export function bodyToSend(
  { bytes, spans }: ChatRequest,
  protocol: Protocol,
  { mode, messages, numCtx }: Sending,
): Buffer {
  const changes = {
    ...(mode === 'rewritten' && { messages: JSON.stringify(messages), ...protocol.rewriting }),
    ...(numCtx !== undefined && { options: withNumCtx(bytes, spans.members.get('options'), numCtx) }),
  }
  return Object.keys(changes).length === 0 ? bytes : replaced(bytes, spans, changes)
}

function withNumCtx(
  bytes: Buffer,
  span: { readonly from: number; readonly to: number } | undefined,
  numCtx: number,
): string {
  const options = span && bytes.subarray(span.from, span.to)
  const spans = options && scanObject(options)
  if (!spans || typeof spans === 'string') return JSON.stringify({ num_ctx: numCtx })
  return replaced(options, spans, { num_ctx: String(numCtx) }).toString()
}
