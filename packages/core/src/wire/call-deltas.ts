import { fieldsOf, type Fields } from './fields.ts'

/** Puts tool calls together from the pieces in which OpenAI's protocol streams them. */
export interface CallDeltas {
  push(deltas: unknown): void
  calls(): unknown[]
}

export function callDeltas(): CallDeltas {
  const calls: Fields[] = []
  return {
    push: (deltas) => {
      if (!Array.isArray(deltas)) return
      for (const delta of deltas as unknown[]) {
        const fields = fieldsOf(delta)
        const at = placeOf(fields, calls)
        calls[at] = merged(calls[at] ?? {}, fields)
      }
    },
    // A gap in the indexes is the server's; what it did send stays.
    calls: () => calls.filter((call) => call !== undefined).map(finished),
  }
}

/** By index. Some servers send none: then a new id begins a new call, and anything else goes on with the last one. */
function placeOf({ index, id }: Fields, calls: readonly Fields[]): number {
  if (typeof index === 'number' && Number.isSafeInteger(index) && index >= 0 && index < most) return index
  if (typeof id !== 'string' || id === '') return Math.max(0, calls.length - 1)
  const known = calls.findIndex((call) => call?.['id'] === id)
  return known < 0 ? calls.length : known
}

const most = 10_000

function merged(call: Fields, { function: called, custom, ...rest }: Fields): Fields {
  const given = Object.fromEntries(Object.entries(rest).filter(([name, value]) => name !== 'index' && value !== null && value !== ''))
  return {
    ...call,
    ...given,
    ...(called !== undefined && called !== null && { function: grown(fieldsOf(call['function']), fieldsOf(called), 'arguments') }),
    ...(custom !== undefined && custom !== null && { custom: grown(fieldsOf(call['custom']), fieldsOf(custom), 'input') }),
  }
}

/** The name comes whole, now and then more than once; the arguments come in pieces. Some servers send them as a value, whole. */
function grown(before: Fields, { name, ...delta }: Fields, growing: 'arguments' | 'input'): Fields {
  const piece = delta[growing]
  const value = typeof piece === 'string' ? `${typeof before[growing] === 'string' ? before[growing] : ''}${piece}` : (piece ?? before[growing])
  return { ...before, ...(typeof name === 'string' && name !== '' && { name }), ...delta, [growing]: value }
}

/** In the shape in which a whole response has it. */
function finished(call: Fields): Fields {
  const called = fieldsOf(call['function'])
  if (call['function'] === undefined) return call
  const given = called['arguments'] ?? '{}'
  const text = typeof given === 'string' ? given || '{}' : JSON.stringify(given)
  return { ...call, type: call['type'] ?? 'function', function: { ...called, arguments: text } }
}
