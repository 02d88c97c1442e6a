import { isTold, isWhole, type Plan, type Verdict } from '../compiler/plan.ts'
import type { Entry } from '../log/entry.ts'
import { canonicalJson } from '../log/json.ts'
import type { Message } from '../log/message.ts'
import type { WindowSource } from '../models/discover-window.ts'
import type { Finish, Usage } from '../models/model.ts'
import type { ContextOverflow } from '../models/overflow.ts'
import type { Truncated } from '../truncation/truncation.ts'

/** What is kept of a model call: enough to say what the model saw and to derive it again, and nothing that was said. */
export interface Receipt {
  readonly version: 1
  /** The entry that the prompt ends with. */
  readonly head: string
  /** The newest entry that could be in the prompt when it was compiled. */
  readonly upto: string
  /** How many entries the log had then: it tells calls apart that are alike in all else. */
  readonly length: number
  /** SHA-256 of the settings entry's text that the prompt was compiled under. */
  readonly settings: string
  /** SHA-256 of the canonical JSON of the request's messages and tools. */
  readonly hash: string
  readonly tokens: {
    readonly predicted: number
    /** How many of them stood at the beginning of the prompt before, byte for byte. */
    readonly reused: number
    readonly reported: Usage
    /** Between these the model's own count was expected; neither where the counter did not know its margin. */
    readonly low?: number
    readonly high?: number
    /** What the counter under a calibration predicted. */
    readonly uncalibrated?: number
  }
  /** The number of the epoch that the prompt was of. */
  readonly epoch: number
  /** How many entries had each verdict. */
  readonly verdicts: VerdictCounts
  /** What became of the turn that it belongs to, if not all of that was sent whole. */
  readonly turn?: TurnVerdicts
  /** The window that was asked for, if the prompt got a smaller one. */
  readonly window?: WindowShortfall
  /**
   * How the call ended: as the model says, or cut short. `refused`: the server had a smaller window, and the question
   * was sent again in one that fits.
   */
  readonly outcome: Finish | 'cancelled' | 'failed' | 'refused'
  /** Of a call that was refused: what the server said. */
  readonly told?: ContextOverflow
  /** Who said how large the window is; `assumed`: nobody. Undefined: whoever opened the thread. */
  readonly windowSource?: WindowSource
  /** Of a relay: whether the client's messages were sent as they came, or a prompt of ours in their place. */
  readonly path?: Path
  /** Whether the server left out a part of what it was sent, by its own counts; of turns only if somebody looked. */
  readonly truncated?: Truncated
  /** The client's own id for the request. */
  readonly key?: string
  /** What was sent as it came. */
  readonly sent?: SentByReference
}

/** How many entries have each verdict. */
export type VerdictCounts = Readonly<Partial<Record<Verdict, number>>>

/** What a prompt has of its own turn. */
export interface TurnVerdicts {
  /** What became of the question. */
  readonly question: Verdict
  /** How many entries of the turn had each verdict, the question among them. */
  readonly verdicts: VerdictCounts
}

/** A window that is smaller than the one that was asked for, in tokens. */
export interface WindowShortfall {
  readonly asked: number
  readonly given: number
  /** Who says that there is no more. */
  readonly source: string
}

/** Whether a relay sent the client's own messages or a prompt that was compiled instead. */
export type Path = 'as it came' | 'rewritten'

/** A receipt with the entry that keeps it. */
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

/** The receipts among these entries, oldest first. Erased ones are gone. */
export function receiptsOf(entries: readonly Entry[]): KeptReceipt[] {
  return entries
    .filter(isReceipt)
    .map(receiptFrom)
    .toSorted((left, right) => left.seq - right.seq)
}

export function isReceipt({ kind, status }: Entry): boolean {
  return kind === 'receipt' && status !== 'erased'
}

/** A call whose prompt the server took: what a cache may hold. */
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

/**
 * How many messages the prompt does not have in full: clipped, digested, outlined or omitted. Notes are no messages.
 */
export function countNotWhole({ spans }: Pick<Plan, 'spans'>): number {
  return spans.reduce((sum, { verdict, from, to, notes }) => (isWhole(verdict) ? sum : sum + to - from - notes), 0)
}

/** What became of the newest exchange; undefined if all of it was sent whole, or hidden for good. */
export function turnVerdicts({ spans, exchanges }: Pick<Plan, 'spans' | 'exchanges'>): TurnVerdicts | undefined {
  const own = spans.filter(({ last }) => last === exchanges - 1)
  const [first] = own
  return !first || own.every(({ verdict }) => isWhole(verdict))
    ? undefined
    : { question: first.verdict, verdicts: verdictCounts({ spans: own }) }
}

/**
 * The messages of a call, by reference: `before`, then `keep` of those of an earlier call from `drop` on, then `after`.
 * So a client that sends everything every time costs only what is new.
 */
export interface SentByReference {
  /** The receipt of the earlier call; null where there is none. */
  readonly base: string | null
  readonly before: readonly Reference[]
  readonly drop: number
  readonly keep: number
  readonly after: readonly Reference[]
}

/** Of an earlier call. */
export interface Base {
  readonly id: string
  readonly references: readonly Reference[]
}

/**
 * The longest stretch that both have is kept: what a client puts before it, leaves off its front, or adds, is said
 * anew.
 */
export function sentAfter(references: readonly Reference[], base: Base | undefined): SentByReference {
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
 * The references of a call, from its `sent` and those that it builds on; undefined where one of them is not there.
 * Takes as long as there are calls and references.
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
 * The heaviest stretch that stands in both, by the length of its texts. Entries stand in a list once, so that each text
 * need be looked for in one place only.
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
 * A message that was sent: an entry as it is on record, one with a few fields otherwise, one in a form of its own, or a
 * message that is no entry.
 */
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
 * Refers to a message by the entry that it is. What it says otherwise than the entry goes into a form, which hangs off
 * the entry and is erased with it; an entry that was erased is named and nothing more. `forms`: ids of those on record,
 * by entry and text.
 */
export function refer(
  message: Message,
  entry: Entry | undefined,
  idOf: (entry: string, text: string) => string,
): Referred {
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
