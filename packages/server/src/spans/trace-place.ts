import { createHash } from 'node:crypto'

/** Where a span belongs: in somebody else's trace, in one of its own thread and turn, or in a new one. */
export interface TracePlace {
  /** The `traceparent` header of the request, where there was one. */
  readonly traceparent?: string | undefined
  readonly tenant?: string | undefined
  readonly thread?: string | undefined
  /** The id of the user entry that is answered. */
  readonly turn?: string | undefined
}

/** The span of somebody else that ours stands below. */
export interface OuterSpan {
  readonly traceId: string
  readonly spanId: string
  readonly isSampled: boolean
}

/** Reads the `traceparent` header of W3C Trace Context; undefined where it is not one. */
export function outerSpan(traceparent: string | undefined): OuterSpan | undefined {
  const [, version = 'ff', traceId = '', spanId = '', flags = '00'] =
    /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-|$)/.exec(traceparent ?? '') ?? []
  if (version === 'ff' || /^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, isSampled: (Number.parseInt(flags, 16) & 1) === 1 }
}

/**
 * The trace of a turn: the same on every instance, so that what one began and another finished is seen together.
 * Undefined where the turn is not known.
 */
export function traceOfTurn({ tenant = 'default', thread, turn }: TracePlace): string | undefined {
  if (thread === undefined || turn === undefined) return undefined
  return createHash('sha256')
    .update(JSON.stringify([tenant, thread, turn]))
    .digest('hex')
    .slice(0, 32)
}
