import type { z } from 'zod'
import type { Definition } from '../definition.ts'
import { experimentShape } from './experiment.ts'
import { isFields } from './fields.ts'

/** What remains of an experiment when everything that is wrong is taken out, so that the rest can be looked at too. */
export function sound(value: unknown): Definition {
  const rest: Record<string, unknown> = isFields(value) ? structuredClone(value) : {}
  for (let round = 0; round < mostRounds; round++) {
    const parsed = experimentShape.safeParse({ ...needed, ...rest })
    if (parsed.success) return isFields(rest['participants']) ? parsed.data : { ...parsed.data, participants: {} }
    for (const issue of parsed.error.issues) takeOut(rest, issue)
  }
  return { name: '-', environment: {}, participants: {} }
}

const mostRounds = 20
/** Stands in where what must be there is wrong. */
const needed = { name: '-', environment: {}, participants: { nobody: { model: '-' } } }

function takeOut(value: Record<string, unknown>, issue: z.core.$ZodIssue): void {
  if (issue.code !== 'unrecognized_keys') return remove(value, issue.path)
  const owner = at(value, issue.path)
  if (isFields(owner)) for (const name of issue.keys) delete (owner as Record<string, unknown>)[name]
}

/**
 * Takes out what stands there; where nothing does, or it is an item of a list, what holds it: so the others keep their
 * places.
 */
function remove(value: Record<string, unknown>, path: readonly PropertyKey[]): void {
  const last = path.at(-1)
  if (last === undefined) return
  const owner = at(value, path.slice(0, -1))
  if (owner === undefined) return
  if (isFields(owner) && Object.hasOwn(owner, last)) delete (owner as Record<PropertyKey, unknown>)[last]
  else remove(value, path.slice(0, -1))
}

function at(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (within, part) =>
      isFields(within) || Array.isArray(within) ? (within as Record<PropertyKey, unknown>)[part] : undefined,
    value,
  )
}
