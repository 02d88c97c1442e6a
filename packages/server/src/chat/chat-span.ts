import type { ModelSpan } from '../spans.ts'
import type { Chat } from './chat.ts'
import type { Placed } from './place-chat.ts'

/** The span of the model call that a chat is relayed with: in the trace of the client, where it has one. */
export function chatSpan({ visit, services, protocol, request, upstream }: Chat, { relay, thread }: Placed): ModelSpan {
  const { traceparent } = visit.request.headers
  return services.spans.model({
    model: request.model,
    upstream: upstream.url,
    protocol: protocol.name,
    tenant: visit.caller.tenant,
    thread,
    turn: relay.question.id,
    mode: relay.mode,
    predicted: relay.prediction.predicted,
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    messages: () => relay.messages,
  })
}
