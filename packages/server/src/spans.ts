import type { RelayMode } from 'minutebook/inspect'
import type { Finish, Usage } from 'minutebook'
import type { TracePlace } from './spans/trace-place.ts'

/** Tells an OpenTelemetry collector of model calls and tool calls. Does nothing where none is configured. */
export interface Spans {
  /** Whether anybody is told: what only spans need to know is not looked up otherwise. */
  readonly isOn: boolean
  /** A model is called; the answer is called when that is over. */
  model(call: ModelCall): ModelSpan
  /** A tool of the server runs. */
  tool(call: ToolRun): ToolSpan
  /** Sends what is left; waits a few seconds at most. */
  close(): Promise<void>
}

export interface ModelCall extends TracePlace {
  readonly model: string
  /** The address of the upstream. */
  readonly upstream: string
  readonly protocol: 'ollama' | 'openai'
  readonly mode?: RelayMode | undefined
  /** Tokens of the prompt, as predicted. */
  readonly predicted?: number | undefined
  /** What is sent: told only where the operator wants content in spans. */
  readonly messages?: (() => unknown) | undefined
}

export interface ModelSpan {
  /** The first text has come. */
  firstText(): void
  end(how: ModelEnd): void
}

export interface ModelEnd {
  /** The code of what went wrong. */
  readonly error?: string | undefined
  readonly finish?: Finish | undefined
  readonly usage?: Usage | undefined
  readonly message?: (() => unknown) | undefined
}

export interface ToolRun extends TracePlace {
  readonly tool: string
  readonly call?: string | undefined
  readonly input?: (() => unknown) | undefined
}

export interface ToolSpan {
  end(how: { readonly error?: string | undefined; readonly result?: (() => unknown) | undefined }): void
}

export interface SpansOptions {
  /** Where the collector takes traces: the whole address, such as `http://127.0.0.1:4318/v1/traces`. */
  readonly endpoint: string
  /** Whether what is said goes into spans: off unless told. */
  readonly content?: boolean | undefined
}

/**
 * What speaks to the collector is loaded only where there is one.
 *
 * @example
 * const spans = await openSpans({ endpoint: 'http://127.0.0.1:4318/v1/traces' })
 * const span = spans.model({ model: 'gemma3:4b', upstream: 'http://127.0.0.1:11434', protocol: 'ollama' })
 * span.end({ finish: 'stop' })
 */
export async function openSpans(options: SpansOptions | undefined): Promise<Spans> {
  if (!options) return noSpans
  const { collectorSpans } = await import('./spans/collector.ts')
  return collectorSpans(options)
}

const noModel: ModelSpan = { firstText: () => undefined, end: () => undefined }
const noTool: ToolSpan = { end: () => undefined }

/** Tells nobody. */
export const noSpans: Spans = { isOn: false, model: () => noModel, tool: () => noTool, close: async () => undefined }
