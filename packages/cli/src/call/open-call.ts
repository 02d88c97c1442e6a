import { printableLine } from '@minutebook/server'
import { MinutebookError, type OpenCall, type ThreadCall } from 'minutebook'
import type { Terminal } from '../terminal/terminal.ts'

/** The id of an open call as a person types it: enough of its hash, and which call of the answer it is. */
export function shortId(id: string, characters = 8): string {
  const [hash = '', index = ''] = id.split('.')
  return `${hash.slice(0, characters)}.${index}`
}

/** The tool and the arguments of a call, on one line. */
export function callText({ call: { name, input } }: Pick<OpenCall, 'call'>): string {
  return `${printableLine(name)} ${inputText(input)}`.trimEnd()
}

/** The arguments of a call. Empty if they are too long for the list, or cannot be read. */
export function inputText(input: unknown): string {
  return input === undefined ? '' : printableLine(JSON.stringify(input))
}

/**
 * The open call whose id begins with this text. The number after the dot can be left out if the answer has only one
 * open call. A copy of a thread has the same calls, so the thread may have to be named, too.
 */
export function findCall(calls: readonly ThreadCall[], named: string, command: Terminal['command']): ThreadCall {
  const found = calls.filter((open) => isCalled(open, named))
  const [only, ...others] = found
  if (only && others.length === 0) return only
  if (only) throw ambiguousError(named, found)
  throw new MinutebookError(
    'not_waiting',
    `No call that waits has an id that begins with "${printableLine(named)}". Someone may have decided about it.`,
    `List the calls that wait with: ${command('waiting')}`,
  )
}

/** True if a call has this id, or one that begins with it. */
export function isCalled({ id }: Pick<OpenCall, 'id'>, named: string): boolean {
  const [, hash, index] = /^([0-9a-f]{4,64})(?:\.(\d{1,6}))?$/.exec(named) ?? []
  return hash !== undefined && id.startsWith(hash) && (index === undefined || id.endsWith(`.${index}`))
}

function ambiguousError(named: string, found: readonly ThreadCall[]): MinutebookError {
  const areCopies = new Set(found.map(({ id }) => id)).size < found.length
  const lines = found
    .slice(0, most)
    .map((open) => `  ${shortId(open.id, 16)}  ${printableLine(open.thread)}  ${callText(open).slice(0, 60)}`)
  return new MinutebookError(
    'ambiguous_call',
    `Several calls that wait begin with "${printableLine(named)}".`,
    `${areCopies ? 'Name the thread with --thread, or type' : 'Type'} more of one of these:\n${lines.join('\n')}`,
  )
}

const most = 5
