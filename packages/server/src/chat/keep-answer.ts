import { tokensRead, type EndEvent, type Relayed } from 'minutebook'
import { noteReading } from '../note-reading.ts'
import type { Services } from '../services.ts'
import type { Upstream } from '../upstream.ts'
import type { Visit } from '../visit.ts'
import type { Placed } from './place-chat.ts'
import type { Protocol } from './protocol.ts'

/** A call whose answer is there. */
export interface Answering extends Pick<Placed, 'relay' | 'window' | 'shelved'> {
  readonly visit: Visit
  readonly services: Pick<Services, 'metrics' | 'calibrations' | 'readings'>
  readonly upstream: Upstream
  readonly model: string
  readonly protocol: Pick<Protocol, 'name' | 'counts'>
  /** Undefined if nothing of it is kept. */
  readonly thread: string | undefined
  readonly numKeep?: number | undefined
}

/** Puts an answer on record, and tells all who learn from it. Rejects where it cannot be recorded. */
export async function keepAnswer({ visit, services, upstream, model, protocol: { name: protocol, counts }, thread = '', numKeep, relay, window, shelved }: Answering, end: EndEvent): Promise<Relayed> {
  const { tenant, name: owner } = visit.caller
  const note = noteReading(services, { tenant, owner, thread, upstream, model, protocol, window })
  const relayed = await relay.answer(end, { window: (window.told ?? window).window, keep: numKeep, counts, note })
  const { truncated = 'unknown' } = relayed.receipt
  shelved.calls.truncated = truncated
  visit.tell({ truncated, read: tokensRead(end.usage ?? {}) })
  return relayed
}
