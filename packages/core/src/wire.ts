// `minutebook/wire`: the protocols of model servers: requests, replies, windows, refusals, and what a server's token
// counts show.
export { attachmentName, type Attachment, type VisibleAttachment } from './log/attachment.ts'
export { argumentsText, readMessage, type Call, type Content, type ParsedCall } from './log/message.ts'
export { createNoteParser, splitNotes, type NoteForm, type NoteParser, type SplitText } from './log/note-parser.ts'
export { callErrors, unlessAborted, type CallErrors } from './models/call-errors.ts'
export { anthropicReply } from './models/anthropic-reply.ts'
export { anthropicBody, fromAnthropic, toAnthropic } from './models/anthropic-wire.ts'
export { tokensRead, type FoundWindow, type ServerSource } from './models/model.ts'
export { ollamaReply, toOllama } from './models/ollama-wire.ts'
export { openAiReply, toOpenAi } from './models/openai-wire.ts'
export { ollamaOptions, openAiOptions } from './models/request-options.ts'
export {
  assumedWindow,
  discoverWindow,
  isSameModel,
  namesWindow,
  overflowIn,
  overflowOf,
  type AskServer,
  type ContextOverflow,
  type DiscoverOptions,
  type WindowSource,
} from './models/server-window.ts'
export {
  cutOffError,
  fieldsOf,
  usageOf,
  type EndEvent,
  type Fields,
  type Reply,
  type ReplyOptions,
} from './models/wire.ts'
export type { SentPrompt } from './tokens/prediction.ts'
export { printedArguments } from './compiler/cost.ts'
export type { AnsweredCall, ReadObserver, TruncationFinding, UpstreamFacts } from './receipts/truncation.ts'
export { noteDrafts, noteInstruction, takeNotes, type TakenNotes } from './turns/notes.ts'
export { reconcile, type Reconciliation } from './turns/match-history.ts'
export type { RelayRecords } from './relay/place-request.ts'
