import type { components } from './schema.ts'

type Schemas = components['schemas']

export type Thread = Schemas['Thread']
export type Setup = Schemas['Setup']
export type Turn = Schemas['Turn']
export type Entry = Schemas['Entry']
export type Receipt = Schemas['Receipt']
/** What a stream tells; `id` is the position to go on from. */
export type StreamEvent = Schemas['StreamEvent']
