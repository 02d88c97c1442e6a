import type { Relay, RelayResult } from 'minutebook'
import type { CacheUsage } from '@minutebook/inspect'
import type { KeptReceipt } from 'minutebook/inspect'
import { tokensRead, type EndEvent } from 'minutebook/wire'
import type { Visit } from '../http/http.ts'
import type { Protocol } from '../protocol/protocol.ts'
import type { Services } from '../services.ts'
import { readObserver } from '../upstream/read-observer.ts'
import { toldWindow, type Window, type WindowQuestion } from '../upstream/window.ts'
import type { Placed } from './place-chat.ts'

/** A call whose answer is there. */
export interface AnswerRecorder extends Pick<Placed, 'relay' | 'window' | 'cached'> {
  readonly visit: Visit
  readonly services: Pick<Services, 'metrics' | 'calibrations' | 'readings' | 'windows' | 'hasKeys'>
  readonly question: WindowQuestion
  readonly counts: Protocol['counts']
  /** Undefined if nothing of it is kept. */
  readonly thread: string | undefined
  readonly numKeep?: number | undefined
}

/** What was recorded of an answer. */
export interface RecordedAnswer extends RelayResult {
  /** What the upstream could take from its cache. Undefined if that is not known. */
  readonly cache: CacheUsage | undefined
}

/** Records an answer, and informs everything that learns from it. Rejects if it cannot be recorded. */
export async function recordAnswer(
  { visit, services, question, counts, thread = '', numKeep, relay, window, cached }: AnswerRecorder,
  end: EndEvent,
): Promise<RecordedAnswer> {
  const onUsage = readObserver(services, { ...question, thread, window, instructs: visit.caller.system !== false })
  // Not waited for: the time of the call ends now. If nothing can be said of the cache, the answer is recorded anyway.
  const measured = cached.cacheOf(relay).catch(() => undefined)
  const relayed = await relay.answer(end, { window: toldWindow(window).window, keep: numKeep, counts, onUsage })
  const { truncated = 'unknown' } = relayed.receipt
  cached.calls.truncated = truncated
  const cache = (await measured)?.(relayed.receipt.tokens.reported)
  if (cache) services.metrics.cacheUsed(cache)
  visit.tell({ truncated, read: tokensRead(end.usage ?? {}) })
  const { prompt } = end.usage ?? {}
  if (prompt !== undefined) services.windows.read(question, prompt)
  return { ...relayed, cache }
}

/** What the headers of an answer contain. */
export interface HeaderFacts extends Pick<Placed, 'relay' | 'window' | 'cached'> {
  /** Undefined if the chat is not recorded. */
  readonly thread: string | undefined
  /** Whether the thread is surely the client's. If not, nothing is said of it, and of its other calls. */
  readonly isOwn: boolean
}

export async function answerHeaders(facts: HeaderFacts): Promise<Record<string, string>> {
  const { thread, relay, window, cached, isOwn } = facts
  // Of the previous call of the thread: the result of a stream is known only after its headers are sent.
  const last = isOwn ? cached.calls.truncated : undefined
  const { question, prediction, notWhole } = relay
  return {
    ...(thread !== undefined && isOwn && { 'minutebook-thread': thread, 'minutebook-turn': question.id }),
    'minutebook-tokens':
      last === undefined ? `${prediction.predicted}` : `${prediction.predicted}; last-truncated=${last}`,
    'minutebook-omitted': `${notWhole}`,
    ...(isOwn && cacheHeader((await cached.cacheOf(relay))?.())),
    'minutebook-window': isUnknown(window, relay) ? 'unknown' : `${window.window}; source="${window.source}"`,
    'minutebook-recorded': thread === undefined ? 'no' : 'yes',
  }
}

/** What the upstream can take from its cache, and why not more. Without it if the previous prompt is gone. */
function cacheHeader(usage: CacheUsage | undefined): Record<string, string> {
  if (!usage) return {}
  const { kept, lost, cause, cached } = usage
  return {
    'minutebook-cache': [
      `kept=${kept}`,
      `lost=${lost}`,
      ...(cause === undefined ? [] : [`cause=${cause}`]),
      ...(cached === undefined ? [] : [`reported=${cached}`]),
    ].join('; '),
  }
}

/** An assumed window applies only to our own prompts. */
function isUnknown({ source }: Window, { mode }: Relay): boolean {
  return source === 'assumed' && mode === 'unchanged'
}

/**
 * What only the receipt says: in the headers of a whole answer, or in the trailers of a stream if the client reads
 * them. Without the id of a receipt that is not recorded.
 */
export function receiptHeaders(
  { id, tokens, truncated = 'unknown' }: Pick<KeptReceipt, 'id' | 'tokens' | 'truncated'>,
  { isRecorded, cache }: { readonly isRecorded: boolean; readonly cache?: CacheUsage | undefined },
): Record<string, string> {
  const {
    predicted,
    reported: { prompt },
  } = tokens
  return {
    ...(isRecorded && { 'minutebook-receipt': id }),
    'minutebook-tokens': `${predicted}; ${prompt === undefined ? '' : `reported=${prompt}; `}truncated=${truncated}`,
    ...cacheHeader(cache),
  }
}
