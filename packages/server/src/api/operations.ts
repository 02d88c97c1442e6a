import type { Operation } from './operation.ts'
import { callOperations } from './routes/calls.ts'
import { keyOperations } from './routes/keys.ts'
import { policyOperations } from './routes/policies.ts'
import { recordOperations } from './routes/record.ts'
import { relayOperations } from './routes/relay.ts'
import { runOperations } from './routes/runs.ts'
import { serverOperations } from './routes/server.ts'
import { threadOperations } from './routes/threads.ts'
import { turnOperations } from './routes/turns.ts'

/** All that can be asked. */
export const operations: readonly Operation[] = [
  ...serverOperations,
  ...threadOperations,
  ...turnOperations,
  ...relayOperations,
  ...recordOperations,
  ...callOperations,
  ...runOperations,
  ...policyOperations,
  ...keyOperations,
]
