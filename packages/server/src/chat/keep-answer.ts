import type { RelayResult } from 'minutebook'
import { tokensRead, type EndEvent } from 'minutebook/wire'
import { noteReading } from '../note-reading.ts'
import type { Services } from '../services.ts'
import type { Visit } from '../visit.ts'
import { toldWindow, type WindowQuestion } from '../window.ts'
import type { Placed } from './place-chat.ts'
import type { Protocol } from './protocol.ts'

/** A call whose answer is there. */
export interface Answering extends Pick<Placed, 'relay' | 'window' | 'shelved'> {
  readonly visit: Visit
  readonly services: Pick<Services, 'metrics' | 'calibrations' | 'readings' | 'windows'>
  readonly question: WindowQuestion
  readonly counts: Protocol['counts']
  /** Undefined if nothing of it is kept. */
  readonly thread: string | undefined
  readonly numKeep?: number | undefined
}

/** Puts an answer on record, and tells all who learn from it. Rejects where it cannot be recorded. */
export async function keepAnswer(
  { visit, services, question, counts, thread = '', numKeep, relay, window, shelved }: Answering,
  end: EndEvent,
): Promise<RelayResult> {
  const note = noteReading(services, { ...question, owner: visit.caller.name, thread, window })
  const relayed = await relay.answer(end, { window: toldWindow(window).window, keep: numKeep, counts, note })
  const { truncated = 'unknown' } = relayed.receipt
  shelved.calls.truncated = truncated
  visit.tell({ truncated, read: tokensRead(end.usage ?? {}) })
  const { prompt } = end.usage ?? {}
  if (prompt !== undefined) services.windows.read(question, prompt)
  return relayed
}
