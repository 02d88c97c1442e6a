// `@minutebook/inspect`: what people look at of a recorded conversation, computed from its log and its receipts.
export {
  cacheUsage,
  createCacheMeter,
  type CacheFinding,
  type CacheMeter,
  type CacheUsage,
  type CacheUsageOptions,
  type CallCacheUsage,
} from './cache.ts'
export type { CacheCause } from './cache-cause.ts'
export type { PromptChange } from './cache-difference.ts'
export { callCost, type CallCost, type ModelPrice } from './call-cost.ts'
export { cacheBreakText, callTimeText, newTokens, secondsText } from './call-text.ts'
export { deciderText } from './decision-text.ts'
export {
  costsAsSent,
  inspect,
  sharesAsSent,
  sharesOf,
  type InspectedEntry,
  type InspectedMessage,
  type InspectedPiece,
  type Inspection,
  type InspectionSource,
  type Share,
} from './inspection.ts'
export {
  laneOf,
  turnsOf,
  type Lane,
  type LaneCall,
  type LaneOptions,
  type RecallQuery,
  type TurnPosition,
} from './lane.ts'
export { laneSummary, verdictText, withoutText, type VerdictTurns } from './lane-text.ts'
export {
  changesText,
  changesToTry,
  restorationsOf,
  restorationText,
  type PromptChanges,
  type Restoration,
  type RestorationOptions,
} from './restoration.ts'
export { isSeen, isWithout } from './verdict.ts'
