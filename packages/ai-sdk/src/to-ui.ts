import type { UIMessage } from 'ai'
import { visible, type Entry, type Message, type OpenCall } from 'minutebook'
import { standingsIn, type CallStanding } from 'minutebook/inspect'
import { clientKeyOf, traits } from 'minutebook/store'
import { takeNotes } from 'minutebook/wire'
import { closedPart, openPart } from './approval.ts'
import type { Fields } from './file.ts'
import { fromFields, fromJson } from './json.ts'
import { openCalls, type OpenCalls } from './open-calls.ts'
import type { Piece } from './piece.ts'
import { readPieces } from './read-pieces.ts'
import { extrasOf, roleOf, type Extras } from './sdk-message.ts'
import { answeredPart, uiPart } from './ui-part.ts'

/**
 * Messages as the AI SDK's UI messages: those that `fromUIMessages` got, and any others as well as possible. Everything
 * that an assistant does up to the next user message is one UI message. `id` names those without an id.
 *
 * @example
 * const initialMessages = toUIMessages(messages)
 */
export function toUIMessages(
  messages: readonly Message[],
  options: { readonly id?: (index: number) => string } = {},
): UIMessage[] {
  const { id = (index) => `message-${index}` } = options
  return uiMessages(written(messages.map((message, index) => ({ message, id: id(index), status: 'complete' }))))
}

/**
 * What people may see of a thread, as UI messages: without notes, and without system entries. Pass whole turns. A user's
 * message has the id under which it was sent, or else that of its entry. The answer to it has that id and `-answer`.
 *
 * A call that needs approval has `approval`, with the id of the open call. It is `approval-requested` while it waits, and
 * `output-denied` if it was refused, or if the turn was stopped meanwhile. If the turn was stopped after calls, its last
 * part is an empty step: no page takes the calls for its own and goes on.
 *
 * @example
 * const initialMessages = uiMessagesOf(await thread.entries())
 */
export function uiMessagesOf(entries: readonly Entry[]): UIMessage[] {
  return uiMessages(writtenOf(entries)).filter(({ role, parts }) => role !== 'assistant' || parts.length > 0)
}

/** A recorded call, with the part that shows it. */
export interface RecordedCall {
  readonly part: Fields
  /** Set if it waits for a decision. */
  readonly open?: OpenCall | undefined
}

/** The calls of the last step of the last UI message, in order, and the number of that step. The first step is 1. */
export function lastCalls(entries: readonly Entry[]): {
  readonly step: number
  readonly calls: readonly RecordedCall[]
} {
  const { parts, standings } = writtenOf(entries).at(-1) ?? { parts: [], standings: new Map<Fields, CallStanding>() }
  const { step, calls } = lastStepOf(parts)
  return {
    step,
    calls: calls.map((part) => {
      const { gate, taken } = standings.get(part) ?? {}
      return { part, open: taken ? undefined : gate }
    }),
  }
}

/** The calls of the last step in the parts of a UI message. */
export function lastStepOf(parts: readonly Fields[]): { readonly step: number; readonly calls: readonly Fields[] } {
  const begun = parts.findLastIndex(({ type }) => type === 'step-start')
  return {
    step: parts.filter(({ type }) => type === 'step-start').length,
    calls: parts.slice(begun + 1).filter(({ toolCallId }) => toolCallId !== undefined),
  }
}

function writtenOf(entries: readonly Entry[]): Written[] {
  const seen = new Set(visible(entries).map(({ id }) => id))
  const hanging = new Map<string | null, Entry[]>()
  for (const entry of entries) {
    if (traits[entry.kind].chained) continue
    const beside = hanging.get(entry.parent)
    if (beside) beside.push(entry)
    else hanging.set(entry.parent, [entry])
  }
  let asked: Entry | undefined
  const shown = entries.flatMap((entry): (Shown | 'stop')[] => {
    const { id, kind, status, origin, raw } = entry
    if (traits[kind].opensExchange) asked = entry
    if (kind === 'stop' && status === 'cancelled') return ['stop']
    if (!seen.has(id) || kind === 'stop' || status === 'erased') return []
    const message = origin === 'model' ? takeNotes(raw, 'exact').message : raw
    return [
      {
        message,
        id: entry === asked || !asked ? uiIdOf(entry) : answerIdOf(asked),
        status,
        standings: shownCalls(raw, message, standingsIn(entry, hanging.get(id) ?? [])),
      },
    ]
  })
  return written(shown)
}

/** The calls that people see. `message`: the same without calls that leave notes. */
function shownCalls(raw: Message, message: Message, standings: readonly CallStanding[]): readonly CallStanding[] {
  if (raw === message) return standings
  const [all, shown] = [raw, message].map(({ tool_calls: calls }) => (Array.isArray(calls) ? (calls as unknown[]) : []))
  const kept = new Set(shown)
  return standings.filter((_, index) => kept.has(all?.[index]))
}

/** The id of the UI message for an entry: its own, the one it was sent with, or that of the entry. */
export function uiIdOf(entry: Pick<Entry, 'id' | 'kind' | 'key' | 'raw'>): string {
  const own = extrasOf(entry.raw, 'ui')?.fields?.['id']
  return typeof own === 'string' ? own : (clientKeyOf(entry) ?? entry.id)
}

/** The id of the UI message that answers a user's entry. It is known before there is an answer. */
export function answerIdOf(asked: Pick<Entry, 'id' | 'kind' | 'key' | 'raw'>): string {
  return `${uiIdOf(asked)}-answer`
}

/** A message, the id of its UI message, the status of its entry, and its calls if it makes some. */
interface Shown {
  readonly message: Message
  readonly id: string
  readonly status: Entry['status']
  readonly standings?: readonly CallStanding[]
}

function written(shown: readonly (Shown | 'stop')[]): Written[] {
  const done: Written[] = []
  for (const next of shown) {
    if (next === 'stop') {
      endStep(done.at(-1)?.parts ?? [])
      continue
    }
    const { message, id, status, standings = [] } = next
    const extras = extrasOf(message, 'ui')
    const role = roleOf(message)
    const target =
      belongsTo(done.at(-1), role, extras) ?? started(done, role, { id, ...fromFields(extras?.fields) }, extras)
    if (role === 'tool') addResult(target, message, status)
    else target.parts.push(...saidParts(message, role, extras, target, standings))
    target.parts.push(...(extras?.rest ?? []).map((part) => fromJson(part) as Fields))
  }
  return done
}

/** A page goes on by itself if its last step has calls, and all have results. So a turn that was stopped ends with a step. */
function endStep(parts: Fields[]): void {
  if (lastStepOf(parts).calls.length > 0) parts.push({ type: 'step-start' })
}

function uiMessages(done: readonly Written[]): UIMessage[] {
  return done.map(({ fields, role, parts }) => ({ ...fields, role, parts }) as unknown as UIMessage)
}

interface Written {
  readonly role: UIMessage['role']
  readonly parts: Fields[]
  readonly fields: Fields
  readonly calls: OpenCalls
  /** The calls of its last step that have no results, by their parts. Calls of one step may have the same id. */
  readonly standings: Map<Fields, CallStanding>
}

/** The UI message that this one is a part of: the assistant's, unless a message has an id of its own. */
function belongsTo(last: Written | undefined, role: string, extras: Extras | undefined): Written | undefined {
  if (last?.role !== 'assistant' || extras?.fields) return undefined
  return role === 'tool' || role === 'assistant' || extras?.continues ? last : undefined
}

function started(
  done: Written[],
  role: ReturnType<typeof roleOf>,
  fields: Fields,
  extras: Extras | undefined,
): Written {
  const target: Written = {
    role: role === 'tool' || extras?.steering ? 'assistant' : role,
    parts: [],
    fields,
    calls: openCalls(`${String(fields['id'])}-call-`),
    standings: new Map(),
  }
  done.push(target)
  return target
}

function saidParts(
  message: Message,
  role: string,
  extras: Extras | undefined,
  target: Written,
  standings: readonly CallStanding[],
): Fields[] {
  const pieces = readPieces(message, 'ui')
  target.standings.clear()
  let made = 0
  const part = (piece: Piece): Fields => {
    if (piece.at !== 'call') return uiPart(piece)
    const id = target.calls.open(piece.id, piece.name)
    const standing = standings[made++]
    const shown = openPart(uiPart({ ...piece, id }), standing)
    if (standing) target.standings.set(shown, standing)
    return shown
  }
  if (role === 'assistant' && extras === undefined) return stepParts(pieces, target, part)
  const parts = pieces.map(part)
  return extras?.steering ? [{ type: 'steering-message', ...fromFields(extras.steering), parts }] : parts
}

/**
 * The parts of one model call, as a page has them after it was streamed: one text, and reasoning with an id. If a turn
 * goes on after it was stopped, the empty step is this one.
 */
function stepParts(pieces: readonly Piece[], { parts }: Written, part: (piece: Piece) => Fields): Fields[] {
  if (pieces.length === 0) return []
  if (parts.at(-1)?.['type'] === 'step-start') parts.pop()
  const id = reasoningId(parts.filter(({ type }) => type === 'step-start').length + 1)
  const text = pieces.map((piece) => (piece.at === 'text' ? piece.text : '')).join('')
  const others = pieces.filter(({ at }) => at !== 'text' && at !== 'reasoning').map(part)
  return [
    { type: 'step-start' },
    ...pieces.flatMap((piece) => (piece.at === 'reasoning' ? [{ ...part(piece), id, state: 'done' }] : [])),
    ...(text === '' ? [] : [{ type: 'text', text, state: 'done' }]),
    ...others,
  ]
}

/** The id of the reasoning in a step of a message. The first step is 1. */
export function reasoningId(step: number): string {
  return `reasoning-${step}`
}

/** Puts a result next to its call; a result without a call is a part of its own. */
function addResult({ parts, calls, standings }: Written, message: Message, status: Entry['status']): void {
  const { toolCallId, toolName } = calls.answer(message)
  const at = parts.findLastIndex((part) => part['toolCallId'] === toolCallId)
  const part = parts[at] ?? { type: `tool-${toolName}`, toolCallId, input: {} }
  const answered = answeredPart(part, message, status === 'failed' || status === 'cancelled')
  parts.splice(at < 0 ? parts.length : at, at < 0 ? 0 : 1, closedPart(answered, standings.get(part), status))
}
