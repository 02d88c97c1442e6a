import type { Book, Store } from 'minutebook'
import type { ServerResponse } from 'node:http'
import type { z } from 'zod'
import type { Archive } from '../archive/archive.ts'
import type { Caller, Scope } from '../config/caller.ts'
import type { MemoryHold } from '../http/memory.ts'
import type { Services } from '../services.ts'
import { threadWeight } from '../stores/thread-weight.ts'
import type { RequestFacts } from '../telemetry/request-log.ts'
import type { ErrorCode } from './error-codes.ts'

/** One operation of the API: how it is documented, and what it does. */
export interface Operation<P = unknown, Q = unknown, B = unknown, A = unknown> {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete'
  /** Below the path of the API, with parameters in braces. */
  readonly path: string
  readonly id: string
  readonly tag: Tag
  readonly summary: string
  readonly description?: string
  /** The smallest scope that may call it. */
  readonly scope: Scope
  /** It only reads the record, although it is not a GET. */
  readonly reads?: boolean
  /** It calls `holdThread` itself, or holds at most a page of its thread. */
  readonly holdsItself?: boolean
  readonly params?: z.ZodType<P>
  readonly query?: z.ZodType<Q>
  readonly body?: z.ZodType<B>
  /** Whether the body may be left out. */
  readonly bodyOptional?: boolean
  /** The content type of a body that is not JSON. The operation reads such a body itself. */
  readonly takes?: string
  readonly status: 200 | 201 | 202
  readonly says: string
  /** Of a JSON answer. */
  readonly schema?: z.ZodType<A>
  readonly example?: A
  /** Other content types of the answer, each with a description. */
  readonly media?: Readonly<Record<string, { readonly says: string; readonly example?: string }>>
  /** In addition to those that every operation can have. */
  readonly errors: readonly ErrorCode[]
  readonly answer: (asked: OperationInput<P, Q, B>) => Promise<A | Response>
}

export type Tag = 'server' | 'threads' | 'turns' | 'record' | 'runs' | 'policies' | 'keys'

/** The checked input of an operation. */
export interface OperationInput<P = unknown, Q = unknown, B = unknown> {
  readonly params: P
  readonly query: Q
  readonly body: B
  readonly call: ApiCall
}

/**
 * Drops the types that its parts agree on.
 *
 * @example
 * operation({ method: 'get', path: '/threads', id: 'listThreads', scope: 'viewer', …, answer: ({ call }) => call.archive.threads() })
 */
export function operation<P = unknown, Q = unknown, B = unknown, A = unknown>(of: Operation<P, Q, B, A>): Operation {
  return of as unknown as Operation
}

/** Whether an operation leaves the record as it is. */
export function isReading({ method, reads = method === 'get' }: Operation): boolean {
  return reads
}

/** Makes room for a thread that is read into memory. Throws `overloaded` if there is no room in time. */
export async function holdThread({ hold, store, services }: ApiCall, thread: string): Promise<void> {
  await hold.thread(await threadWeight(store, thread, services.stores.held))
}

/** One call of the API: the caller, and the record of the caller's tenant. */
export interface ApiCall {
  readonly caller: Caller
  readonly services: Services
  readonly store: Store
  readonly book: Book
  readonly archive: Archive
  readonly request: Request
  /** The share of the request in the memory that all requests use. */
  readonly hold: MemoryHold
  /** The response itself, for events: they need not pass the router. Undefined if only the router answers. */
  readonly outgoing?: ServerResponse | undefined
  /** Breaks off a response that has begun, so that it never looks whole. */
  readonly breakOff: () => void
  /** Adds to the log line of the request. */
  readonly tell: (facts: RequestFacts) => void
}
