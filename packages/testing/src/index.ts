export { words } from './builders.ts'
export {
  assistant,
  call,
  dot,
  journal,
  note,
  ollamaAssistant,
  ollamaCall,
  ollamaPicture,
  ollamaResult,
  picture,
  result,
  system,
  user,
  type OllamaTestMessage,
  type TestMessage,
  type TestPicture,
} from './builders.ts'
export { findIllegal } from './strict.ts'
export { findMisshapen } from './strict.ts'
export { strictUpstream, type StrictUpstream } from './upstream/server.ts'
export type { StrictUpstreamOptions } from './upstream/chat.ts'
export type {
  PrefixReuse,
  UpstreamAnswer,
  UpstreamAnswers,
  UpstreamCall,
  UpstreamRequest,
} from './upstream/protocols.ts'
export type { UpstreamFaults } from './upstream/chat.ts'
export type { OnOverflow } from './upstream/chat.ts'
export {
  scriptedModel,
  type ScriptedAnswer,
  type ScriptedLine,
  type ScriptedModel,
  type ScriptedModelOptions,
} from './scripted-model.ts'
export { storeCases } from './store-cases.ts'
export type { StoreCase, StoreContext, StorePart } from './store/harness.ts'
export { runWriters, type WritersOptions } from './store/writers.ts'
export { checkConsistency, type AppendOperation, type Operation, type ReadOperation } from './consistency.ts'
