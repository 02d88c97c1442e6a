import { Buffer } from 'node:buffer'
import type { Message } from 'minutebook'
import type { EndEvent } from 'minutebook/wire'
import { fieldsOf } from '../fields.ts'
import type { Asking } from './asking.ts'
import { partOf } from './ids.ts'

/** The chat that an upstream is asked for. */
export function chatBody({ model, request: { tools, chat, streams } }: Asking, messages: readonly Message[]): Buffer {
  return Buffer.from(
    JSON.stringify({
      model,
      messages,
      ...(tools.length > 0 && { tools }),
      ...chat,
      stream: streams,
      ...(streams && { stream_options: { include_usage: true } }),
    }),
  )
}

/** An answer whose calls all have ids of their own: a client names them in its results. */
export function withCallIds(end: EndEvent, random: (bytes: number) => Uint8Array): EndEvent {
  const { tool_calls: calls } = end.message
  if (!Array.isArray(calls)) return end
  const taken = new Set<unknown>()
  const own = calls.map((call: unknown) => {
    const { id } = fieldsOf(call)
    const isOwn = typeof id === 'string' && id !== '' && !taken.has(id)
    if (isOwn) taken.add(id)
    return isOwn ? call : { ...fieldsOf(call), id: `call_${partOf(random(16))}` }
  })
  return { ...end, message: { ...end.message, tool_calls: own } }
}
