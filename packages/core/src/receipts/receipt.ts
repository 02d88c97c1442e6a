import { isTold, isWhole, type Plan, type Verdict } from '../compiler/plan.ts'
import type { Entry } from '../log/entry.ts'
import { canonicalJson } from '../log/json.ts'
import type { Message } from '../log/message.ts'
import type { WindowSource } from '../models/discover-window.ts'
import type { Finish, Usage } from '../models/model.ts'
import type { ContextOverflow } from '../models/overflow.ts'
import type { TruncationFinding } from '../truncation/truncation.ts'

/**
 * What is recorded of a model call? Enough to say what the model saw and to derive it again, but none of the text
 * itself.
 */
export interface Receipt {
  readonly version: 1
  /** The entry that the prompt ends with. */
  readonly head: string
  /** The newest entry that could be in the prompt when it was compiled. */
  readonly upto: string
  /** The number of entries in the log at that time. It tells calls apart that are equal in everything else. */
  readonly length: number
  /** SHA-256 of the settings entry's text that the prompt was compiled under. */
  readonly settings: string
  /** SHA-256 of the canonical JSON of the request's messages and tools. */
  readonly hash: string
  readonly tokens: {
    readonly predicted: number
    /** How many of them are the beginning of the previous prompt, byte for byte. */
    readonly reused: number
    readonly reported: Usage
    /**
     * The range in which the model's own count was expected. Absent if the counter did not know its margin of error.
     */
    readonly low?: number
    readonly high?: number
    /** What the counter predicted before calibration. */
    readonly uncalibrated?: number
  }
  /** The number of the prompt's epoch. */
  readonly epoch: number
  /** How many entries had each verdict. */
  readonly verdicts: VerdictCounts
  /** What happened to the entries of the call's own turn. Absent if all of them were sent whole. */
  readonly turn?: TurnVerdicts
  /** The window that was asked for, if the prompt got a smaller one. */
  readonly window?: WindowLimit
  /**
   * How the call ended: as the model says, or interrupted. `refused`: the server had a smaller window, and the question
   * was sent again in a prompt that fits.
   */
  readonly outcome: Finish | 'cancelled' | 'failed' | 'refused'
  /** What the server said, if it refused the call. */
  readonly told?: ContextOverflow
  /**
   * Where the size of the window comes from. `assumed`: from no source. Undefined: from the caller that opened the
   * thread.
   */
  readonly windowSource?: WindowSource
  /**
   * Of a proxied request (relay): the client's messages were sent unchanged, or Minutebook compiled a prompt in their
   * place.
   */
  readonly mode?: RelayMode
  /** Whether the server left out a part of what it was sent, by its own counts. Of turns only if that was checked. */
  readonly truncated?: TruncationFinding
  /** The client's own id for the request. */
  readonly key?: string
  /** The messages that were sent unchanged, by reference. */
  readonly sent?: SentByReference
}

/** How many entries have each verdict. */
export type VerdictCounts = Readonly<Partial<Record<Verdict, number>>>

/** What happened to the entries of a prompt's own turn. */
export interface TurnVerdicts {
  /** What happened to the question. */
  readonly question: Verdict
  /** How many entries of the turn had each verdict, including the question. */
  readonly verdicts: VerdictCounts
}

/** A window that is smaller than the one that was asked for, in tokens. */
export interface WindowLimit {
  readonly asked: number
  readonly given: number
  /** Where the smaller size comes from. */
  readonly source: string
}

/** Whether a relay sent the client's own messages or a prompt that was compiled instead. */
export type RelayMode = 'unchanged' | 'rewritten'

/** A receipt, with the id and seq of its entry. */
export interface KeptReceipt extends Receipt {
  readonly id: string
  readonly seq: number
}

export function receiptText(receipt: Receipt): string {
  return canonicalJson(receipt)
}

export function receiptFrom(entry: Entry): KeptReceipt {
  return { ...(JSON.parse(entry.text) as Receipt), id: entry.id, seq: entry.seq }
}

/** The receipts among these entries, oldest first. Erased receipts are left out. */
export function receiptsOf(entries: readonly Entry[]): KeptReceipt[] {
  return entries
    .filter(isReceipt)
    .map(receiptFrom)
    .toSorted((left, right) => left.seq - right.seq)
}

export function isReceipt({ kind, status }: Entry): boolean {
  return kind === 'receipt' && status !== 'erased'
}

/** True for a call whose prompt the server accepted: that prompt may be in the server's cache. */
export function isTaken(entry: Entry): boolean {
  return isReceipt(entry) && receiptFrom(entry).outcome !== 'refused'
}

/** How many entries of a plan have each verdict. */
export function verdictCounts(plan: Pick<Plan, 'spans'>): VerdictCounts {
  const counts: Partial<Record<Verdict, number>> = {}
  const count = (verdict: Verdict, entries: number): void => {
    if (entries > 0) counts[verdict] = (counts[verdict] ?? 0) + entries
  }
  for (const { verdict, from, to, notes } of plan.spans) {
    const omitted = isTold(verdict) ? notes : 0
    count(verdict, to - from - omitted)
    count('omitted', omitted)
  }
  return counts
}

/** How many messages are not in the prompt in full: clipped, digested, outlined or omitted. Notes are not counted. */
export function countNotWhole({ spans }: Pick<Plan, 'spans'>): number {
  return spans.reduce((sum, { verdict, from, to, notes }) => (isWhole(verdict) ? sum : sum + to - from - notes), 0)
}

/** What happened to the newest exchange. Undefined if all of it was sent whole or is hidden anyway. */
export function turnVerdicts({ spans, exchanges }: Pick<Plan, 'spans' | 'exchanges'>): TurnVerdicts | undefined {
  const own = spans.filter(({ last }) => last === exchanges - 1)
  const [first] = own
  return !first || own.every(({ verdict }) => isWhole(verdict))
    ? undefined
    : { question: first.verdict, verdicts: verdictCounts({ spans: own }) }
}

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
 * hangs off the entry and is erased with it. If the entry was erased, only its id is kept. `idOf`: returns the id of
 * the form for this entry and text.
 */
export function refer(
  message: Message,
  entry: Entry | undefined,
  idOf: (entry: string, text: string) => string,
): MessageReference {
  if (!entry) return { reference: { message } }
  const change = entry.status === 'erased' ? undefined : changeFrom(entry.raw, message)
  if (!change) return { reference: entry.id }
  if (Object.entries(change.with ?? {}).every(isPlain)) return { reference: { entry: entry.id, ...change } }
  const text = canonicalJson(change)
  return { reference: { form: idOf(entry.id, text) }, form: { entry: entry.id, text } }
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
