import type { Value } from '@minutebook/experiment/run'

/**
 * A value with changes, as RFC 7396 has it: what is named is replaced, null takes away, maps are changed field by
 * field.
 *
 * @example
 * mergePatch({ limits: { rounds: 3 } }, { limits: { rounds: 5 } }) // { limits: { rounds: 5 } }
 */
export function mergePatch(value: Value | undefined, changes: Value): Value {
  if (!isMap(changes)) return changes
  const fields = new Map(Object.entries(isMap(value) ? value : {}))
  for (const [name, change] of Object.entries(changes)) {
    if (change === null) fields.delete(name)
    else fields.set(name, mergePatch(fields.get(name), change))
  }
  return Object.fromEntries(fields)
}

function isMap(value: Value | undefined): value is { readonly [name: string]: Value } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
