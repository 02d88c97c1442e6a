import type { IdLanes } from '../chat/id-lanes.ts'
import type { ThreadShelf } from '../chat/thread-shelf.ts'
import type { Wishes } from '../chat/wishes.ts'
import type { Services } from '../services.ts'
import type { Upstream } from '../upstream.ts'
import type { Visit } from '../visit.ts'
import type { ResponseRequest } from './request.ts'

/** What all requests of a server share here. */
export interface Shared {
  readonly shelf: ThreadShelf
  readonly inLane: IdLanes
  readonly random: (bytes: number) => Uint8Array
}

/** One request for a response, on its way. */
export interface Asking extends Pick<Shared, 'shelf' | 'random'> {
  readonly visit: Visit
  readonly services: Services
  readonly request: ResponseRequest
  readonly model: string
  readonly upstream: Upstream
  readonly wishes: Wishes
  /** Of the body. */
  readonly bytes: number
}
