export { fromModelMessages, fromPrompt } from './from-model.ts'
export { toModelMessages, toPrompt } from './to-model.ts'
export { fromUIMessages } from './from-ui.ts'
export { toUIMessages, uiMessagesOf } from './to-ui.ts'
export type { SdkMessage } from './sdk-message.ts'
export { minutebookMiddleware, type MiddlewareOptions } from './middleware.ts'
export { recordTo, type PlacedNote, type RecordedTurn, type Recorder } from './recorder.ts'
export { sdkModel, type ProviderModel, type SdkModelOptions } from './sdk-model.ts'
export { uiMessageResponse, uiMessageStream, type StreamResponseInit } from './turn-stream.ts'
export {
  loadChat,
  resumeUIMessageResponse,
  resumeUIMessageStream,
  type LoadedChat,
  type ResumeOptions,
} from './resume-stream.ts'
export { chatHandler, type ChatOpener, type ChatOptions } from './chat-handler.ts'
