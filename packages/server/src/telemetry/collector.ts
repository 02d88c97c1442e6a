import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  RandomIdGenerator,
  TracerProvider,
  type IdGenerator,
  type SpanProcessor,
} from '@opentelemetry/sdk-trace'
import {
  outerSpan,
  traceOfTurn,
  type ModelCall,
  type ModelEnd,
  type Spans,
  type SpansOptions,
  type TracePlace,
} from './telemetry.ts'

/** Spans for a collector. `processor`: used in its place. */
export function collectorSpans(
  { endpoint, content = false }: SpansOptions,
  processor: SpanProcessor = batched(endpoint),
): Spans {
  const ids = turnIds()
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    spanProcessors: [processor],
    idGenerator: ids,
    spanLimits: { attributeValueLengthLimit: longestValue },
  })
  const tracer = provider.getTracer(serviceName)
  const said = (name: string, value: (() => unknown) | undefined): Attributes =>
    content && value ? { [name]: JSON.stringify(value()) } : {}
  return {
    isOn: true,
    model: (call) => {
      const began = performance.now()
      const span = start(tracer, ids, call, `chat ${call.model}`, SpanKind.CLIENT, {
        ...modelFacts(call),
        ...said(names.inputMessages, call.messages),
      })
      let hasText = false
      return {
        firstText: () => {
          if (!hasText) span.setAttribute(names.firstText, (performance.now() - began) / 1000)
          hasText = true
        },
        end: (how) => finish(span, how.error, { ...endFacts(how), ...said(names.outputMessages, how.message) }),
      }
    },
    tool: (call) => {
      const facts = {
        [names.operation]: 'execute_tool',
        [names.tool]: call.tool,
        [names.toolType]: 'function',
        ...placeFacts(call),
        ...(call.call !== undefined && { [names.call]: call.call }),
      }
      const span = start(tracer, ids, call, `execute_tool ${call.tool}`, SpanKind.INTERNAL, {
        ...facts,
        ...said(names.callArguments, call.input),
      })
      return { end: ({ error, result }) => finish(span, error, said(names.callResult, result)) }
    },
    close: () => provider.shutdown().catch(() => undefined),
  }
}

function batched(url: string): SpanProcessor {
  return new BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url, timeoutMillis: 5000 }) })
}

/** Characters. */
const longestValue = 65_536

interface TurnIds extends IdGenerator {
  /** Spans that start within belong to this trace. */
  in<T>(traceId: string | undefined, work: () => T): T
}

function turnIds(): TurnIds {
  const random = new RandomIdGenerator()
  let own: string | undefined
  return {
    generateTraceId: () => own ?? random.generateTraceId(),
    generateSpanId: () => random.generateSpanId(),
    in: (traceId, work) => {
      own = traceId
      try {
        return work()
      } finally {
        own = undefined
      }
    },
  }
}

function start(
  tracer: Tracer,
  ids: TurnIds,
  place: TracePlace,
  name: string,
  kind: SpanKind,
  attributes: Attributes,
): Span {
  return ids.in(traceOfTurn(place), () => tracer.startSpan(name, { kind, attributes }, contextOf(place)))
}

function contextOf({ traceparent }: TracePlace): Context {
  const outer = outerSpan(traceparent)
  if (!outer) return ROOT_CONTEXT
  const { traceId, spanId, isSampled } = outer
  return trace.setSpanContext(ROOT_CONTEXT, {
    traceId,
    spanId,
    isRemote: true,
    traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
  })
}

function modelFacts(call: ModelCall): Attributes {
  const { hostname, port, protocol } = new URL(call.upstream)
  return {
    [names.operation]: 'chat',
    [names.provider]: call.protocol,
    [names.model]: call.model,
    [names.server]: hostname,
    [names.port]: Number(port || (protocol === 'https:' ? 443 : 80)),
    ...placeFacts(call),
    ...(call.mode !== undefined && { [names.mode]: call.mode }),
    ...(call.predicted !== undefined && { [names.predictedTokens]: call.predicted }),
  }
}

function placeFacts({ tenant, thread, turn }: TracePlace): Attributes {
  return {
    ...(tenant !== undefined && { [names.tenant]: tenant }),
    ...(thread !== undefined && { [names.thread]: thread }),
    ...(turn !== undefined && { [names.turn]: turn }),
  }
}

function endFacts({ finish: reason, usage }: ModelEnd): Attributes {
  return {
    ...(reason !== undefined && { [names.finish]: [reason] }),
    ...(usage?.prompt !== undefined && { [names.inputTokens]: usage.prompt }),
    ...(usage?.completion !== undefined && { [names.outputTokens]: usage.completion }),
    ...(usage?.cached !== undefined && { [names.cachedTokens]: usage.cached }),
  }
}

/** Only the code of a failure: a message may contain content. */
function finish(span: Span, error: string | undefined, attributes: Attributes): void {
  span.setAttributes(attributes)
  if (error !== undefined) span.setAttribute(names.error, error).setStatus({ code: SpanStatusCode.ERROR })
  span.end()
}

/**
 * The attributes of spans, as OpenTelemetry's conventions for generative AI name them. Attributes without a convention
 * are ours.
 */
export const names = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  model: 'gen_ai.request.model',
  thread: 'gen_ai.conversation.id',
  finish: 'gen_ai.response.finish_reasons',
  firstText: 'gen_ai.response.time_to_first_chunk',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cachedTokens: 'gen_ai.usage.cache_read.input_tokens',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  tool: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  call: 'gen_ai.tool.call.id',
  callArguments: 'gen_ai.tool.call.arguments',
  callResult: 'gen_ai.tool.call.result',
  error: 'error.type',
  server: 'server.address',
  port: 'server.port',
  tenant: 'minutebook.tenant',
  turn: 'minutebook.turn',
  mode: 'minutebook.mode',
  predictedTokens: 'minutebook.tokens.predicted',
  status: 'minutebook.status',
} as const

const serviceName = 'minutebook'
