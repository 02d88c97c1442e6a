import { MinutebookError, type Model, type ModelEvent, type ModelRequest, type Usage } from 'minutebook'
import { overflowOf, type EndEvent } from 'minutebook/wire'
import type { Services } from '../services.ts'
import { bodyText, type UpstreamModelOptions } from './model-call.ts'
import type { ChosenModel } from './models.ts'

/** Whose model call it is. */
export interface ModelCallPlace extends ChosenModel, Pick<UpstreamModelOptions, 'options'> {
  readonly tenant: string
  readonly thread: string
  /** The running turn; asked only if spans are sent. */
  readonly turn: () => Promise<string | undefined>
  readonly onCall?: ((call: { readonly model: string; readonly usage: Usage }) => void) | undefined
}

/** The services that observe calls, and learn from them. */
type Observing = Pick<Services, 'metrics' | 'spans' | 'windows'>

/** A model whose calls are counted and logged. What its server reports of its window is learnt. */
export function observedModel(model: Model, place: ModelCallPlace, services: Observing): Model {
  return Object.assign((request: ModelRequest) => watched(model, request, place, services), {
    model: place.model,
    wire: place.protocol,
    ...(model.facts && { facts: model.facts }),
  })
}

async function* watched(
  model: Model,
  request: ModelRequest,
  { model: name, upstream, protocol, tenant, thread, options, turn, onCall }: ModelCallPlace,
  { metrics, spans, windows }: Observing,
): AsyncGenerator<ModelEvent> {
  const started = performance.now()
  const seconds = (): number => (performance.now() - started) / 1000
  const span = spans.model({
    model: name,
    upstream: upstream.url,
    protocol,
    tenant,
    thread,
    turn: spans.isOn ? await turn() : undefined,
    messages: () => request.messages,
  })
  let firstText: number | undefined
  let end: EndEvent | undefined
  let error = 'model_aborted'
  try {
    for await (const event of model(request)) {
      if (event.type === 'text' && firstText === undefined) {
        firstText = seconds()
        span.firstText()
      }
      if (event.type === 'end') end = event
      yield event
    }
  } catch (thrown) {
    error = MinutebookError.isInstance(thrown) ? thrown.code : 'model_failed'
    // The next turn is made for the window that the upstream named.
    const { window } = overflowOf(thrown) ?? {}
    if (window !== undefined) {
      const sent = bodyText({ model: name, protocol }, request, options)
      await windows.refused({ tenant, upstream, model: name, protocol }, window, sent)
    }
    throw thrown
  } finally {
    const { prompt, completion } = end?.usage ?? {}
    if (end) onCall?.({ model: name, usage: end.usage ?? {} })
    metrics.modelCalled({ ok: end !== undefined, seconds: seconds(), firstText, prompt, completion })
    span.end(end ? { finish: end.finish, usage: end.usage, message: () => end?.message } : { error })
    if (error === 'model_unreachable' || error === 'model_cut')
      metrics.upstreamFailed(error === 'model_cut' ? 'upstream_broke_off' : 'upstream_unreachable')
    if (prompt !== undefined) windows.read({ tenant, upstream, model: name, protocol }, prompt)
  }
}
