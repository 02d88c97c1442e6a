import type { Relay } from 'minutebook'
import type { KeptReceipt } from 'minutebook/inspect'
import type { TruncationFinding } from 'minutebook/wire'
import type { Window } from '../window.ts'

/** What the headers of an answer tell. */
export interface HeaderFacts {
  /** Undefined where the chat is not on record. */
  readonly thread: string | undefined
  readonly relay: Relay
  readonly window: Window
  /** Of the thread's call before: what came of a stream is known only after its headers. */
  readonly last: TruncationFinding | undefined
}

export async function answerHeaders({ thread, relay, window, last }: HeaderFacts): Promise<Record<string, string>> {
  const { question, prediction, notWhole } = relay
  return {
    ...(thread !== undefined && { 'minutebook-thread': thread, 'minutebook-turn': question.id }),
    'minutebook-tokens':
      last === undefined ? `${prediction.predicted}` : `${prediction.predicted}; last-truncated=${last}`,
    'minutebook-omitted': `${notWhole}`,
    'minutebook-reuse': `${await relay.reused()}`,
    'minutebook-window': isUnknown(window, relay) ? 'unknown' : `${window.window}; source="${window.source}"`,
    'minutebook-recorded': thread === undefined ? 'no' : 'yes',
  }
}

/** What is assumed of a window counts for prompts of ours alone. */
function isUnknown({ source }: Window, { mode }: Relay): boolean {
  return source === 'assumed' && mode === 'unchanged'
}

/** What only the receipt tells: in the headers of a whole answer, behind a stream for those who read trailers. */
export function receiptHeaders({
  id,
  tokens,
  truncated = 'unknown',
}: Pick<KeptReceipt, 'id' | 'tokens' | 'truncated'>): Record<string, string> {
  const {
    predicted,
    reported: { prompt },
  } = tokens
  return {
    'minutebook-receipt': id,
    'minutebook-tokens': `${predicted}; ${prompt === undefined ? '' : `reported=${prompt}; `}truncated=${truncated}`,
  }
}
