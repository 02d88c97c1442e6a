import type { Entry } from '../log/entry.ts'
import { matchCall, type CallMatch } from '../log/exchange.ts'
import { traits } from '../log/kind.ts'
import type { Call, Message } from '../log/message.ts'
import { noCalls } from '../log/unanswered-calls.ts'
import { earlierMarker } from './budget.ts'
import { at, entryAt } from './columns.ts'
import type { Fold } from './fold.ts'
import { framing, listed, quoted, recalledLines } from './framing.ts'
import type { EntriesPart, NotesPart, Part, Tier } from './parts.ts'
import type { NotesRole } from './policy.ts'

/** A message in progress: its text in pieces, and the original message if it has one. */
export interface PromptMessage {
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

/** A piece of a message: its text, its label in a dump, and the tier and entries it comes from. */
export interface Piece {
  readonly label: string
  readonly text: string
  readonly tier?: Tier
  /** The entries that it is or quotes, by their index in the plan. Undefined if it covers many. */
  readonly entries?: readonly number[]
}

/** A call, the original object, and the id that it has in the prompt. */
export interface DraftCall {
  readonly call: Call
  readonly raw: unknown
  readonly id: string | undefined
}

/** Writes the parts as messages for a template that allows everything. `render.ts` then adapts them to the profile. */
export function draftsOf(fold: Fold, parts: readonly Part[]): PromptMessage[] {
  return parts.flatMap((part) => {
    switch (part.shape) {
      case 'entries':
        return entryDrafts(fold, part)
      case 'digest':
        return [
          ourDraft(
            'user',
            part.tier,
            'OUTLINE',
            (part.of === 'exchanges' ? framing.outline : framing.steps) + part.lines.map(({ text }) => text).join('\n'),
          ),
        ]
      case 'marker':
        return [ourDraft('system', part.tier, 'MARKER', part.text)]
      case 'recall':
        return [
          ourDraft(
            'user',
            part.tier,
            'RECALL',
            `${framing.recall}${part.entries.map(({ index }) => recalledLines(entryAt(fold, index))).join('\n')}\n${framing.recallEnd}`,
            part.entries.map(({ index }) => index),
          ),
        ]
      case 'pins': {
        const clips = new Map(part.clips.map(({ index, text }) => [index, text]))
        const lines = part.entries.map(({ index }) => recalledLines(at(fold.columns.entries, index), clips.get(index)))
        const text = `${framing.pins}${lines.join('\n')}\n${framing.pinsEnd}`
        const indexes = part.entries.map(({ index }) => index)
        return [ourDraft('user', part.tier, 'PINNED', text, indexes)]
      }
      case 'notes':
        return [notesDraft(fold, part)]
    }
  })
}

/** A message that Minutebook adds. If it quotes users, tools or imports, it must have the user role. */
function ourDraft(
  role: 'system' | 'user',
  tier: Tier,
  label: string,
  text: string,
  entries?: readonly number[],
): PromptMessage {
  return {
    role,
    pieces: [{ label, text, tier, ...(entries && { entries }) }],
    calls: [],
    changed: true,
    withoutReasoning: false,
    ours: true,
  }
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
  return { ...ourDraft(of === 'journal' ? 'user' : notesRole(fold), tier, '', ''), pieces }
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
    if (!chained) waiting.push(ourDraft(role, tier, traits[entry.kind].label, framing.notes + listed(text), [index]))
    else if (place.orphan)
      drafts.push(ourDraft('user', tier, 'TOOL', framing.orphan(entry.answers?.name) + quoted(text), [index]))
    else drafts.push(entryDraft({ entry, index, tier }, place, calls, clip?.text, index < part.reasoningFrom))
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
  return {
    role: 'tool',
    pieces: [{ label: 'TOOL', text: framing.interrupted, tier }],
    calls: [],
    answers: call,
    changed: true,
    withoutReasoning: false,
    ours: true,
  }
}

/** A message in Minutebook's own words. `of`: the message whose content it repeats. */
export function said(role: 'user' | 'assistant', label: string, text: string, of?: PromptMessage): PromptMessage {
  const { tier, entries } = of?.pieces[0] ?? {}
  return {
    role,
    pieces: [{ label, text, ...(tier && { tier }), ...(entries && { entries }) }],
    calls: [],
    changed: true,
    withoutReasoning: false,
    ours: true,
  }
}

export function joinAll(done: PromptMessage[], draft: PromptMessage): PromptMessage[] {
  return addedTo(done, draft, true)
}

/** Changes the list in place: it belongs to the reducer, and a prompt can have many messages. */
export function addedTo(done: PromptMessage[], draft: PromptMessage, joined: boolean): PromptMessage[] {
  const last = joined ? done.pop() : undefined
  done.push(last ? join(last, draft) : draft)
  return done
}

/**
 * Two messages as one, with the fields, images and calls of both. If a user's words follow other text, a line
 * marks their beginning.
 */
export function join(first: PromptMessage, second: PromptMessage): PromptMessage {
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

export function headed(heading: string, [first, ...others]: readonly Piece[]): Piece[] {
  return first ? [{ ...first, text: heading + first.text }, ...others] : []
}

function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function textOf({ pieces }: PromptMessage): string {
  return pieces.map(({ text }) => text).join('\n\n')
}
