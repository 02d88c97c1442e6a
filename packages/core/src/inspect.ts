// `minutebook/inspect`: what happened to a log: receipts, prompts and costs. `@minutebook/inspect` makes views of them.
export { editDistance, nearestName } from './log/error.ts'
export { createPauses, type CallTime, type Pause } from './log/time.ts'
export { nextStep, turnOf, type TurnStep } from './log/next.ts'
export { numbersOf } from './log/numbers.ts'
export {
  callPosition,
  standingsIn,
  type CallPosition,
  type CallStanding,
  type DecisionChannel,
  type KeptDecision,
} from './log/open-call.ts'
export { createReuseMeter, messageTokens, type Prediction } from './tokens/prediction.ts'
export {
  checkedCount,
  counterNamed,
  countTools,
  innermost,
  overheadOf,
  type Margin,
  type Overhead,
} from './tokens/tokens.ts'
export { digesterOf } from './compiler/digester.ts'
export { verdictCounts, type VerdictCounts } from './compiler/verdict.ts'
export { planRows, withNumbers } from './compiler/explain.ts'
export { recallWords, type RecallWords } from './compiler/recall-words.ts'
export { withShares, type PolicyChanges, type NotesRole } from './compiler/policy.ts'
export { problemReasons, problemsIn, type ProblemReason, type StoredProblem } from './receipts/call-count.ts'
export { badOutcomes, callRowKey, type CallRow } from './receipts/call-row.ts'
export { askedIn, createDeriver, type DeriveFunction } from './receipts/derive.ts'
export { leading, type Reference, type SentByReference } from './receipts/message-reference.ts'
export { requestHash, type Prompt } from './receipts/prompt.ts'
export {
  finishOf,
  optionsSent,
  receiptsOf,
  settingsFrom,
  type CallSettings,
  type KeptReceipt,
  type RelayMode,
  type Receipt,
  type SentOptions,
  type Stabiliser,
  type TurnVerdicts,
  type WindowLimit,
} from './receipts/receipt.ts'
export { callNames, type CallChoice, type ThreadDump } from './receipts/thread-dump.ts'
export type { VerifyProblem } from './receipts/check-entries.ts'
export type { ReplayedCall, Verification, VerifyPart } from './receipts/verify.ts'
export type { CallPrompt, PreviousCall } from './relay/previous-call.ts'
export { toolName } from './relay/stabilise.ts'
export { interruptions } from './turns/tool.ts'
export { resultOf } from './turns/turn-result.ts'
