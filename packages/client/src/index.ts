export { createClient, segmentOf, type ClientSettings, type MinutebookClient } from './client.ts'
export {
  ApiError,
  readError,
  type Entry,
  type FirstDecision,
  type Receipt,
  type Setup,
  type StreamEvent,
  type Thread,
  type Turn,
} from './answers.ts'
export { createView, eventsIn, type FollowOptions, type ThreadView } from './follow.ts'
export type { components, operations, paths } from './schema.ts'
