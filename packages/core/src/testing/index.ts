export { words } from './words.ts'
export {
  assistant, call, dot, journal, note, ollamaAssistant, ollamaCall, ollamaPicture, ollamaResult, picture, result, system, user,
  type OllamaTestMessage, type TestMessage, type TestPicture,
} from './builders.ts'
export { findIllegal } from './strict.ts'
export { findMisshapen } from './shape.ts'
export { strictUpstream, type StrictUpstream } from './upstream/upstream.ts'
export type { StrictUpstreamOptions } from './upstream/options.ts'
export type { UpstreamAnswer, UpstreamAnswers, UpstreamCall } from './upstream/answer.ts'
export type { UpstreamFaults } from './upstream/faults.ts'
export type { OnOverflow } from './upstream/overflow.ts'
export type { PrefixReuse, UpstreamRequest } from './upstream/request.ts'
export { scriptedModel, type ScriptedAnswer, type ScriptedLine, type ScriptedModel, type ScriptedModelOptions } from './scripted-model.ts'
export { storeCases } from './store-cases.ts'
export type { StoreCase, StoreContext, StorePart } from './store/case.ts'
export { runWriters, type WritersOptions } from './store/writers.ts'
export { checkConsistency, type AppendOperation, type Operation, type ReadOperation } from './consistency.ts'
