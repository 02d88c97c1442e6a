import { createHash } from 'node:crypto'
import { history, MinutebookError } from 'minutebook'
import type { CallChoice, ThreadDump } from 'minutebook/inspect'
import { traits, type StoredEntry } from 'minutebook/store'
import type { CallPlace } from '../desk.ts'

/** The newest model call of a log. */
export function lastCall(log: readonly StoredEntry[]): CallChoice {
  const receipt = log.findLast(({ kind, status }) => kind === 'receipt' && status !== 'erased')
  if (!receipt)
    throw new MinutebookError(
      'no_calls',
      'This thread has no model calls on record.',
      'Send a message through the gateway first.',
    )
  return { receipt: receipt.id }
}

/** Where the call of a dump stands. */
export function callPlace(thread: string, log: readonly StoredEntry[], { receipt }: ThreadDump): CallPlace {
  if (!receipt)
    throw new MinutebookError('no_calls', 'This is a prompt that was never sent.', 'Name a turn or a receipt.')
  const branch = history(log).filter(({ kind }) => traits[kind].chained)
  const end = branch.findIndex(({ id }) => id === receipt.head)
  const turn = branch.slice(0, end + 1).filter(({ kind }) => kind === 'user').length
  return { thread, turn: end < 0 ? null : turn, model: modelOf(log, receipt.settings), receipt }
}

/** The model of the settings that a receipt names; null where they were erased. */
function modelOf(log: readonly StoredEntry[], hash: string): string | null {
  const entry = log.findLast(
    ({ kind, text }) => kind === 'settings' && createHash('sha256').update(text).digest('hex') === hash,
  )
  const { model } = entry ? (JSON.parse(entry.text) as { readonly model?: unknown }) : {}
  return typeof model === 'string' ? model : null
}
