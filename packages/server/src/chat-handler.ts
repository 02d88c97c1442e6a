import type { ProtocolName } from './protocol-name.ts'
import type { Services } from './services.ts'
import type { Visit } from './visit.ts'

/**
 * Answers a POST to `/api/chat` or `/v1/chat/completions`. Contract: resolves when the response is over or will be
 * without it; a rejection before the head is sent becomes a 500 in the protocol's shape, later it breaks the
 * connection.
 */
export type ChatHandler = (visit: Visit, protocol: ProtocolName, services: Services) => Promise<void>
