import { canonicalJson } from '../log/canonical.ts'
import type { Entry } from '../log/entry.ts'
import type { Message } from '../log/message.ts'

/** A message that was sent: an entry as it is on record, one with a few fields otherwise, one in a form of its own, or a message that is no entry. */
export type Reference = string | Changed | { readonly form: string } | { readonly message: Message }

/** An entry's message without some of its fields, and with others. */
export interface Changed extends Change {
  readonly entry: string
}

export interface Change {
  readonly without?: readonly string[]
  readonly with?: Readonly<Record<string, unknown>>
}

/** What refers to a message, and the change that must be on record for it as a form of its entry. */
export interface Referred {
  readonly reference: Reference
  readonly form?: { readonly entry: string; readonly text: string }
}

/**
 * Refers to a message by the entry that it is. What it says otherwise than the entry goes into a form, which hangs off the
 * entry and is erased with it; an entry that was erased is named and nothing more. `forms`: ids of those on record, by entry and text.
 */
export function refer(message: Message, entry: Entry | undefined, idOf: (entry: string, text: string) => string): Referred {
  if (!entry) return { reference: { message } }
  const change = entry.status === 'erased' ? undefined : changeFrom(entry.raw, message)
  if (!change) return { reference: entry.id }
  if (Object.entries(change.with ?? {}).every(isPlain)) return { reference: { entry: entry.id, ...change } }
  const text = canonicalJson(change)
  return { reference: { form: idOf(entry.id, text) }, form: { entry: entry.id, text } }
}

/** The message that was referred to; undefined where an entry of it is not there. */
export function referredBy(reference: Reference, find: (id: string) => Entry | undefined): Message | undefined {
  if (typeof reference === 'string') return find(reference)?.raw
  if ('message' in reference) return reference.message
  const form = 'form' in reference ? find(reference.form) : undefined
  const entry = find('entry' in reference ? reference.entry : (form?.parent ?? ''))
  if (!entry) return undefined
  if ('entry' in reference) return changed(entry.raw, reference)
  return form && form.status !== 'erased' ? changed(entry.raw, JSON.parse(form.text) as Change) : entry.raw
}

/** The entry that a reference is to. */
export function entryOfReference(reference: Reference, find: (id: string) => Entry | undefined): string | undefined {
  if (typeof reference === 'string') return reference
  if ('entry' in reference) return reference.entry
  return 'form' in reference ? (find(reference.form)?.parent ?? undefined) : undefined
}

/** What turns one message into another, field by field; undefined where they are the same. */
function changeFrom(raw: Message, message: Message): Change | undefined {
  const before = new Map(Object.entries(raw))
  const after = Object.entries(message).filter(([, value]) => value !== undefined)
  const names = new Set(after.map(([name]) => name))
  const without = [...before.keys()].filter((name) => !names.has(name))
  const fields = after.filter(([name, value]) => !before.has(name) || !isSame(before.get(name), value))
  if (without.length === 0 && fields.length === 0) return undefined
  return { ...(without.length > 0 && { without }), ...(fields.length > 0 && { with: Object.fromEntries(fields) }) }
}

function changed(raw: Message, { without = [], with: fields = {} }: Change): Message {
  const left = Object.entries(raw).filter(([name]) => !without.includes(name))
  return Object.fromEntries([...left, ...Object.entries(fields)]) as unknown as Message
}

function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (typeof left !== 'object' || typeof right !== 'object' || left === null || right === null || Array.isArray(left) !== Array.isArray(right)) return false
  const [ours, theirs] = [namesOf(left), namesOf(right)]
  return ours.length === theirs.length && ours.every((name) => Object.hasOwn(right, name) && isSame(fieldOf(left, name), fieldOf(right, name)))
}

/** Without fields whose value is undefined: JSON has none. */
function namesOf(value: object): readonly string[] {
  return Object.keys(value).filter((name) => fieldOf(value, name) !== undefined)
}

function fieldOf(value: object, name: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[name]
}

/** Whether a field says nothing that somebody could want to have erased. */
function isPlain([name, value]: [string, unknown]): boolean {
  if (value === null || value === '' || typeof value === 'boolean' || typeof value === 'number') return true
  return typeof value === 'string' && addressing.has(name) && value.length <= 64
}

const addressing: ReadonlySet<string> = new Set(['role', 'tool_call_id'])
