import type { Services } from '../services.ts'
import type { Upstream } from '../upstream.ts'
import type { Visit } from '../visit.ts'
import type { Protocol } from './protocol.ts'
import type { ChatRequest } from './request.ts'
import type { ThreadShelf } from './thread-shelf.ts'
import type { Wishes } from './wishes.ts'

/** One chat on its way. */
export interface Chat {
  readonly visit: Visit
  readonly services: Services
  readonly protocol: Protocol
  readonly request: ChatRequest
  readonly upstream: Upstream
  readonly wishes: Wishes
  readonly shelf: ThreadShelf
  readonly random: (bytes: number) => Uint8Array
}
