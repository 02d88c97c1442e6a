import type { Operation } from '../operation.ts'
import { callListOperations } from './call-list.ts'
import { callOperations } from './calls.ts'
import { decisionOperations } from './decisions.ts'
import { feedbackOperations } from './feedback.ts'
import { keyOperations } from './keys.ts'
import { overviewOperations } from './overview.ts'
import { policyOperations } from './policies.ts'
import { recordOperations } from './record.ts'
import { relayOperations } from './relay.ts'
import { runOperations } from './runs.ts'
import { serverOperations } from './server.ts'
import { threadListOperations } from './thread-list.ts'
import { threadOperations } from './threads.ts'
import { turnOperations } from './turns.ts'

/** The path of the API. */
export const apiPath = '/minutebook/v1'

/**
 * All operations of the API. To add one, write it with `operation(…)` in the file of its group, and the schemas of its
 * request and answer in ../schema. The OpenAPI document, the types of the client and docs/api.md follow from it, and
 * tests compare them.
 */
export const operations: readonly Operation[] = [
  ...serverOperations,
  ...threadListOperations,
  ...threadOperations,
  ...feedbackOperations,
  ...turnOperations,
  ...decisionOperations,
  ...relayOperations,
  ...recordOperations,
  ...callOperations,
  ...overviewOperations,
  ...callListOperations,
  ...runOperations,
  ...policyOperations,
  ...keyOperations,
]

/** The groups in which the documentation lists them. */
export const tags: readonly { readonly name: Operation['tag']; readonly description: string }[] = [
  { name: 'server', description: 'The server itself.' },
  { name: 'threads', description: 'Threads, and what was said in them.' },
  { name: 'turns', description: 'Send messages, follow the answers, cancel them.' },
  { name: 'record', description: 'What the model saw, and everything else that is recorded.' },
  { name: 'runs', description: 'Experiments: run, watch, steer and export them.' },
  { name: 'policies', description: 'How a long conversation is fitted into the window.' },
  { name: 'keys', description: 'API keys.' },
]
