import type { ModelEvent } from 'minutebook'
import type { Asking } from './asking.ts'
import type { Heard } from './hear-model.ts'
import type { PlacedResponse } from './place-response.ts'

/** Counts a model call and tells of it. */
export interface ObservedCall {
  hear(event: ModelEvent): void
  end(heard: Heard): void
}

export function observeCall(
  { visit: { request, caller }, services: { spans, metrics }, model, upstream }: Asking,
  { relay, kept }: PlacedResponse,
): ObservedCall {
  const started = performance.now()
  const { traceparent } = request.headers
  const span = spans.model({
    model,
    upstream: upstream.url,
    protocol: 'openai',
    mode: relay.mode,
    predicted: relay.prediction.predicted,
    traceparent: typeof traceparent === 'string' ? traceparent : undefined,
    tenant: caller.tenant,
    thread: kept?.thread,
    turn: relay.question.id,
    messages: () => relay.messages,
  })
  let firstText: number | undefined
  return {
    hear: ({ type }) => {
      if (type !== 'text' || firstText !== undefined) return
      firstText = (performance.now() - started) / 1000
      span.firstText()
    },
    end: (heard) => {
      const { message, finish, usage } = heard.kind === 'answer' ? heard.end : {}
      const error =
        heard.kind === 'answer'
          ? undefined
          : heard.kind === 'failed'
            ? heard.code
            : heard.kind === 'left'
              ? 'cancelled'
              : 'model_refused'
      metrics.modelCalled({
        ok: error === undefined,
        seconds: (performance.now() - started) / 1000,
        firstText,
        prompt: usage?.prompt,
        completion: usage?.completion,
      })
      span.end({ error, finish, usage, message: () => message })
    },
  }
}
