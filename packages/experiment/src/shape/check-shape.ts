import { nearestName } from 'minutebook/inspect'
import type { z } from 'zod'
import type { Definition } from '../definition.ts'
import type { Finding, Path } from '../problem.ts'
import { experimentShape } from './experiment.ts'
import { isFields } from './fields.ts'
import { knownAt } from './known-fields.ts'
import { sound } from './sound.ts'

/** What came of looking at the shape: everything that is wrong, and an experiment of what is right. */
export interface Shaped {
  readonly findings: readonly Finding[]
  readonly definition: Definition
}

/** Finds everything that is wrong by itself. What is left can be looked at for what does not fit together. */
export function checkShape(value: unknown): Shaped {
  const parsed = experimentShape.safeParse(value)
  if (parsed.success) return { findings: [], definition: parsed.data }
  const findings = parsed.error.issues.flatMap((issue) => findingsOf(issue, [], value))
  const strays = straysIn(findings)
  return { findings: findings.filter((finding) => !isMisspelt(finding, strays, value)), definition: sound(value) }
}

function findingsOf(issue: z.core.$ZodIssue, above: Path, value: unknown): Finding[] {
  const path = [...above, ...issue.path.map((part) => (typeof part === 'number' ? part : String(part)))]
  if (issue.code === 'unrecognized_keys') {
    const known = knownAt(experimentShape, path)
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

/** Names that are wrong, by the path of the map that they stand in. */
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
  return at < 0 ? { problem: message, fix: 'mend it' } : { problem: message.slice(0, at), fix: message.slice(at + 2) }
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((within, part) => {
    if (Array.isArray(within)) return typeof part === 'number' ? (within[part] as unknown) : undefined
    return isFields(within) && Object.hasOwn(within, part) ? within[part] : undefined
  }, value)
}
