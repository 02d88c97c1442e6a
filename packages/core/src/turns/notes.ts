import { gist, gistOfJson } from '../compiler/framing.ts'
import { readJson } from '../compiler/digest.ts'
import { attachedCounts } from '../log/attachment.ts'
import { sideEntry, type Entry, type EntryDraft } from '../log/entry.ts'
import { matchCall } from '../log/exchange.ts'
import { parseJson } from '../log/json.ts'
import { argumentsText, partText, readMessage, type Call, type Message } from '../log/message.ts'
import { capNote, createNoteParser, isNoteCall, noteToolName, type NoteForm } from '../log/note-parser.ts'
import { noCalls } from '../log/unanswered-calls.ts'
import type { Finish, ToolSchema } from '../models/model.ts'
import type { Tool } from './tool.ts'

/**
 * Asks the model to end each answer with a note. Put it into the system prompt.
 *
 * @example
 * const system = `${rules}\n\n${noteInstruction}`
 */
export const noteInstruction: string = `End each answer with one brief note to yourself, as the very last thing, in exactly this form:
[NOTE TO SELF: what you did, and what may matter next]
The note is taken out before the answer is shown: the user never sees it, and you will see it again in later turns. Keep it to a sentence or two. Close every bracket that you open in it. Put nothing secret into it, such as passwords or keys. Do not speak of the note in the answer.`

/** The schema of the note tool, for models that call a tool more reliably than they write a block. */
export const noteTool: ToolSchema = {
  type: 'function',
  function: {
    name: noteToolName,
    description:
      'Leaves a brief note to yourself for later turns: what you did, and what may matter next. The user never sees it. Put nothing secret into it. It has no result.',
    parameters: {
      type: 'object',
      properties: { text: { type: 'string', description: 'The note, a sentence or two.' } },
      required: ['text'],
    },
  },
}

/**
 * Answers calls of `note_to_self` that contain no note. Calls with a note never reach a tool: `takeNotes` removes them.
 */
export const emptyNoteTool: Tool = {
  name: noteToolName,
  parameters: noteTool.function.parameters,
  mayRepeat: true,
  run: () => {
    throw new Error('give the note as { "text": "…" }')
  },
}

/** An answer without its notes, and what is recorded of them. */
export interface TakenNotes {
  readonly message: Message
  /** The notes of `note_to_self` calls in their order, then the last block of the text. */
  readonly notes: readonly string[]
  /** The blocks before the last one. They are recorded with it, and are in no prompt. */
  readonly earlier: readonly string[]
}

/**
 * Removes the notes from a model's answer and returns them. A message without notes is returned unchanged. `form`:
 * default `lenient`.
 *
 * Contract: pass only what the model itself wrote. Text of users, tools or imports is never searched for notes: a
 * message with any other role than assistant is returned unchanged.
 *
 * @example
 * const { message, notes } = takeNotes({ role: 'assistant', content: 'Done.\n[NOTE TO SELF: lamp 3 is red]' })
 */
export function takeNotes(message: Message, form: NoteForm = 'lenient'): TakenNotes {
  return takenFrom(message, form, 'whole')
}

/** Takes the notes of an answer that was cut off, maybe inside a note: only those that are surely complete. */
function takeNotesOfCut(message: Message, form: NoteForm): TakenNotes {
  return takenFrom(message, form, 'cut')
}

/** `end`: the answer is whole, or was cut off there. */
function takenFrom(message: Message, form: NoteForm, end: 'whole' | 'cut'): TakenNotes {
  if (message.role.toLowerCase() !== 'assistant') return { message, notes: [], earlier: [] }
  const { calls, notes } = withoutNoteCalls(message.tool_calls)
  const { content, blocks } = withoutBlocks(message.content, form, end)
  if (calls === message.tool_calls && content === message.content) return { message, notes: [], earlier: [] }
  const { tool_calls: _, ...uncalled } = message
  const left = calls === undefined ? uncalled : { ...message, tool_calls: calls }
  return {
    message: 'content' in left ? { ...left, content } : left,
    notes: [...notes, ...blocks.slice(-1)],
    earlier: blocks.slice(0, -1),
  }
}

/** The entries of the notes of an answer. Only the last of its blocks counts; the others are in what it was recorded as. */
export function noteDrafts({ notes, earlier }: Pick<TakenNotes, 'notes' | 'earlier'>): EntryDraft[] {
  return notes.map((content, index) => {
    const draft = sideEntry('note', content)
    return earlier.length === 0 || index < notes.length - 1
      ? draft
      : { ...draft, message: { ...draft.message, earlier } }
  })
}

/** The entries of an answer and its notes. Its calls are the client's to run, so they stay as they came. */
export function proxiedAnswerDrafts(message: Message, finish: Finish, form: NoteForm | 'off'): EntryDraft[] {
  const taken = takenFromAnswer(message, finish, form)
  return [{ message: taken.message, facts: { status: statusAfter(finish) } }, ...noteDrafts(taken)]
}

/**
 * The entries of an answer whose calls run here, and of its notes. If the model only left a note by tool, there is no
 * answer entry: the model is called again.
 */
export function answerDrafts(message: Message, finish: Finish, form: NoteForm | 'off'): EntryDraft[] {
  const isCut = finish === 'length' || finish === 'filter'
  const taken = takenFromAnswer(message, finish, form)
  const answer = isCut ? withoutCalls(taken.message) : taken.message
  const { calls, text } = readMessage(answer)
  const onlyNotes = calls.length === 0 && text === '' && readMessage(message).calls.length > 0 && !isCut
  return [...(onlyNotes ? [] : [{ message: answer, facts: { status: statusAfter(finish) } }]), ...noteDrafts(taken)]
}

function takenFromAnswer(message: Message, finish: Finish, form: NoteForm | 'off'): TakenNotes {
  if (form === 'off') return { message, notes: [], earlier: [] }
  return finish === 'length' ? takeNotesOfCut(message, form) : takeNotes(message, form)
}

function statusAfter(finish: Finish): 'partial' | 'complete' {
  return finish === 'length' ? 'partial' : 'complete'
}

/** True if the draft is a final answer, without calls, which ends a turn. */
export function isFinal({ message, facts }: EntryDraft): boolean {
  const { kind, calls } = readMessage(message)
  return facts?.kind === undefined && kind === 'assistant' && calls.length === 0
}

/** The last call may be cut off, so none of them should run. */
function withoutCalls(message: Message): Message {
  const { tool_calls: _, ...rest } = message
  return rest
}

function withoutNoteCalls(calls: unknown): { calls: unknown; notes: string[] } {
  if (!Array.isArray(calls)) return { calls, notes: [] }
  const kept = calls.filter((call) => !leavesNote(call))
  if (kept.length === calls.length) return { calls, notes: [] }
  const notes = calls.filter(leavesNote).map((call) => capNote(textOf(calledBy(call))))
  return { calls: kept.length > 0 ? kept : undefined, notes }
}

/** The texts of a message are one answer: a note may end in another part than the one in which it began. */
function withoutBlocks(
  content: unknown,
  form: NoteForm,
  end: 'whole' | 'cut',
): { readonly content: unknown; readonly blocks: readonly string[] } {
  if (typeof content !== 'string' && !Array.isArray(content)) return { content, blocks: [] }
  const parts: readonly unknown[] = typeof content === 'string' ? [content] : content
  const texts = parts.map((part) => partText(part))
  const parser = createNoteParser(form)
  const shown = texts.map((text) => (text === undefined ? undefined : parser.push(text)))
  const last = texts.findLastIndex((text) => text !== undefined)
  if (last >= 0 && end === 'whole') shown[last] += parser.end()
  if (shown.join('') === texts.join('')) return { content, blocks: [] }
  if (typeof content === 'string') return { content: shown[0], blocks: parser.notes }
  const kept = parts.flatMap((part, index) => {
    const text = shown[index]
    if (text === undefined) return [part]
    return [typeof part === 'string' ? text : { ...(part as object), text }]
  })
  // Servers refuse empty parts, so these are removed if there are others.
  const said = kept.filter((_, index) => shown[index] !== '' || texts[index] === '')
  return { content: said.length > 0 ? said : kept.slice(0, 1), blocks: parser.notes }
}

interface Called {
  readonly name?: unknown
  readonly arguments?: unknown
  readonly input?: unknown
}

/** True if the call contains a note. A call without one stays a call, and gets an error as its result. */
function leavesNote(call: unknown): boolean {
  const called = calledBy(call)
  return isNoteCall(called) && textOf(called).trim() !== ''
}

function calledBy(call: unknown): Called {
  const { function: called, custom } = Object(call) as { function?: unknown; custom?: unknown }
  return Object(called ?? custom) as Called
}

/** The note of a call. Models pass it as { text }, as a bare string, or as broken JSON. */
function textOf({ arguments: given, input }: Called): string {
  const value = given ?? input
  const read = typeof value === 'string' ? (parseJson(value) ?? value) : value
  if (typeof read === 'string') return read
  const { text } = Object(read) as { text?: unknown }
  return typeof text === 'string' ? text : ''
}

/** The highest number of calls in a journal entry. The others are only counted. */
const mostLines = 8

/**
 * What did the tools of a turn do? One line for each call of the model: its name, its arguments in brief, and how it
 * ended. Returns undefined if no tool ran.
 *
 * A journal can be sent under the system role. So it contains no text that a tool returned, and no call from a client's
 * history.
 *
 * @example
 * journalOf(turn) // 'set_lamp with id: 3, color: "red" → 2 characters'
 */
export function journalOf(turn: readonly Entry[]): string | undefined {
  const calls = turn
    .flatMap((entry) => (entry.origin === 'model' ? entry.calls : []))
    .filter((call) => !isNoteCall(call))
  if (calls.length === 0) return undefined
  const results = resultsOf(turn)
  const lines = calls.slice(0, mostLines).map((call) => lineOf(call, results.get(call)))
  const more = calls.length - lines.length
  if (more > 0) lines.push(`… and ${more} more ${more === 1 ? 'call' : 'calls'}`)
  return lines.join('\n')
}

function resultsOf(turn: readonly Entry[]): ReadonlyMap<Call, Entry> {
  const results = new Map<Call, Entry>()
  let open = noCalls
  for (const entry of turn) {
    const place = matchCall(entry, open)
    open = place.open
    if (place.answers) results.set(place.answers, entry)
  }
  return results
}

function lineOf(call: Call, result: Entry | undefined): string {
  const told = argumentsGist(call)
  return `${gist(call.name, 40) || 'a tool'}${told && ` with ${told}`} → ${outcome(result)}`
}

function argumentsGist(call: Call): string {
  const { arguments: given } = call
  const value = typeof given === 'string' ? readJson(given) : given
  if (typeof value !== 'object' || value === null) return gist(argumentsText(call), 64)
  return Object.keys(value).length === 0 ? '' : gistOfJson(value, 64)
}

function outcome(result: Entry | undefined): string {
  if (!result || result.status === 'cancelled') return 'interrupted, no result'
  const { text, status } = result
  const counts = attachedCounts(result)
  const seen = counts && `, ${counts}`
  return `${status === 'failed' ? 'failed, ' : ''}${text.length} ${text.length === 1 ? 'character' : 'characters'}${seen}${status === 'partial' ? ', cut off' : ''}`
}
