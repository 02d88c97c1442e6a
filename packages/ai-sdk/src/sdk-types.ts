import type { LanguageModelMiddleware, ModelMessage, UIMessage } from 'ai'

// Short names for the provider's types. They are derived from `ai`, so that users need not install a second package.

type Transform = NonNullable<LanguageModelMiddleware['transformParams']>
type WrapGenerate = NonNullable<LanguageModelMiddleware['wrapGenerate']>
type WrapStream = NonNullable<LanguageModelMiddleware['wrapStream']>

export type CallOptions = Parameters<Transform>[0]['params']
export type PromptMessage = CallOptions['prompt'][number]
export type AssistantPart = Extract<PromptMessage, { role: 'assistant' }>['content'][number]
export type GenerateResult = Awaited<ReturnType<WrapGenerate>>
export type AnswerPart = GenerateResult['content'][number]
export type SdkUsage = GenerateResult['usage']
type StreamResult = Awaited<ReturnType<WrapStream>>
export type StreamPart = StreamResult['stream'] extends ReadableStream<infer P> ? P : never

/** A message for a model, as people write it or as a provider gets it. */
export type AnyModelMessage = ModelMessage | PromptMessage
/** Any part of such a message. */
export type ModelPart = Exclude<AnyModelMessage['content'], string>[number]
export type ResultPart = Extract<ModelPart, { type: 'tool-result' }>
export type ResultOutput = ResultPart['output']
export type UIPart = UIMessage['parts'][number]
