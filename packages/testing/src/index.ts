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
  type OllamaTestMessage,
  picture,
  result,
  system,
  type TestMessage,
  type TestPicture,
  user,
  words,
} from './builders.ts'
export { findIllegal, findMisshapen } from './strict.ts'
export {
  scriptedModel,
  type ScriptedAnswer,
  type ScriptedLine,
  type ScriptedModel,
  type ScriptedModelOptions,
} from './scripted-model.ts'
export { storeCases } from './store-cases/store-cases.ts'
export type { StoreCase, StoreContext, StorePart } from './store-cases/harness.ts'
export { runWriters, type WritersOptions } from './store-cases/writers.ts'
export { checkConsistency, type AppendOperation, type Operation, type ReadOperation } from './consistency.ts'
