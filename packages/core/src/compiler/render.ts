import { traits } from '../log/kind.ts'
import { argumentsText, partText, withoutReasoning, type Message } from '../log/message.ts'
import { argumentsAs } from './cost.ts'
import type { Fold } from './fold.ts'
import { framing, quoted } from './framing.ts'
import type { Plan } from './plan.ts'
import { systemOnlyFirst, type Profile } from './profile.ts'
import {
  addedTo,
  draftsOf,
  headed,
  join,
  joinAll,
  said,
  textOf,
  type DraftCall,
  type Piece,
  type PromptMessage,
} from './prompt-draft.ts'

/** The messages of a prompt, and for each message its pieces of text. */
export interface RenderResult<M extends Message> {
  readonly messages: M[]
  readonly pieces: readonly (readonly Piece[])[]
}

/** Writes a plan as messages that the profile's template accepts. It decides nothing about what is sent. */
export function render<M extends Message>(fold: Fold<M>, plan: Plan): RenderResult<M> {
  const { profile } = fold.settings.prices
  const drafts = fitTemplate(draftsOf(fold, plan.parts), profile)
  return {
    // Messages that Minutebook adds have only the fields that every message type has: a role and a text.
    messages: drafts.map((draft) => messageOf(draft, profile) as M),
    pieces: drafts.map(({ pieces }) => pieces),
  }
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
  if (draft.role === 'tool')
    return [said('user', 'TOOL', framing.result(draft.answers?.call.name ?? 'a tool') + quoted(textOf(draft)), draft)]
  if (draft.calls.length === 0) return [draft]
  const calls = draft.calls.map(({ call }) =>
    said('user', 'TOOL CALL', framing.call(call.name) + quoted(argumentsText(call)), draft),
  )
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
      const first = position === 0 ? draft : { ...said('assistant', 'ASSISTANT', ''), ours: false }
      return [{ ...first, calls: [call], changed: true }, ...(byCall.get(call) ?? [])]
    })
  })
}

function resultsAfter(drafts: readonly PromptMessage[], index: number): PromptMessage[] {
  let end = index + 1
  while (drafts[end]?.role === 'tool') end++
  return drafts.slice(index + 1, end)
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

function ourTextAsUser(drafts: readonly PromptMessage[]): PromptMessage[] {
  return drafts.map((draft) => (draft.role === 'system' && draft.ours ? { ...draft, role: 'user' } : draft))
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
  if (isApart) done.push(said('assistant', 'ASSISTANT', framing.pause))
  return addedTo(done, draft, meet && !isApart)
}

/** The same for text that Minutebook adds alone: a server joins the other neighbours itself. */
function mergeOurs(done: PromptMessage[], draft: PromptMessage): PromptMessage[] {
  return draft.ours || done.at(-1)?.ours === true ? merge(done, draft) : addedTo(done, draft, false)
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
  return drafts.toSpliced(first, 0, said('user', 'USER', framing.opening))
}

function answered(drafts: readonly PromptMessage[]): PromptMessage[] {
  return drafts.flatMap((draft, index) =>
    draft.role === 'user' && drafts[index - 1]?.role === 'tool'
      ? [said('assistant', 'ASSISTANT', framing.unanswered), draft]
      : [draft],
  )
}
