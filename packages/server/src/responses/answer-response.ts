import type { Message } from 'minutebook'
import { receiptHeaders } from '../chat/answer-headers.ts'
import { notRecorded } from '../chat/chat-refusal.ts'
import { keepAnswer } from '../chat/keep-answer.ts'
import { openAi } from '../chat/openai.ts'
import { recordAnswer } from '../lineage/record-line.ts'
import type { Refusal } from '../refusal.ts'
import type { Asking } from './asking.ts'
import { chatBody, withCallIds } from './chat-body.ts'
import { endingOf, type Ending } from './ending.ts'
import { hearModel, type Heard } from './hear-model.ts'
import { responsePlace } from './ids.ts'
import { recordBegun } from './kept-response.ts'
import { observeCall } from './observed-call.ts'
import type { PlacedResponse } from './place-response.ts'
import { responseOf, type ResponseObject } from './response.ts'
import { tellResponse, type Telling } from './telling.ts'

/** Asks the upstream, and tells the client what came of it when that is on record. */
export async function answerResponse(asking: Asking, placed: PlacedResponse, headers: Readonly<Record<string, string>>): Promise<void> {
  const { visit: { response }, services, request: { terms, streams } } = asking
  const { begun, kept, relay } = placed
  const telling = tellResponse({ response, place: responsePlace(begun.id) ?? { part: '', name: '' }, headers, hidesNotes: services.config.policy.notes === true }, streams)
  const beginning = kept ? recordBegun(kept.store, kept.thread, begun, terms) : Promise.resolve()
  // Whether it came about is asked when the answer is there.
  beginning.catch(() => undefined)
  const responseAt = (ending?: Ending): ResponseObject => responseOf({ begun, terms, ending, stores: kept !== undefined })
  const observed = observeCall(asking, placed)
  const heard = await hearModel(asking, chatBody(asking, relay.messages), {
    begin: () => telling.begin(responseAt()),
    hear: (event) => {
      observed.hear(event)
      telling.hear(event)
    },
  })
  observed.end(heard)
  try {
    await beginning
    await conclude(asking, placed, heard, { telling, responseAt })
  } catch {
    asking.visit.tell({ code: notRecorded.code, recorded: false })
    services.metrics.unrecorded()
    fail(telling, asking, notRecorded, responseAt)
  }
}

interface Concluding {
  readonly telling: Telling
  readonly responseAt: (ending?: Ending) => ResponseObject
}

async function conclude(asking: Asking, placed: PlacedResponse, heard: Heard, { telling, responseAt }: Concluding): Promise<void> {
  const { visit, services, model, random } = asking
  const { relay } = placed
  switch (heard.kind) {
    case 'answer': {
      const relayed = await keepAnswer({ ...placed, services, visit, model, counts: openAi.counts }, withCallIds(heard.end, random))
      if (relayed.answer) await recordLine(placed, relayed.answer.raw)
      return telling.finish(responseAt(endingOf(relayed)), receiptHeaders(relayed.receipt))
    }
    case 'refused':
      await stop(asking, placed, 'failed', '', heard.status < 500 ? 'model_refused' : 'model_error')
      return telling.pass(heard)
    case 'failed': {
      const ending = await stop(asking, placed, 'failed', telling.shown, heard.code)
      return fail(telling, asking, heard.refusal, () => responseAt({ ...ending, reason: heard.refusal.message }))
    }
    case 'left':
      await relay.stop('cancelled', telling.shown, 'cancelled').then(({ answer }) => answer && recordLine(placed, answer.raw)).catch(() => undefined)
      visit.tell({ code: 'cancelled' })
  }
}

async function stop({ visit }: Asking, placed: PlacedResponse, how: 'failed', shown: string, code: string): Promise<Ending> {
  visit.tell({ code })
  const relayed = await placed.relay.stop(how, shown, code)
  if (relayed.answer) await recordLine(placed, relayed.answer.raw)
  return endingOf(relayed)
}

/** By the status where nothing was sent yet, else as the last event. */
function fail(telling: Telling, { visit: { response } }: Asking, refusal: Refusal, failedAt: () => ResponseObject): void {
  if (!response.headersSent) return telling.refuse(refusal)
  telling.finish({ ...failedAt(), status: 'failed', error: { code: 'server_error', message: refusal.message } }, {})
}

/** Without it a client that sends everything again begins a new thread; what was said is on record all the same. */
async function recordLine({ kept }: PlacedResponse, answer: Message): Promise<void> {
  if (kept?.asked && kept.found) await recordAnswer(kept.asked, kept.found, answer).catch(() => undefined)
}
