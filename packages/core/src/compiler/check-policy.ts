import { MinutebookError } from '../log/error.ts'
import type { Policy } from './policy.ts'

/** Can this policy be followed? Throws `invalid_policy` if a field of it is missing, misspelt or out of range. */
export function checkPolicy(policy: Policy): Policy {
  if (typeof policy !== 'object' || policy === null)
    throw invalidPolicyError('it is not an object', 'Pass defaultPolicy() or another preset.')
  const fields: ReadonlyMap<string, unknown> = new Map(Object.entries(policy))
  for (const name of fields.keys())
    if (!(name in rules))
      throw invalidPolicyError(`it has no field ${name}`, `The fields are ${Object.keys(rules).join(', ')}.`)
  for (const [name, rule] of Object.entries(rules)) {
    if (!rule.holds(fields.get(name)))
      throw invalidPolicyError(
        `${name} is ${JSON.stringify(fields.get(name)) ?? 'missing'}`,
        `It must be ${rule.wants}; spread defaultPolicy() to change a part of it.`,
      )
  }
  const { exchanges, messages } = policy.verbatim
  if (policy.epochs && (exchanges ?? messages) !== undefined)
    throw invalidPolicyError(
      'a cap on exchanges or messages moves with every turn, and epochs do not',
      'Set epochs to null.',
    )
  if (policy.epochs && policy.verbatim.partly)
    throw invalidPolicyError(
      'an exchange that is sent partly changes with every turn, and epochs do not',
      'Set epochs to null.',
    )
  return policy
}

interface Rule {
  readonly wants: string
  holds(value: unknown): boolean
}

const rules: Readonly<Record<keyof Policy, Rule>> = {
  name: { wants: 'a text', holds: (value) => typeof value === 'string' },
  system: oneOf('in place', 'first', 'once'),
  firstUser: {
    wants: 'null or { share } with a share from 0 to 1',
    holds: (value) => value === null || hasShares(value, 'share'),
  },
  verbatim: {
    wants: 'an object with exchanges, messages, clipped or partly',
    holds: (value) => hasCounts(value, 'exchanges', 'messages'),
  },
  outline: {
    wants: 'null or { share, line }',
    holds: (value) => value === null || (hasShares(value, 'share') && hasCounts(value, 'line')),
  },
  recall: {
    wants: 'null or all fields of a RecallSetting',
    holds: (value) =>
      value === null ||
      (hasShares(value, 'reserve', 'largest', 'statement', 'ofBest', 'ofWeight') &&
        hasCounts(value, 'leastWeight', 'reads')),
  },
  pins: {
    wants: 'left out or { share } with a share from 0 to 1',
    holds: (value) => value === undefined || hasShares(value, 'share'),
  },
  notes: {
    wants:
      "left out or { last, place, share, role }: a number, 'in place' or 'system', a share from 0 to 1, 'system' or 'user', each of which may be left out",
    holds: (value) => value === undefined || isNotes(value),
  },
  epochs: {
    wants: 'null or { low } with a share from 0 to 1',
    holds: (value) => value === null || hasShares(value, 'low'),
  },
  marker: {
    wants: 'null or a text that is not empty',
    holds: (value) => value === null || (typeof value === 'string' && value !== ''),
  },
  overflow: oneOf('error', 'keep'),
  digesters: {
    wants: 'left out or a list of ids and templates',
    holds: (value) => value === undefined || Array.isArray(value),
  },
}

function oneOf(...words: readonly string[]): Rule {
  return {
    wants: words.map((word) => `'${word}'`).join(' or '),
    holds: (value) => typeof value === 'string' && words.includes(value),
  }
}

function isNotes(value: unknown): boolean {
  if (!isRecord(value) || Object.keys(value).some((name) => !notesFields.has(name))) return false
  const { share, role, place } = value
  return (
    hasCounts(value, 'last') &&
    (share === undefined || hasShares(value, 'share')) &&
    (role === undefined || role === 'system' || role === 'user') &&
    (place === undefined || place === 'in place' || place === 'system')
  )
}

const notesFields: ReadonlySet<string> = new Set(['last', 'place', 'share', 'role'])

function hasShares(value: unknown, ...names: readonly string[]): boolean {
  return isRecord(value) && names.every((name) => isNumber(value[name]) && value[name] <= 1)
}

function hasCounts(value: unknown, ...names: readonly string[]): boolean {
  return isRecord(value) && names.every((name) => value[name] === undefined || isNumber(value[name]))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && value >= 0
}

function invalidPolicyError(what: string, fix: string): MinutebookError {
  return new MinutebookError('invalid_policy', `The policy cannot be followed: ${what}.`, fix)
}
