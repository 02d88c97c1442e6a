import type { Entry, Relay } from 'minutebook'
import { finishOf, type KeptReceipt } from 'minutebook/inspect'
import type { ServerResponse } from 'node:http'
import type { Protocol, Recorded } from '../protocol/protocol.ts'
import { senderId } from '../stores/setup.ts'
import type { ChatRequest } from './request.ts'

/** A recorded answer, and what is known of the call that produced it. */
export interface Answered {
  readonly answer: Entry
  readonly receipt: KeptReceipt | undefined
}

/**
 * Sends a recorded answer in the form of the protocol, streamed or whole as the request asks.
 *
 * @example
 * replayAnswer(response, openAi, request, { answer: relay.answered, receipt }, headers)
 */
export function replayAnswer(
  response: ServerResponse,
  protocol: Protocol,
  request: ChatRequest,
  answered: Answered,
  headers: Readonly<Record<string, string>>,
): void {
  if (response.destroyed) return
  const recorded = recordedOf(request, answered)
  const body = request.streams ? protocol.chunks(recorded).join('') : JSON.stringify(protocol.whole(recorded))
  response.writeHead(200, { 'content-type': request.streams ? protocol.streamType : 'application/json', ...headers })
  response.end(body)
}

/** The receipt of the call that produced an answer: it hangs off the answer under the same id. */
export function receiptOf(
  receipts: readonly KeptReceipt[],
  { question }: Relay,
  id: string | undefined,
): KeptReceipt | undefined {
  return receipts.findLast(({ key, head }) => id !== undefined && key === senderId('chat', id) && head === question.id)
}

function recordedOf({ model, withUsage = false }: ChatRequest, { answer, receipt }: Answered): Recorded {
  const finish = receipt ? finishOf(receipt) : 'stop'
  const isCalling = answer.calls.length > 0 && (finish === undefined || finish === 'unknown')
  return {
    model,
    message: answer.raw,
    id: answer.id,
    time: new Date(answer.time ?? 0),
    finish: isCalling ? 'calls' : (finish ?? 'stop'),
    usage: receipt?.tokens.reported ?? {},
    withUsage,
  }
}
