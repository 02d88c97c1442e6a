import type { Decision, Entry, OpenCall } from 'minutebook'
import { fieldsOf, type Fields } from 'minutebook/wire'
import type { ShownPart } from './call-chunks.ts'
import { waitingOnPage } from './to-ui.ts'

/** What a page decides about an open call. */
export interface PageDecision {
  readonly id: string
  readonly decision: Decision
}

/**
 * What does a page decide? Reads the parts of the answer as the page sends them back. Only calls count that wait on this
 * thread: the others are decided already, or the page made them up.
 */
export function decisionsIn(parts: readonly unknown[], entries: readonly Entry[]): PageDecision[] {
  const waiting = waitingOnPage(entries)
  return parts.flatMap((sent) => {
    const part = fieldsOf(sent)
    const open = typeof part['toolCallId'] === 'string' ? waiting.get(part['toolCallId']) : undefined
    const decision = open && decisionOf(open, part)
    return decision ? [{ id: open.id, decision }] : []
  })
}

/** A page must not make up the result of a tool that runs on the server. So only the answer to its request counts. */
function decisionOf({ id, needs }: OpenCall, { state, approval, output, errorText }: Fields): Decision | undefined {
  if (needs === 'approval') {
    const { id: named, approved, reason } = fieldsOf(approval)
    if (state !== 'approval-responded' || named !== id || typeof approved !== 'boolean') return undefined
    return approved ? { do: 'run' } : refusal(reason)
  }
  if (state === 'output-error') return refusal(errorText)
  return state === 'output-available' ? { do: 'answer', output: output ?? null } : undefined
}

function refusal(reason: unknown): Decision {
  return { do: 'refuse', ...(typeof reason === 'string' && reason !== '' && { reason }) }
}

/** What a page says that it shows. It may say anything. */
export function shownPart({ type, toolCallId, state, ...part }: Fields): ShownPart {
  return {
    ...part,
    type: String(type),
    ...(typeof toolCallId === 'string' && { toolCallId }),
    ...(typeof state === 'string' && { state }),
  }
}
