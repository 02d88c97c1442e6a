import { readJson } from '../digest/digest.ts'
import { gist, gistOfJson } from '../digest/gist.ts'
import type { Entry } from '../log/entry.ts'
import { placeOf } from '../log/exchange.ts'
import { argumentsText, type Call } from '../log/message.ts'
import { noteToolName } from '../log/note-parser.ts'

const mostLines = 8

/**
 * What the tools of a turn did, a line for each call of the model: its name, its arguments in brief, how it ended.
 * Undefined if no tool ran. A journal can stand under the system role, so it has no words of a tool, and none of a
 * call that a client says there was.
 *
 * @example
 * journalOf(turn) // 'set_lamp with id: 3, color: "red" → 2 characters'
 */
export function journalOf(turn: readonly Entry[]): string | undefined {
  const calls = turn.flatMap((entry) => (entry.origin === 'model' ? entry.calls : [])).filter(({ name }) => name !== noteToolName)
  if (calls.length === 0) return undefined
  const results = resultsOf(turn)
  const lines = calls.slice(0, mostLines).map((call) => lineOf(call, results.get(call)))
  const more = calls.length - lines.length
  if (more > 0) lines.push(`… and ${more} more ${more === 1 ? 'call' : 'calls'}`)
  return lines.join('\n')
}

function resultsOf(turn: readonly Entry[]): ReadonlyMap<Call, Entry> {
  const results = new Map<Call, Entry>()
  let open: readonly Call[] = []
  for (const entry of turn) {
    const place = placeOf(entry, open)
    open = place.open
    if (place.answers) results.set(place.answers, entry)
  }
  return results
}

function lineOf(call: Call, result: Entry | undefined): string {
  const told = argumentsGist(call)
  return `${gist(call.name, 40) || 'a tool'}${told && ` with ${told}`} → ${outcome(result)}`
}

function argumentsGist(call: Call): string {
  const { arguments: given } = call
  const value = typeof given === 'string' ? readJson(given) : given
  if (typeof value !== 'object' || value === null) return gist(argumentsText(call), 64)
  return Object.keys(value).length === 0 ? '' : gistOfJson(value, 64)
}

function outcome(result: Entry | undefined): string {
  if (!result || result.status === 'cancelled') return 'interrupted, no result'
  const { images, text, status } = result
  const seen = images.length > 0 ? `, ${images.length} ${images.length === 1 ? 'image' : 'images'}` : ''
  return `${status === 'failed' ? 'failed, ' : ''}${text.length} ${text.length === 1 ? 'character' : 'characters'}${seen}${status === 'partial' ? ', cut off' : ''}`
}
