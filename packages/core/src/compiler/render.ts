import type { Entry } from '../log/entry.ts'
import { matchCall, type CallMatch } from '../log/exchange.ts'
import { traits } from '../log/kind.ts'
import { argumentsText, partText, withoutReasoning, type Call, type Message } from '../log/message.ts'
import { noCalls } from '../log/unanswered-calls.ts'
import { earlierMarker } from './budget.ts'
import { at, entryAt } from './columns.ts'
import type { Fold } from './fold.ts'
import { framing, listed, quoted, recalledLines } from './framing.ts'
import type { EntriesPart, NotesPart, Part, Tier } from './parts.ts'
import type { NotesRole } from './policy.ts'
import { argumentsAs } from './cost.ts'
import { systemOnlyFirst, type Profile } from './profile.ts'
import type { RecallPart } from './recall.ts'
import type { ClippedEntry } from './clip.ts'

/** The messages of a prompt, and for each message its pieces of text. */
interface RenderResult<M extends Message> {
  readonly messages: M[]
  readonly pieces: readonly (readonly Piece[])[]
}

/** A piece of a message: its text, its label in a dump, and the tier and entries it comes from. */
export interface Piece {
  readonly label: string
  readonly text: string
  readonly tier?: Tier
  /** The entries that it is or quotes, by their index in the plan. Undefined if it covers many. */
  readonly entries?: readonly number[]
}

/** A message in progress: its text in pieces, and the original message if it has one. */
interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly pieces: readonly Piece[]
  readonly calls: readonly DraftCall[]
  /** Of a tool result: the call that it answers. */
  readonly answers?: DraftCall
  readonly raw?: Message
  /** True if its text differs from that of `raw`. */
  readonly changed: boolean
  /** True if it is sent without its reasoning. */
  readonly withoutReasoning: boolean
  /** True for a message that Minutebook adds. Of joined messages: true if it ends with such text. */
  readonly ours: boolean
}

/** A call, the original object, and the id that it has in the prompt. */
interface DraftCall {
  readonly call: Call
  readonly raw: unknown
  readonly id: string | undefined
}

/** Writes the parts as messages that the profile's template accepts. It decides nothing about what is sent. */
export function render<M extends Message>(fold: Fold<M>, parts: readonly Part[]): RenderResult<M> {
  const { profile } = fold.settings.prices
  const drafts = fitTemplate(draftsOf(fold, parts), profile)
  return {
    // Messages that Minutebook adds have only the fields that every message type has: a role and a text.
    messages: drafts.map((draft) => messageOf(draft, profile) as M),
    pieces: drafts.map(({ pieces }) => pieces),
  }
}

/** Writes the parts as messages for a template that allows everything. */
function draftsOf(fold: Fold, parts: readonly Part[]): PromptMessage[] {
  return parts.flatMap((part) => {
    const { tier } = part
    switch (part.shape) {
      case 'entries':
        return entryDrafts(fold, part)
      case 'digest': {
        const heading = part.of === 'exchanges' ? framing.outline : framing.steps
        const text = heading + part.lines.map((line) => line.text).join('\n')
        return [ourMessage('user', { label: 'OUTLINE', text, tier })]
      }
      case 'marker':
        return [ourMessage('system', { label: 'MARKER', text: part.text, tier })]
      case 'recall':
        return [quotingMessage(fold, part, 'RECALL', framing.recall, framing.recallEnd)]
      case 'pins':
        return [quotingMessage(fold, part, 'PINNED', framing.pins, framing.pinsEnd, part.clips)]
      case 'notes':
        return [notesDraft(fold, part)]
    }
  })
}

/** A message that Minutebook adds. If it quotes users, tools or imports, it must have the user role. */
function ourMessage(role: PromptMessage['role'], piece: Piece): PromptMessage {
  return { role, pieces: [piece], calls: [], changed: true, withoutReasoning: false, ours: true }
}

/** Quotes entries, or clips of them, between two lines that say what they are. */
function quotingMessage(
  fold: Fold,
  { tier, entries }: Pick<RecallPart, 'entries'> & { readonly tier: Tier },
  label: string,
  heading: string,
  end: string,
  clips: readonly ClippedEntry[] = [],
): PromptMessage {
  const clipAt = new Map(clips.map((clip) => [clip.index, clip.text]))
  const indexes = entries.map(({ index }) => index)
  const lines = indexes.map((index) => recalledLines(entryAt(fold, index), clipAt.get(index)))
  return ourMessage('user', { label, text: `${heading}${lines.join('\n')}\n${end}`, tier, entries: indexes })
}

function notesRole({ settings }: Fold): NotesRole {
  return settings.policy.notes?.role ?? 'system'
}

/** One piece for each note. The first one also has the heading. */
function notesDraft(fold: Fold, { of, tier, entries, clips }: NotesPart): PromptMessage {
  const heading = framing[of]
  const clipAt = new Map(clips.map((clip) => [clip.index, clip]))
  const pieces = entries.map(({ index }, place) => {
    const entry = at(fold.columns.entries, index)
    const clip = clipAt.get(index)
    return {
      label: traits[entry.kind].label,
      text: (place === 0 ? heading : '') + listed(clip?.text ?? entry.text),
      tier,
      entries: [index],
    }
  })
  return { ...ourMessage(of === 'journal' ? 'user' : notesRole(fold), { label: '', text: '' }), pieces }
}

/**
 * One message for each entry. Notes wait until the end of their step, because nothing may come between calls and their
 * results.
 */
function entryDrafts(fold: Fold, part: EntriesPart): PromptMessage[] {
  const drafts: PromptMessage[] = []
  const marker = earlierMarker(fold)
  const role = notesRole(fold)
  let open = noCalls
  let calls: DraftCalls = new Map()
  let waiting: PromptMessage[] = []
  const endStep = (): void => {
    for (const call of open.calls) drafts.push(interrupted(part.tier, calls.get(call)!))
    for (const draft of waiting) drafts.push(draft)
    waiting = []
  }
  const clipAt = new Map(part.clips.map((clip) => [clip.index, clip]))
  for (let index = part.from; index < part.to; index++) {
    const entry = at(fold.columns.entries, index)
    const place = matchCall(entry, open)
    if (place.startsStep) {
      endStep()
      calls = draftCalls(entry)
    }
    open = place.open
    const { pinned, chained, late } = traits[entry.kind]
    if (index === marker || late || (pinned && !part.systems) || (!chained && !part.notes)) continue
    const clip = clipAt.get(index)
    const text = clip?.text ?? entry.text
    const tier = pinned ? 'system' : part.tier
    const entries = [index]
    if (!chained)
      waiting.push(
        ourMessage(role, { label: traits[entry.kind].label, text: framing.notes + listed(text), tier, entries }),
      )
    else if (place.orphan) {
      const heading = framing.orphan(entry.answers?.name)
      drafts.push(ourMessage('user', { label: 'TOOL', text: heading + quoted(text), tier, entries }))
    } else drafts.push(entryDraft({ entry, index, tier }, place, calls, clip?.text, index < part.reasoningFrom))
  }
  endStep()
  return drafts
}

function entryDraft(
  { entry, index, tier }: Placed,
  place: CallMatch,
  calls: DraftCalls,
  clipped: string | undefined,
  withoutReasoning: boolean,
): PromptMessage {
  const { role, label } = traits[entry.kind]
  const answers = place.answers && calls.get(place.answers)
  return {
    role,
    pieces: [{ label, text: clipped ?? entry.text, tier, entries: [index] }],
    calls: entry.calls.length > 0 ? [...calls.values()] : [],
    raw: entry.raw,
    changed: clipped !== undefined,
    withoutReasoning: withoutReasoning && (entry.reasoning !== '' || entry.sealed > 0),
    ours: false,
    ...(answers && { answers }),
  }
}

/** An entry of a part, with its index in the plan. */
interface Placed {
  readonly entry: Entry
  readonly index: number
  readonly tier: Tier
}

type DraftCalls = ReadonlyMap<Call, DraftCall>

function draftCalls(entry: Entry): DraftCalls {
  const raw = Array.isArray(entry.raw.tool_calls) ? (entry.raw.tool_calls as unknown[]) : []
  return new Map(entry.calls.map((call, index) => [call, { call, raw: raw[index], id: call.id }]))
}

function interrupted(tier: Tier, call: DraftCall): PromptMessage {
  return { ...ourMessage('tool', { label: 'TOOL', text: framing.interrupted, tier }), answers: call }
}

/** Returns the original message itself if nothing about it changes. */
function messageOf(draft: PromptMessage, profile: Profile): Message {
  const { raw } = draft
  if (raw && !changes(draft, raw, profile)) return raw
  const kept = raw && draft.withoutReasoning ? withoutReasoning(raw) : raw
  const message: Record<string, unknown> = { ...kept, role: roleOf(draft) }
  if (draft.changed || !raw || (profile.normalized && !raw.content)) message['content'] = contentOf(draft)
  if (draft.calls.length > 0) message['tool_calls'] = draft.calls.map((call) => callOf(call, profile))
  else if (draft.changed || profile.normalized) delete message['tool_calls']
  if (draft.answers) Object.assign(message, addressOf(draft.answers))
  return message as unknown as Message
}

function changes(draft: PromptMessage, raw: Message, profile: Profile): boolean {
  if (draft.changed || draft.withoutReasoning) return true
  const reshapes = profile.normalized === true || profile.nineCharacterIds === true || profile.argumentsAs !== undefined
  const tools = draft.calls.length > 0 || draft.answers !== undefined
  return (reshapes && tools) || (profile.normalized === true && (!raw.content || raw.tool_calls !== undefined))
}

/** A message that came with the role `developer` keeps that role. */
function roleOf({ role, raw }: PromptMessage): string {
  return role === 'system' && raw?.role.toLowerCase() === 'developer' ? raw.role : role
}

function contentOf({ raw, pieces }: PromptMessage): unknown {
  const text = pieces.map((piece) => piece.text).join('\n\n')
  if (!raw || !Array.isArray(raw.content)) return text
  const others = (raw.content as unknown[]).filter((part) => partText(part) === undefined)
  return others.length ? [{ type: 'text', text }, ...others] : text
}

function callOf({ call, raw, id }: DraftCall, profile: Profile): unknown {
  const own = raw as { readonly function?: object; readonly custom?: object }
  if (own.custom) return { ...own, ...(id !== undefined && { id }) }
  return {
    ...own,
    ...(id !== undefined && { id }),
    ...(profile.normalized && { type: 'function' }),
    function: { ...own.function, name: call.name, arguments: argumentsAs(call, profile) },
  }
}

function addressOf({ call, id }: DraftCall): Record<string, unknown> {
  return id === undefined ? { tool_name: call.name } : { tool_call_id: id }
}

/** Rearranges messages until a template with this profile accepts them. No text is lost. */
function fitTemplate(drafts: readonly PromptMessage[], profile: Profile): readonly PromptMessage[] {
  return rules.filter(({ when }) => when(profile)).reduce((conformed, { apply }) => apply(conformed, profile), drafts)
}

/** The order matters: later rules rely on what earlier ones did. */
const rules: readonly {
  readonly when: (profile: Profile) => unknown
  readonly apply: (drafts: readonly PromptMessage[], profile: Profile) => readonly PromptMessage[]
}[] = [
  { when: (profile) => profile.noTools, apply: (drafts) => drafts.flatMap(withoutTools) },
  { when: (profile) => profile.normalized || profile.nineCharacterIds, apply: withIds },
  {
    when: (profile) => profile.normalized,
    apply: (drafts) => inCallOrder(drafts.filter(saysSomething).map(withPlainContent)),
  },
  { when: (profile) => profile.oneCallAtATime, apply: oneCallAtATime },
  { when: (profile) => profile.onlyTheirSystem, apply: ourTextAsUser },
  { when: systemOnlyFirst, apply: systemFirst },
  { when: (profile) => profile.noSystem, apply: systemAsUser },
  { when: (profile) => profile.mustAlternate, apply: (drafts) => drafts.reduce<PromptMessage[]>(merge, []) },
  { when: (profile) => profile.onlyTheirSystem, apply: (drafts) => drafts.reduce<PromptMessage[]>(mergeOurs, []) },
  { when: (profile) => profile.callsWithoutText, apply: textApartFromCalls },
  { when: (profile) => profile.mustAlternate || profile.needsUser, apply: openedByUser },
  { when: (profile) => profile.mustAlternate || profile.answerAfterTool, apply: answered },
]

/**
 * Turns tool calls and results into past-tense text under the user role, so that the model does not take it for its own
 * words.
 */
function withoutTools(draft: PromptMessage): PromptMessage[] {
  const { tier, entries } = draft.pieces[0] ?? {}
  const said = (label: string, text: string): PromptMessage =>
    ourMessage('user', { label, text, ...(tier && { tier }), ...(entries && { entries }) })
  if (draft.role === 'tool')
    return [said('TOOL', framing.result(draft.answers?.call.name ?? 'a tool') + quoted(textOf(draft)))]
  if (draft.calls.length === 0) return [draft]
  const calls = draft.calls.map(({ call }) => said('TOOL CALL', framing.call(call.name) + quoted(argumentsText(call))))
  return textOf(draft) === '' ? calls : [{ ...draft, calls: [], changed: true }, ...calls]
}

/** Gives every call an id that its result repeats. A call keeps its own id if that is valid. */
function withIds(drafts: readonly PromptMessage[], { nineCharacterIds }: Profile): PromptMessage[] {
  const renamed = new Map<DraftCall, DraftCall>()
  for (const call of drafts.flatMap(({ calls }) => calls)) {
    const fresh = `call${String(renamed.size + 1).padStart(5, '0')}`
    const id = call.id === undefined || (nineCharacterIds && !isNineCharacters(call.id)) ? fresh : call.id
    renamed.set(call, id === call.id ? call : { ...call, id })
  }
  return drafts.map((draft) => {
    const calls = draft.calls.map((call) => renamed.get(call) ?? call)
    const answers = draft.answers && (renamed.get(draft.answers) ?? draft.answers)
    return { ...draft, calls, ...(answers && { answers }) }
  })
}

function isNineCharacters(id: string): boolean {
  return /^[a-zA-Z0-9]{9}$/.test(id)
}

function saysSomething(draft: PromptMessage): boolean {
  return draft.role !== 'assistant' || draft.calls.length > 0 || textOf(draft) !== ''
}

/** Most templates take a text, not a list of parts. */
function withPlainContent(draft: PromptMessage): PromptMessage {
  return Array.isArray(draft.raw?.content) ? { ...draft, changed: true } : draft
}

/** Puts the results of parallel calls into the order of the calls. */
function inCallOrder(drafts: readonly PromptMessage[]): PromptMessage[] {
  return drafts.flatMap((draft, index) => {
    if (draft.role === 'tool') return []
    const results = resultsAfter(drafts, index)
    const places = new Map(draft.calls.map((call, place) => [call, place]))
    const placeOf = ({ answers }: PromptMessage): number => places.get(answers!) ?? -1
    return [draft, ...results.toSorted((left, right) => placeOf(left) - placeOf(right))]
  })
}

/** Splits parallel calls: call, result, call, result, each call in its own message. */
function oneCallAtATime(drafts: readonly PromptMessage[]): PromptMessage[] {
  return drafts.flatMap((draft, index) => {
    if (draft.role === 'tool') return []
    const results = resultsAfter(drafts, index)
    if (draft.calls.length < 2) return [draft, ...results]
    const byCall = new Map(draft.calls.map((call): [typeof call, PromptMessage[]] => [call, []]))
    for (const result of results) byCall.get(result.answers!)?.push(result)
    return draft.calls.flatMap((call, position): PromptMessage[] => {
      const first =
        position === 0 ? draft : { ...ourMessage('assistant', { label: 'ASSISTANT', text: '' }), ours: false }
      return [{ ...first, calls: [call], changed: true }, ...(byCall.get(call) ?? [])]
    })
  })
}

function resultsAfter(drafts: readonly PromptMessage[], index: number): PromptMessage[] {
  let end = index + 1
  while (drafts[end]?.role === 'tool') end++
  return drafts.slice(index + 1, end)
}

function ourTextAsUser(drafts: readonly PromptMessage[]): PromptMessage[] {
  return drafts.map((draft) => (draft.role === 'system' && draft.ours ? { ...draft, role: 'user' } : draft))
}

const noteLabels: ReadonlySet<string> = new Set(
  Object.values(traits)
    .filter(({ prompted, chained }) => prompted && !chained)
    .map(({ label }) => label),
)

/**
 * Joins the leading system messages, with the notes, into one. Any later system message was added by Minutebook and
 * gets the user role.
 */
function systemFirst(drafts: readonly PromptMessage[]): PromptMessage[] {
  const first = drafts.findIndex(
    ({ role, ours, pieces }) => role !== 'system' || (ours && !noteLabels.has(pieces[0]?.label ?? '')),
  )
  const length = first < 0 ? drafts.length : first
  const rest = drafts
    .slice(length)
    .map((draft): PromptMessage => (draft.role === 'system' ? { ...draft, role: 'user' } : draft))
  return [...drafts.slice(0, length).reduce<PromptMessage[]>(joinAll, []), ...rest]
}

/**
 * Sends the operator's system message under the user role. `join` adds a line that says where the user's own words
 * begin.
 */
function systemAsUser(drafts: readonly PromptMessage[]): PromptMessage[] {
  const [first, next, ...others] = drafts
  if (first?.role !== 'system') return [...drafts]
  const user: PromptMessage = { ...first, role: 'user', raw: { role: 'user' }, changed: true, ours: true }
  if (next?.role === 'user') return [join(user, next), ...others]
  return [user, ...drafts.slice(1)]
}

/**
 * Joins neighbours of the same role into one message. Text that Minutebook adds never follows a user's words in the
 * same message, because a user could imitate it.
 */
function merge(done: PromptMessage[], draft: PromptMessage): PromptMessage[] {
  const last = done.at(-1)
  const meet = last?.role === draft.role && draft.role !== 'tool' && last.calls.length === 0
  const isApart = meet && draft.role === 'user' && draft.ours && !last.ours
  if (isApart) done.push(ourMessage('assistant', { label: 'ASSISTANT', text: framing.pause }))
  return addedTo(done, draft, meet && !isApart)
}

/** The same for text that Minutebook adds alone: a server joins the other neighbours itself. */
function mergeOurs(done: PromptMessage[], draft: PromptMessage): PromptMessage[] {
  return draft.ours || done.at(-1)?.ours === true ? merge(done, draft) : addedTo(done, draft, false)
}

function joinAll(done: PromptMessage[], draft: PromptMessage): PromptMessage[] {
  return addedTo(done, draft, true)
}

/** Changes the list in place: it belongs to the reducer, and a prompt can have many messages. */
function addedTo(done: PromptMessage[], draft: PromptMessage, joined: boolean): PromptMessage[] {
  const last = joined ? done.pop() : undefined
  done.push(last ? join(last, draft) : draft)
  return done
}

/**
 * Two messages as one, with the fields, images and calls of both. If a user's words follow other text, a line
 * marks their beginning.
 */
function join(first: PromptMessage, second: PromptMessage): PromptMessage {
  const isTheirs = second.role === 'user' && first.ours && !second.ours
  const pieces: Piece[] = [
    ...first.pieces,
    ...(isTheirs ? headed(framing.theirs, second.pieces) : second.pieces),
  ].filter(({ text }) => text !== '')
  const images = [...listOf(first.raw?.images), ...listOf(second.raw?.images)]
  const content = [...listOf(first.raw?.content), ...listOf(second.raw?.content)]
  return {
    ...second,
    raw: {
      ...first.raw,
      ...second.raw,
      role: second.role,
      ...(images.length && { images }),
      content: content.length ? content : '',
    },
    pieces,
    calls: [...first.calls, ...second.calls],
    changed: true,
    ours: second.ours,
    withoutReasoning: first.withoutReasoning || second.withoutReasoning,
  }
}

function headed(heading: string, [first, ...others]: readonly Piece[]): Piece[] {
  return first ? [{ ...first, text: heading + first.text }, ...others] : []
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

function textOf({ pieces }: PromptMessage): string {
  return pieces.map(({ text }) => text).join('\n\n')
}

/**
 * Moves text out of messages with calls: into a message before them. If that would make two assistant messages in a
 * row, the text is quoted in the first result instead.
 */
function textApartFromCalls(drafts: readonly PromptMessage[], { mustAlternate }: Profile): PromptMessage[] {
  let quotedText = ''
  return drafts.flatMap((draft) => {
    const text = textOf(draft)
    if (draft.calls.length > 0 && text !== '') {
      const calls: PromptMessage = { ...draft, pieces: [], changed: true }
      if (!mustAlternate) return [{ ...draft, calls: [], changed: true, withoutReasoning: true }, calls]
      quotedText = framing.said + quoted(text)
      return [calls]
    }
    if (draft.role !== 'tool' || quotedText === '') return [draft]
    const pieces = [{ label: 'ASSISTANT', text: quotedText }, ...headed(framing.rest, draft.pieces)]
    quotedText = ''
    return [{ ...draft, pieces, changed: true }]
  })
}

function openedByUser(drafts: readonly PromptMessage[]): PromptMessage[] {
  const first = drafts.findIndex(({ role }) => role !== 'system')
  if (first < 0 || drafts[first]?.role === 'user') return [...drafts]
  return drafts.toSpliced(first, 0, ourMessage('user', { label: 'USER', text: framing.opening }))
}

function answered(drafts: readonly PromptMessage[]): PromptMessage[] {
  return drafts.flatMap((draft, index) =>
    draft.role === 'user' && drafts[index - 1]?.role === 'tool'
      ? [ourMessage('assistant', { label: 'ASSISTANT', text: framing.unanswered }), draft]
      : [draft],
  )
}
