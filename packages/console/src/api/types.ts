import type { components, Entry } from '@minutebook/client'

type Schemas = components['schemas']

/** What the API tells, by the names that the console has for it. */
export type ThreadSummary = Schemas['ThreadSummary']
export type ThreadPage = Schemas['ThreadList']
export type Mark = ThreadSummary['marks'][number]
export type ShownThread = Schemas['Entries']
export type { Entry }
