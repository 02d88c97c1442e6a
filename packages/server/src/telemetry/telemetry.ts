import type { Finish, Usage } from 'minutebook'
import type { RelayMode } from 'minutebook/inspect'
import type { ProtocolName } from '../config/settings.ts'
import { createHash } from 'node:crypto'

/** Reports model calls and tool calls to an OpenTelemetry collector. Does nothing if none is configured. */
export interface Spans {
  /** Whether spans are sent. If not, what only spans need is not looked up. */
  readonly isOn: boolean
  /** A model is called. End the returned span when that is over. */
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
  readonly protocol: ProtocolName
  readonly mode?: RelayMode | undefined
  /** Tokens of the prompt, as predicted. */
  readonly predicted?: number | undefined
  /** What is sent. Read only if the operator wants content in spans. */
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
  /** The address where the collector takes traces, such as `http://127.0.0.1:4318/v1/traces`. */
  readonly endpoint: string
  /** Whether spans contain what is said. Default: false. */
  readonly content?: boolean | undefined
}

const noModel: ModelSpan = { firstText: () => undefined, end: () => undefined }
const noTool: ToolSpan = { end: () => undefined }

/** Sends nothing. */
export const noSpans: Spans = { isOn: false, model: () => noModel, tool: () => noTool, close: async () => undefined }

/** The trace of a span: another program's, that of its thread and turn, or a new one. */
export interface TracePlace {
  /** The `traceparent` header of the request, if there was one. */
  readonly traceparent?: string | undefined
  readonly tenant?: string | undefined
  readonly thread?: string | undefined
  /** The id of the user entry that is answered. */
  readonly turn?: string | undefined
}

/** The span of another program that is the parent of ours. */
export interface OuterSpan {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
}

/** Reads the `traceparent` header of W3C Trace Context; undefined if it is not valid. */
export function outerSpan(traceparent: string | undefined): OuterSpan | undefined {
  const [, version = 'ff', traceId = '', spanId = '', flags = '00'] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/.exec(traceparent ?? '') ?? []
  if (version === 'ff' || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/**
 * The trace of a turn: the same on every instance, so the parts of one turn are seen together. Undefined if the turn is
 * not known.
 */
export function traceOfTurn({ tenant = 'default', thread, turn }: TracePlace): string | undefined {
  if (thread === undefined || turn === undefined) return undefined
  return createHash('sha256')
    .update(JSON.stringify([tenant, thread, turn]))
    .digest('hex')
    .slice(0, 32)
}
