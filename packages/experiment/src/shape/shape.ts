import { nearestName } from 'minutebook/inspect'
import { z } from 'zod'
import type { Definition } from '../definition.ts'
import { isFields } from '../plain-value.ts'
import type { Finding, Path } from '../problem.ts'
import { experimentShape } from './experiment.ts'

/** The result of checking the shape: everything that is wrong, and an experiment of what is right. */
interface Shaped {
  readonly findings: readonly Finding[]
  readonly definition: Definition
}

/** Finds everything that is wrong by itself. What is left can be looked at for what does not fit together. */
export function checkShape(value: unknown): Shaped {
  const parsed = experimentShape.safeParse(value)
  if (parsed.success) return { findings: [], definition: parsed.data }
  const findings = parsed.error.issues.flatMap((issue) => findingsOf(issue, [], value))
  const strays = straysIn(findings)
  return {
    findings: findings.filter((finding) => !isMisspelt(finding, strays, value)),
    definition: soundDefinition(value),
  }
}

function findingsOf(issue: z.core.$ZodIssue, above: Path, value: unknown): Finding[] {
  const path = [...above, ...issue.path.map((part) => (typeof part === 'number' ? part : String(part)))]
  if (issue.code === 'unrecognized_keys') {
    const known = knownFieldsAt(experimentShape, path)
    return issue.keys.map((name) => ({
      path: [...path, name],
      isName: true,
      problem: 'there is no such field',
      fix: { name, known },
    }))
  }
  if (issue.code === 'invalid_key')
    return [{ path, isName: true, ...worded(issue.issues[0]?.message ?? issue.message) }]
  if (issue.code === 'invalid_union') {
    const form = issue.errors.find((errors) => errors.length > 0 && !errors.some(isOtherForm))
    if (form) return form.flatMap((inner) => findingsOf(inner, path, value))
  }
  const { problem, fix } = worded(issue.message)
  return [{ path, problem: path.length > 0 && valueAt(value, path) === undefined ? 'is missing' : problem, fix }]
}

/** The value was never meant to be of this form. */
function isOtherForm({ path, code }: z.core.$ZodIssue): boolean {
  return (
    path.length === 0 &&
    (code === 'invalid_type' || code === 'custom' || code === 'invalid_union' || code === 'invalid_value')
  )
}

/** What is missing is there under a name that is nearly right: that is said once. */
function isMisspelt({ path }: Finding, strays: ReadonlyMap<string, readonly string[]>, value: unknown): boolean {
  const name = path.at(-1)
  if (typeof name !== 'string' || valueAt(value, path) !== undefined) return false
  return (strays.get(ownerOf(path)) ?? []).some((other) => nearestName(other, [name]) !== undefined)
}

/** Wrong names, by the path of their map. */
function straysIn(findings: readonly Finding[]): ReadonlyMap<string, readonly string[]> {
  const strays = new Map<string, string[]>()
  for (const { path, isName } of findings) {
    if (!isName) continue
    const beside = strays.get(ownerOf(path))
    if (beside) beside.push(String(path.at(-1)))
    else strays.set(ownerOf(path), [String(path.at(-1))])
  }
  return strays
}

function ownerOf(path: Path): string {
  return JSON.stringify(path.slice(0, -1))
}

function worded(message: string): Pick<Finding, 'problem' | 'fix'> {
  const at = message.indexOf('; ')
  return at < 0 ? { problem: message, fix: 'fix it' } : { problem: message.slice(0, at), fix: message.slice(at + 2) }
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((within, part) => {
    if (Array.isArray(within)) return typeof part === 'number' ? (within[part] as unknown) : undefined
    return isFields(within) && Object.hasOwn(within, part) ? within[part] : undefined
  }, value)
}

/** What remains of an experiment when everything that is wrong is taken out, so that the rest can be looked at too. */
function soundDefinition(value: unknown): Definition {
  const rest: Record<string, unknown> = isFields(value) ? structuredClone(value) : {}
  for (let round = 0; round < mostRounds; round++) {
    const parsed = experimentShape.safeParse({ ...needed, ...rest })
    if (parsed.success) return isFields(rest['participants']) ? parsed.data : { ...parsed.data, participants: {} }
    for (const issue of parsed.error.issues) takeOut(rest, issue)
  }
  return { name: '-', environment: {}, participants: {} }
}

const mostRounds = 20
/** Replaces required fields that are wrong. */
const needed = { name: '-', environment: {}, participants: { nobody: { model: '-' } } }

function takeOut(value: Record<string, unknown>, issue: z.core.$ZodIssue): void {
  if (issue.code !== 'unrecognized_keys') return remove(value, issue.path)
  const owner = at(value, issue.path)
  if (isFields(owner)) for (const name of issue.keys) delete (owner as Record<string, unknown>)[name]
}

/**
 * Removes what is at a path. If nothing is there, or it is an item of a list, removes its parent, so that other items
 * keep their places.
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

/** The names that fields can have at a place. Empty if names are free. */
function knownFieldsAt(schema: z.core.$ZodType, path: Path): readonly string[] {
  const found = path.reduce<readonly z.core.$ZodType[]>(
    (within, part) => within.flatMap((one) => inside(one, part)),
    forms(schema),
  )
  return [...new Set(found.flatMap((one) => (one instanceof z.ZodObject ? Object.keys(one.shape) : [])))]
}

function inside(schema: z.core.$ZodType, part: string | number): readonly z.core.$ZodType[] {
  if (schema instanceof z.ZodObject)
    return forms((schema.shape as Readonly<Record<string, z.core.$ZodType>>)[String(part)])
  if (schema instanceof z.ZodArray) return forms(schema.element)
  return schema instanceof z.ZodRecord ? forms(schema.valueType) : []
}

/** All that a schema can be, without what says that it may be missing or becomes something else. */
function forms(schema: z.core.$ZodType | undefined): readonly z.core.$ZodType[] {
  if (!schema) return []
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault) return forms(schema.unwrap())
  if (schema instanceof z.ZodPipe) return forms(schema.in)
  return schema instanceof z.ZodUnion ? schema.options.flatMap(forms) : [schema]
}
