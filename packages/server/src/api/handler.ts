import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../caller.ts'
import { configuredCounters } from '../desk/configured-counters.ts'
import { localDesk } from '../local-desk.ts'
import type { Services } from '../services.ts'
import { apiListener, type ApiListener } from './api.ts'

/** What is asked below `/minutebook/v1`, and by whom. */
interface ApiVisit {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly caller: Caller
}

/** Answers what is asked below `/minutebook/v1`, at the desk of the caller's tenant; who is no operator has none. */
export async function apiHandler({ request, response, caller }: ApiVisit, services: Services): Promise<void> {
  const desk = caller.operator ? localDesk(services.stores.of(caller.tenant).store, { counters: await configuredCounters(services.config) }) : undefined
  const listener = listeners.get(services) ?? apiListener({ about: () => aboutOf(services) })
  listeners.set(services, listener)
  await listener(request, response, desk)
}

/** One for each server. */
const listeners = new WeakMap<Services, ApiListener>()

/** What a server says of itself: nothing that is secret. */
function aboutOf({ config }: Services): object {
  return {
    name: 'minutebook',
    upstreams: config.upstreams.map(({ url, protocol, models }) => ({ url: withoutSecrets(url), ...(protocol && { protocol }), ...(models && { models }) })),
    store: config.database === undefined ? 'sqlite' : 'postgres',
    data: config.data,
  }
}

function withoutSecrets(url: string): string {
  const { origin, pathname } = new URL(url)
  return `${origin}${pathname === '/' ? '' : pathname}`
}
