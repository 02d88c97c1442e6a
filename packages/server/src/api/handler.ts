import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import { configuredCounters } from '../desk/configured-counters.ts'
import { localDesk } from '../local-desk.ts'
import type { Services } from '../services.ts'
import type { Visit } from '../visit.ts'
import { createApi } from './api.ts'
import type { Visitor } from './visitor.ts'

/** Answers what is asked below `/minutebook/v1`, from the record of the caller's tenant. */
export async function apiHandler(visit: Visit, services: Services): Promise<void> {
  const { request, response, caller, hold } = visit
  const counters = await configuredCounters(services.config)
  const visitorOf = (asked: Request): Visitor => {
    const { store, book } = services.stores.of(caller.tenant)
    const { states, policies } = services.config
    const desk = localDesk(store, { counters, states, policies })
    return {
      caller,
      services,
      store,
      book,
      desk,
      request: asked,
      hold,
      breakOff: () => void response.destroy(),
      tell: (facts) => visit.tell(facts),
    }
  }
  await answerApi(request, response, visitorOf)
}

const api = createApi()

/**
 * Answers a request of `node:http` for a visitor. Resolves when the answer is over, or its client has left and nothing
 * more is done for it.
 */
export async function answerApi(
  incoming: IncomingMessage,
  response: ServerResponse,
  visitorOf: (asked: Request) => Visitor,
): Promise<void> {
  let answering: Promise<Response | undefined> = Promise.resolve(undefined)
  const listener = getRequestListener(
    (asked) => {
      answering = Promise.resolve(api.fetch(asked, { visitor: visitorOf(asked) }))
      return answering as Promise<Response>
    },
    { overrideGlobalObjects: false },
  )
  const left = new Promise<void>((resolve) => response.once('close', resolve)).then(async () => {
    const body = (await answering)?.body
    // The listener neither reads nor cancels a stream whose client left before it began.
    if (body && !body.locked) await body.cancel()
  })
  await Promise.race([listener(incoming, response), left])
}
