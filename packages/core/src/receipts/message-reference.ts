import { identify, sideEntry, type Entry, type EntryDraft } from '../log/entry.ts'
import { canonicalJson } from '../log/json.ts'
import type { LiveLog } from '../past/live-log.ts'
import type { Past } from '../past/past.ts'
import { readMessage, type Message } from '../log/message.ts'

/**
 * The messages of a call, by reference: `before`, then `keep` messages of an earlier call starting at `drop`, then
 * `after`. So if a client sends its whole history each time, only what is new is stored.
 */
export interface SentByReference {
  /** The receipt of the earlier call, or null. */
  readonly base: string | null
  readonly before: readonly Reference[]
  readonly drop: number
  readonly keep: number
  readonly after: readonly Reference[]
}

/** An earlier call that a later one builds on. */
export interface EarlierCall {
  readonly id: string
  readonly references: readonly Reference[]
}

/** Keeps the longest range that both calls have. What the client adds before or after it is stored again. */
export function sentAfter(references: readonly Reference[], base: EarlierCall | undefined): SentByReference {
  const stretch = base && longestCommon(base.references.map(canonicalJson), references.map(canonicalJson))
  if (!base || !stretch || stretch.length === 0) return { base: null, before: [], drop: 0, keep: 0, after: references }
  const { from, at, length } = stretch
  return {
    base: base.id,
    before: references.slice(0, at),
    drop: from,
    keep: length,
    after: references.slice(at + length),
  }
}

/**
 * The references of a call, from its `sent` and the earlier calls that it builds on. Undefined if one of these is
 * missing. Takes linear time.
 */
export function referencesOf(
  sent: SentByReference,
  find: (receipt: string) => SentByReference | undefined,
): readonly Reference[] | undefined {
  const front: Reference[] = []
  const back: (readonly Reference[])[] = []
  let [from, to] = [0, sent.before.length + sent.keep + sent.after.length]
  for (let next: SentByReference | undefined = sent; from < to;) {
    if (!next) return undefined
    const { before, drop, keep, after, base }: SentByReference = next
    front.push(...before.slice(from, to))
    back.push(after.slice(Math.max(0, from - before.length - keep), Math.max(0, to - before.length - keep)))
    from = drop + Math.max(0, from - before.length)
    to = drop + Math.min(keep, to - before.length)
    next = base === null ? undefined : find(base)
  }
  return [...front, ...back.reverse().flat()]
}

/**
 * The common range with the longest texts. An entry appears in a list only once, so each text is looked up in one
 * place.
 */
function longestCommon(base: readonly string[], list: readonly string[]): { from: number; at: number; length: number } {
  const places = new Map(base.map((text, index) => [text, index]))
  let best = { from: 0, at: 0, length: 0, weight: 0 }
  let run = best
  for (const [at, text] of list.entries()) {
    const goesOn = run.length > 0 && base[run.from + run.length] === text
    const from = goesOn ? run.from : places.get(text)
    if (from === undefined) run = { from: 0, at: 0, length: 0, weight: 0 }
    else
      run = goesOn
        ? { ...run, length: run.length + 1, weight: run.weight + text.length }
        : { from, at, length: 1, weight: text.length }
    if (run.weight > best.weight) best = run
  }
  return best
}

/** The number of leading items that are equal in both lists. */
export function leading(before: readonly unknown[], now: readonly unknown[]): number {
  const other = now.findIndex(
    (item, index) =>
      item !== before[index] && (before[index] === undefined || canonicalJson(item) !== canonicalJson(before[index])),
  )
  return other < 0 ? now.length : other
}

/**
 * A message that was sent: a recorded entry, an entry with a few fields changed, an entry in another form, or a message
 * that is not an entry.
 */
export type Reference = string | ChangedMessage | { readonly form: string } | { readonly message: Message }

/** An entry's message without some of its fields, and with others. */
export interface ChangedMessage extends Change {
  readonly entry: string
}

export interface Change {
  readonly without?: readonly string[]
  readonly with?: Readonly<Record<string, unknown>>
}

/** A reference to a message. If the message differs from its entry, `form` is the change that must be recorded. */
export interface MessageReference {
  readonly reference: Reference
  readonly form?: { readonly entry: string; readonly text: string }
}

/**
 * Refers to a message by its entry. If the message differs from the entry, the difference is recorded as a form, which
 * hangs off the entry and is erased with it. If the entry was erased, only its id is kept.
 */
function refer(message: Message, entry: Entry | undefined): MessageReference {
  if (!entry) return { reference: { message } }
  const change = entry.status === 'erased' ? undefined : changeFrom(entry.raw, message)
  if (!change) return { reference: entry.id }
  if (Object.entries(change.with ?? {}).every(isPlain)) return { reference: { entry: entry.id, ...change } }
  const text = canonicalJson(change)
  return { reference: { form: formId(entry.id, text) }, form: { entry: entry.id, text } }
}

function formId(entry: string, text: string): string {
  return identify(entry, { ...readMessage({ role: 'system', content: text }), kind: 'form' })
}

/** The message that a reference is about. Undefined if its entry is missing. */
export function referredBy(reference: Reference, find: (id: string) => Entry | undefined): Message | undefined {
  if (typeof reference === 'string') return find(reference)?.raw
  if ('message' in reference) return reference.message
  const form = 'form' in reference ? find(reference.form) : undefined
  const entry = find('entry' in reference ? reference.entry : (form?.parent ?? ''))
  if (!entry) return undefined
  if ('entry' in reference) return changed(entry.raw, reference)
  return form && form.status !== 'erased' ? changed(entry.raw, JSON.parse(form.text) as Change) : entry.raw
}

/** The id of the entry that a reference is about. Undefined if it is not about an entry. */
export function entryOfReference(reference: Reference, find: (id: string) => Entry | undefined): string | undefined {
  if (typeof reference === 'string') return reference
  if ('entry' in reference) return reference.entry
  return 'form' in reference ? (find(reference.form)?.parent ?? undefined) : undefined
}

/** The fields in which two messages differ. Undefined if they are equal. */
function changeFrom(raw: Message, message: Message): Change | undefined {
  if (isSame(raw, message)) return undefined
  const before = new Map(Object.entries(raw))
  const after = Object.entries(message).filter(([, value]) => value !== undefined)
  const names = new Set(after.map(([name]) => name))
  const without = [...before.keys()].filter((name) => !names.has(name))
  const fields = after.filter(([name, value]) => !before.has(name) || !isSame(before.get(name), value))
  return { ...(without.length > 0 && { without }), ...(fields.length > 0 && { with: Object.fromEntries(fields) }) }
}

function changed(raw: Message, { without = [], with: fields = {} }: Change): Message {
  const left = Object.entries(raw).filter(([name]) => !without.includes(name))
  return Object.fromEntries([...left, ...Object.entries(fields)]) as unknown as Message
}

/** True if two JSON values are equal, whatever the order of their fields. */
export function isSame(left: unknown, right: unknown): boolean {
  if (left === right) return true
  if (
    typeof left !== 'object' ||
    typeof right !== 'object' ||
    left === null ||
    right === null ||
    Array.isArray(left) !== Array.isArray(right)
  )
    return false
  const [ours, theirs] = [namesOf(left), namesOf(right)]
  return (
    ours.length === theirs.length &&
    ours.every((name) => Object.hasOwn(right, name) && isSame(fieldOf(left, name), fieldOf(right, name)))
  )
}

/** Without fields whose value is undefined, because JSON does not have these. */
function namesOf(value: object): readonly string[] {
  return Object.keys(value).filter((name) => fieldOf(value, name) !== undefined)
}

function fieldOf(value: object, name: string): unknown {
  return (value as Readonly<Record<string, unknown>>)[name]
}

/** True if the field has no content that anyone could want erased. */
function isPlain([name, value]: [string, unknown]): boolean {
  if (value === null || value === '' || typeof value === 'boolean' || typeof value === 'number') return true
  return typeof value === 'string' && addressing.has(name) && value.length <= 64
}

const addressing: ReadonlySet<string> = new Set(['role', 'tool_call_id'])

/** Finds the entries of a log by their ids. */
export type Finder = (id: string) => Entry | undefined

export function createFinder(log: readonly Entry[]): Finder {
  let [byId, length] = [new Map<string, Entry>(), 0]
  return (id) => {
    for (; length < log.length; length++) byId.set(log[length]!.id, log[length]!)
    return byId.get(id)
  }
}

/** A client's messages as references to recorded entries. */
export interface ReferenceList {
  readonly references: readonly Reference[]
  /** Entries that must be recorded with them: forms of messages that differ from their entries, if not recorded yet. */
  readonly forms: readonly EntryDraft[]
}

/** Turns messages into references. `entries`: for each message, its entry. */
export function referenceMessages(
  messages: readonly Message[],
  entries: readonly (Entry | undefined)[],
  find: Finder,
): ReferenceList {
  const forms = new Map<string, EntryDraft>()
  const references = messages.map((message, index) => {
    const { reference, form } = refer(message, entries[index])
    if (form && typeof reference === 'object' && 'form' in reference && !find(reference.form)) {
      forms.set(reference.form, { ...sideEntry('form', form.text), off: form.entry })
    }
    return reference
  })
  return { references, forms: [...forms.values()] }
}

/** Returns the finder of a log, in all of it that is loaded. It is built again if the log was read again. */
export function finderIn(log: LiveLog): () => Finder {
  let read: (Pick<LiveLog, 'entries'> & Pick<Past, 'before' | 'landmarks'>) | undefined
  let find: Finder = () => undefined
  return () => {
    const {
      entries,
      past: { before, landmarks },
    } = log
    if (read?.entries === entries && read.before === before && read.landmarks === landmarks) return find
    read = { entries, before, landmarks }
    const [older, newer] = [createFinder([...(landmarks ?? []), ...before]), createFinder(entries)]
    return (find = (id) => newer(id) ?? older(id))
  }
}
