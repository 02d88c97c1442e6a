import type { Fold } from '../fold/fold.ts'
import { partText, reasoningFields, type Message } from '../log/message.ts'
import type { Plan } from '../plan/plan.ts'
import { argumentsAs } from '../policy/arguments.ts'
import type { Profile } from '../policy/profile.ts'
import { conform } from './conform.ts'
import { draftsOf, type Draft, type DraftCall, type Piece } from './draft.ts'

/** The messages of a prompt, and for each the pieces it is made of. */
export interface Rendering<M extends Message> {
  readonly messages: M[]
  readonly pieces: readonly (readonly Piece[])[]
}

/** Writes a plan down as messages that the profile's template accepts. Decides nothing. */
export function render<M extends Message>(fold: Fold<M>, plan: Plan): Rendering<M> {
  const { profile } = fold.settings.prices
  const drafts = conform(draftsOf(fold, plan.parts), profile)
  return {
    // What we add has only the fields that every message type has: a role and a text.
    messages: drafts.map((draft) => messageOf(draft, profile) as M),
    pieces: drafts.map(({ pieces }) => pieces),
  }
}

/** The message it came from, as it is where nothing about it changes. */
function messageOf(draft: Draft, profile: Profile): Message {
  const { raw } = draft
  if (raw && !changes(draft, raw, profile)) return raw
  const message: Record<string, unknown> = { ...raw, role: roleOf(draft) }
  if (draft.changed || !raw || (profile.normalized && !raw.content)) message['content'] = contentOf(draft)
  if (draft.bare) for (const field of reasoningFields) delete message[field]
  if (draft.calls.length > 0) message['tool_calls'] = draft.calls.map((call) => callOf(call, profile))
  else if (draft.changed || profile.normalized) delete message['tool_calls']
  if (draft.answers) Object.assign(message, addressOf(draft.answers))
  return message as unknown as Message
}

function changes(draft: Draft, raw: Message, profile: Profile): boolean {
  if (draft.changed || draft.bare) return true
  const reshapes = profile.normalized === true || profile.nineCharacterIds === true || profile.argumentsAs !== undefined
  const tools = draft.calls.length > 0 || draft.answers !== undefined
  return (reshapes && tools) || (profile.normalized === true && (!raw.content || raw.tool_calls !== undefined))
}

/** A developer message stays one. */
function roleOf({ role, raw }: Draft): string {
  return role === 'system' && raw?.role.toLowerCase() === 'developer' ? raw.role : role
}

function contentOf({ raw, pieces }: Draft): unknown {
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
