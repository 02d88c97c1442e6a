import type { Entry } from '../log/entry.ts'
import { matchCall, type CallMatch } from '../log/exchange.ts'
import { traits } from '../log/kind.ts'
import type { Call, Message } from '../log/message.ts'
import { at } from './column.ts'
import type { Fold } from './fold.ts'
import { framing, listed, quoted, recalledLines } from './framing.ts'
import { earlierMarker } from './layout.ts'
import type { EntriesPart, NotesPart, Part, Tier } from './parts.ts'
import type { NotesRole } from './policy.ts'

/** A message that is being made: what it says, piece by piece, and the message it comes from where there is one. */
export interface PromptMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly pieces: readonly Piece[]
  readonly calls: readonly DraftCall[]
  /** On a tool result: the call that it answers. */
  readonly answers?: DraftCall
  readonly raw?: Message
  /** Whether it says something else than `raw` does. */
  readonly changed: boolean
  /** Whether it goes without its reasoning. */
  readonly withoutReasoning: boolean
  /** Not an entry but a message of ours. Of messages that were joined: what it ends with. */
  readonly ours: boolean
}

/** A stretch of text with the label it has in a dump, and where the plan has it from. */
export interface Piece {
  readonly label: string
  readonly text: string
  readonly tier?: Tier
  /** The entries that it quotes or is, by their place in the plan; none where it stands for many. */
  readonly entries?: readonly number[]
}

/** A call with the object it came as, and the id it goes by in the prompt. */
export interface DraftCall {
  readonly call: Call
  readonly raw: unknown
  readonly id: string | undefined
}

/** Writes the parts down as messages of a template that allows everything. */
export function draftsOf(fold: Fold, parts: readonly Part[]): PromptMessage[] {
  const { entries } = fold.columns
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
            `${framing.recall}${part.entries.map(({ index }) => recalledLines(at(entries, index))).join('\n')}\n${framing.recallEnd}`,
            part.entries.map(({ index }) => index),
          ),
        ]
      case 'notes':
        return [notesDraft(fold, part)]
    }
  })
}

/** A message of ours. What quotes users, tools or imports has no role above theirs. */
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

/** A piece for each note, the heading in the first. */
function notesDraft(fold: Fold, { tier, entries, clips }: NotesPart): PromptMessage {
  const pieces = entries.map(({ index }, place) => {
    const { kind, text } = at(fold.columns.entries, index)
    const clip = clips.find((candidate) => candidate.index === index)
    return {
      label: traits[kind].label,
      text: (place === 0 ? framing.notes : '') + listed(clip?.text ?? text),
      tier,
      entries: [index],
    }
  })
  return { ...ourDraft(notesRole(fold), tier, '', ''), pieces }
}

/** Entry by entry. Notes wait for the end of their step: nothing may stand between calls and their results. */
function entryDrafts(fold: Fold, part: EntriesPart): PromptMessage[] {
  const drafts: PromptMessage[] = []
  const marker = earlierMarker(fold, fold.settings)
  const role = notesRole(fold)
  let open: readonly Call[] = []
  let calls: readonly DraftCall[] = []
  let waiting: PromptMessage[] = []
  const endStep = (): void => {
    for (const call of open)
      drafts.push(
        interrupted(
          part.tier,
          calls.find((candidate) => candidate.call === call)!,
        ),
      )
    for (const draft of waiting) drafts.push(draft)
    waiting = []
  }
  for (let index = part.from; index < part.to; index++) {
    const entry = at(fold.columns.entries, index)
    const place = matchCall(entry, open)
    if (place.startsStep) {
      endStep()
      calls = draftCalls(entry)
    }
    open = place.open
    const { pinned, chained } = traits[entry.kind]
    if (index === marker || (pinned && !part.systems) || (!chained && !part.notes)) continue
    const clip = part.clips.find((candidate) => candidate.index === index)
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
  calls: readonly DraftCall[],
  clipped: string | undefined,
  withoutReasoning: boolean,
): PromptMessage {
  const { role, label } = traits[entry.kind]
  const answers = place.answers && calls.find(({ call }) => call === place.answers)
  return {
    role,
    pieces: [{ label, text: clipped ?? entry.text, tier, entries: [index] }],
    calls: entry.calls.length > 0 ? calls : [],
    raw: entry.raw,
    changed: clipped !== undefined,
    withoutReasoning: withoutReasoning && entry.reasoning !== '',
    ours: false,
    ...(answers && { answers }),
  }
}

/** An entry of a part, with its place in the plan. */
interface Placed {
  readonly entry: Entry
  readonly index: number
  readonly tier: Tier
}

function draftCalls(entry: Entry): DraftCall[] {
  const raw = Array.isArray(entry.raw.tool_calls) ? (entry.raw.tool_calls as unknown[]) : []
  return entry.calls.map((call, index) => ({ call, raw: raw[index], id: call.id }))
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
