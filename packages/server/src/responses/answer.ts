import type { WithheldRefusal } from '../gateway/answer.ts'
import { answerHeaders, recordAnswer, receiptHeaders } from '../gateway/record-answer.ts'
import { refit, sentText } from '../gateway/refit.ts'
import { notRecorded } from '../gateway/refusals.ts'
import { messageOf, type Refusal } from '../http/reply.ts'
import { openAi } from '../protocol/openai.ts'
import type { WindowQuestion } from '../upstream/window.ts'
import { answerDirectly } from './direct.ts'
import { responsePlace } from './ids.ts'
import { chatBody, callModel, observeCall, withCallIds, type ModelAnswer } from './model-call.ts'
import { responseOf, type ResponseObject } from './output.ts'
import type { PlacedResponse } from './place.ts'
import { outcomeOf, type ResponseOutcome } from './recorded.ts'
import type { ResponseContext } from './request.ts'
import { writeResponse, type ResponseWriter } from './stream.ts'

/**
 * Asks the upstream, and answers the client when the result is recorded. If the upstream refuses the prompt as longer
 * than its window, and says how large that is, the question is sent again, fitted.
 */
export async function answerResponse(
  asking: ResponseContext,
  first: PlacedResponse,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  if (asking.direct) return answerDirectly(asking, asking.direct, first, headers)
  const refused = await ask(asking, first, headers, true)
  if (!refused) return
  const { visit, services } = asking
  const sent = sentText(visit, chatBody(asking, first.relay.messages))
  const fitted = await refit(services, { ...questionOf(asking), sent }, first, refused.overflow).then(
    (changed) => ({ ...first, ...changed }),
    () => undefined,
  )
  if (!fitted) return refused.pass()
  visit.tell({ mode: fitted.relay.mode, tokens: fitted.relay.prediction.predicted })
  await ask(asking, fitted, await answerHeaders({ ...fitted, thread: fitted.kept?.thread }), false)
}

/** One call. Resolves with a refusal that the client has not seen. */
async function ask(
  asking: ResponseContext,
  placed: PlacedResponse,
  headers: Readonly<Record<string, string>>,
  refits: boolean,
): Promise<WithheldRefusal | undefined> {
  const {
    visit: { response },
    services,
    request: { terms, streams },
  } = asking
  const { begun, kept, relay } = placed
  const telling = writeResponse(
    {
      response,
      place: responsePlace(begun.id) ?? { part: '', name: '' },
      headers,
      hidesNotes: services.config.policy.notes === true,
    },
    streams,
  )
  const responseAt = (ending?: ResponseOutcome): ResponseObject =>
    responseOf({ begun, terms, ending, stores: kept !== undefined })
  const observed = observeCall(asking, placed)
  relay.called()
  const answer = await callModel(asking, chatBody(asking, relay.messages), {
    begin: () => telling.begin(responseAt()),
    hear: (event) => {
      if (streams) relay.heard()
      observed.hear(event)
      telling.hear(event)
    },
  })
  observed.end(answer)
  const pass = async (): Promise<void> => {
    try {
      await conclude(asking, placed, answer, { telling, responseAt })
    } catch {
      asking.visit.tell({ code: notRecorded.code, recorded: false })
      services.metrics.unrecorded()
      fail(telling, asking, notRecorded, responseAt)
    }
  }
  const overflow = answer.kind === 'refused' || answer.kind === 'failed' ? answer.overflow : undefined
  if (refits && overflow && !response.headersSent) return { overflow, pass }
  await pass()
  return undefined
}

interface Concluding {
  readonly telling: ResponseWriter
  readonly responseAt: (ending?: ResponseOutcome) => ResponseObject
}

async function conclude(
  asking: ResponseContext,
  placed: PlacedResponse,
  answer: ModelAnswer,
  { telling, responseAt }: Concluding,
): Promise<void> {
  const { visit, services, random } = asking
  const { relay } = placed
  switch (answer.kind) {
    case 'answer': {
      const relayed = await recordAnswer(
        {
          ...placed,
          thread: placed.kept?.thread,
          services,
          visit,
          question: questionOf(asking),
          counts: openAi.counts,
        },
        withCallIds(answer.end, random),
      )
      const { receipt, cache } = relayed
      const isRecorded = placed.kept !== undefined
      return telling.finish(
        responseAt(outcomeOf(relayed)),
        receiptHeaders(receipt, { isRecorded, cache: placed.isOwn ? cache : undefined }),
      )
    }
    case 'refused':
      await stop(asking, placed, 'failed', '', answer.status < 500 ? 'model_refused' : 'model_error')
      return telling.pass(answer)
    case 'failed': {
      const ending = await stop(asking, placed, 'failed', telling.shown, answer.code)
      return fail(telling, asking, answer.refusal, () => responseAt({ ...ending, reason: messageOf(answer.refusal) }))
    }
    case 'left':
      await relay.stop('cancelled', telling.shown, 'cancelled').catch(() => undefined)
      visit.tell({ code: 'cancelled' })
  }
}

function questionOf({ visit: { caller }, upstream, model, request: { output } }: ResponseContext): WindowQuestion {
  return { tenant: caller.tenant, owner: caller.name, upstream, model, protocol: 'openai', output }
}

async function stop(
  { visit }: ResponseContext,
  placed: PlacedResponse,
  how: 'failed',
  shown: string,
  code: string,
): Promise<ResponseOutcome> {
  visit.tell({ code })
  return outcomeOf(await placed.relay.stop(how, shown, code))
}

/** By the status if nothing was sent yet, else as the last event. */
function fail(
  telling: ResponseWriter,
  { visit: { response } }: ResponseContext,
  refusal: Refusal,
  failedAt: () => ResponseObject,
): void {
  if (!response.headersSent) return telling.refuse(refusal)
  telling.finish({ ...failedAt(), status: 'failed', error: { code: 'server_error', message: messageOf(refusal) } }, {})
}
