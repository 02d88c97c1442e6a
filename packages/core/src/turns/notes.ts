import { gist, gistOfJson } from '../compiler/framing.ts'
import { readJson } from '../compiler/digest.ts'
import { attachedCounts } from '../log/attachment.ts'
import { sideEntry, type Entry, type EntryDraft } from '../log/entry.ts'
import { matchCall } from '../log/exchange.ts'
import { parseJson } from '../log/json.ts'
import { argumentsText, partText, readMessage, type Call, type Message } from '../log/message.ts'
import { capNote, createNoteParser, isNoteCall, noteToolName, splitNote, type NoteForm } from '../log/note-parser.ts'
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

/**
 * Removes the notes from a model's answer and returns them: first those of `note_to_self` calls in their order, then
 * the note at the end of the text. A message without notes is returned unchanged. `form`: default `lenient`.
 *
 * Contract: pass only what the model itself wrote. Text of users, tools or imports is never searched for notes: a
 * message with any other role than assistant is returned unchanged.
 *
 * @example
 * const { message, notes } = takeNotes({ role: 'assistant', content: 'Done.\n[NOTE TO SELF: lamp 3 is red]' })
 */
export function takeNotes(
  message: Message,
  form: NoteForm = 'lenient',
): { readonly message: Message; readonly notes: string[] } {
  if (message.role.toLowerCase() !== 'assistant') return { message, notes: [] }
  const { calls, notes } = withoutNoteCalls(message.tool_calls)
  const { content, note } = withoutNote(message.content, form)
  if (calls === message.tool_calls && content === message.content) return { message, notes: [] }
  const { tool_calls: _, ...uncalled } = message
  const left = calls === undefined ? uncalled : { ...message, tool_calls: calls }
  return {
    message: 'content' in left ? { ...left, content } : left,
    notes: note === undefined ? notes : [...notes, note],
  }
}

/**
 * The entries of an answer and its notes. If the model only left a note by tool, there is no answer entry: the model is
 * called again.
 */
export function answerDrafts(message: Message, finish: Finish, form: NoteForm | 'off'): EntryDraft[] {
  const { message: rest, notes } = form === 'off' ? { message, notes: [] } : takeNotes(message, form)
  const isCut = finish === 'length' || finish === 'filter'
  const answer = isCut ? withoutCalls(rest) : rest
  const { calls, text } = readMessage(answer)
  const onlyNotes = calls.length === 0 && text === '' && readMessage(message).calls.length > 0 && !isCut
  const noteDrafts = notes.map((content) => sideEntry('note', content))
  return [
    ...(onlyNotes
      ? []
      : [{ message: answer, facts: { status: finish === 'length' ? 'partial' : 'complete' } } as const]),
    ...noteDrafts,
  ]
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

/** The cut may be inside a note: removes it. */
export function withoutCutNote(message: Message): { readonly message: Message; readonly notes: readonly string[] } {
  return { message: { ...message, content: createNoteParser().push(readMessage(message).text) }, notes: [] }
}

function withoutNoteCalls(calls: unknown): { calls: unknown; notes: string[] } {
  if (!Array.isArray(calls)) return { calls, notes: [] }
  const kept = calls.filter((call) => !leavesNote(call))
  if (kept.length === calls.length) return { calls, notes: [] }
  const notes = calls.filter(leavesNote).map((call) => capNote(textOf(calledBy(call))))
  return { calls: kept.length > 0 ? kept : undefined, notes }
}

function withoutNote(content: unknown, form: NoteForm): { content: unknown; note: string | undefined } {
  if (typeof content === 'string') {
    const { text, note } = splitNote(content, form)
    return { content: text, note }
  }
  if (!Array.isArray(content)) return { content, note: undefined }
  const last = content.findLastIndex((part) => partText(part) !== undefined)
  const part: unknown = content[last]
  const said = partText(part) ?? ''
  const { text, note } = splitNote(said, form)
  if (text === said) return { content, note }
  // Servers refuse empty parts, so the part is removed if there are others.
  if (text === '' && content.length > 1) return { content: content.toSpliced(last, 1), note }
  return { content: content.with(last, typeof part === 'string' ? text : { ...(part as object), text }), note }
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
  let open: readonly Call[] = []
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
