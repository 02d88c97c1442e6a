import { InvalidArgumentError } from 'commander'
import type { Value } from '@minutebook/experiment/run'

/**
 * Adds a setting such as `participants.ann.model=gemma3:12b` to changes: a value that is JSON is that, any other is a
 * text.
 *
 * @example
 * withSetting('limits.rounds=5', {}) // { limits: { rounds: 5 } }
 */
export function withSetting(text: string, before: Value = {}): Value {
  const at = text.indexOf('=')
  const path = text.slice(0, Math.max(0, at)).split('.')
  if (at < 1 || path.includes('') || path.includes('__proto__'))
    throw new InvalidArgumentError('Write it like participants.ann.model=gemma3:12b.')
  const change = path.reduceRight<Value>((inner, name) => ({ [name]: inner }), valueOf(text.slice(at + 1)))
  return joined(before, change)
}

/** Unlike in a merge, null stays: it is what takes something away later. */
function joined(before: Value, change: Value): Value {
  if (!isMap(before) || !isMap(change)) return change
  const fields = Object.entries(change).map(
    ([name, value]) => [name, name in before ? joined(before[name] ?? null, value) : value] as const,
  )
  return { ...before, ...Object.fromEntries(fields) }
}

function valueOf(text: string): Value {
  try {
    return JSON.parse(text) as Value
  } catch {
    return text
  }
}

function isMap(value: Value): value is { readonly [name: string]: Value } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
