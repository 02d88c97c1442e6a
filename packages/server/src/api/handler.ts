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
    return { caller, services, store, book, desk, request: asked, hold, breakOff: () => void response.destroy(), tell: (facts) => visit.tell(facts) }
  }
  await answerApi(request, response, visitorOf)
}

const api = createApi()

/** Answers a request of `node:http` for a visitor. */
export function answerApi(incoming: IncomingMessage, response: ServerResponse, visitorOf: (asked: Request) => Visitor): Promise<void> {
  const listener = getRequestListener((asked) => api.fetch(asked, { visitor: visitorOf(asked) }), { overrideGlobalObjects: false })
  return listener(incoming, response)
}
