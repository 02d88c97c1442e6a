import type { Attachment } from './attachment.ts'
import { asEntries, sentIdOf, type Entry } from './entry.ts'
import { matchCall } from './exchange.ts'
import { parseJson } from './json.ts'
import { traits } from './kind.ts'
import { outputOf, parsedCall, withoutReasoning, type Message, type ParsedCall } from './message.ts'
import type { BranchLink } from './log.ts'
import { isNoteCall, splitNotes } from './note-parser.ts'
import { feedbackIn, searchedFeedback, type KeptFeedback } from './feedback.ts'
import { pinnedIn } from './pins.ts'
import { noCalls, type UnansweredCalls } from './unanswered-calls.ts'

/** An entry as people see it: without the original message, without reasoning, without notes. */
export type VisibleEntry = Pick<
  Entry,
  'id' | 'parent' | 'seq' | 'kind' | 'origin' | 'status' | 'text' | 'images' | 'answers' | 'speaker' | 'time'
> & {
  readonly calls: readonly ParsedCall[]
  /** Documents, search results, files. Not set without any. */
  readonly attachments?: readonly Attachment[]
  /** Of a tool result: its value if the text is JSON, else the text. */
  readonly output?: unknown
  /** True if it is pinned: every prompt has it. Not set on others. */
  readonly pinned?: true
  /** What people think of it: of each the newest, of at most 50. Not set without any. */
  readonly feedback?: readonly KeptFeedback[]
  /** The id that its sender passed to `send`, so that a page can find the message that it showed at once. */
  readonly sentId?: string
  /**
   * All entries that branches have in this place, with this one: edited messages, other answers. Only if there are
   * several, and if you asked for them.
   */
  readonly siblings?: readonly BranchLink[]
}

/**
 * What do people see of a log? This is the only way to it. It leaves out notes, journal entries and everything that is
 * only recorded, and also calls that leave a note, with their results. Pass whole turns: if the call of a result is
 * missing, the result counts as a note's only if it names the tool itself. Also takes plain messages, as `compile` does.
 *
 * @example
 * visible(history(log)).map(({ kind, text }) => `${kind}: ${text}`)
 */
export function visible(conversation: readonly (Message | Entry)[]): VisibleEntry[] {
  const open = new Map<string | null, UnansweredCalls>()
  const entries = asEntries(conversation)
  const said = { pinned: pinnedIn(entries), feedback: feedbackIn(entries) }
  return entries.flatMap((entry) => {
    const place = matchCall(entry, open.get(entry.parent) ?? noCalls)
    if (place.open.length > 0) open.set(entry.id, place.open)
    const tool = place.answers?.name ?? entry.answers?.name
    return entry.kind === 'tool' && isNoteCall({ name: tool }) ? [] : project(entry, said)
  })
}

/**
 * The messages of a conversation for a client that keeps its own history: those of people, models and tools, without
 * reasoning and notes. System messages are left out.
 */
export function visibleMessages(entries: readonly Entry[]): Message[] {
  const shown = new Map(visible(entries).map((entry) => [entry.id, entry]))
  return entries.flatMap((entry) => {
    const seen = shown.get(entry.id)
    if (!seen || !traits[entry.kind].chained || traits[entry.kind].pinned) return []
    return [
      seen.text === entry.text && seen.calls.length === entry.calls.length
        ? withoutReasoning(entry.raw)
        : retold(entry, seen),
    ]
  })
}

/** The message with what people see of it: a note or a call that leaves one is removed, or all of it was erased. */
function retold({ raw, answers, calls: made }: Entry, { text, calls }: VisibleEntry): Message {
  // An entry has its calls in the order of the message.
  const { tool_calls: called = [] } = raw as { readonly tool_calls?: readonly unknown[] }
  const kept = called.filter((_, index) => !isNoteCall(made[index]))
  return {
    ...withoutReasoning(raw),
    content: text,
    ...(calls.length > 0 && { tool_calls: kept }),
    ...(answers?.id !== undefined && { tool_call_id: answers.id }),
  } as Message
}

/** What hangs off entries and is shown with them. */
interface SaidOf {
  readonly pinned: ReturnType<typeof pinnedIn>
  readonly feedback: ReturnType<typeof feedbackIn>
}

function project(entry: Entry, said: SaidOf): VisibleEntry[] {
  const { id, parent, seq, kind, origin, status, answers, speaker, time } = entry
  const sentId = sentIdOf(entry)
  if (!traits[kind].visible) return []
  const shown = shownOf(entry)
  if (!shown) return []
  return [
    {
      id,
      parent,
      seq,
      kind,
      origin,
      status,
      ...shown,
      calls: shown.calls.map(parsedCall),
      ...(kind === 'tool' && { output: outputOf(shown.text) }),
      ...(answers && { answers }),
      ...(speaker !== undefined && { speaker }),
      ...(time !== undefined && { time }),
      ...(sentId !== undefined && { sentId }),
      ...saidOf(said, id),
    },
  ]
}

function saidOf({ pinned, feedback }: SaidOf, id: string): Pick<VisibleEntry, 'pinned' | 'feedback'> {
  const all = feedback.get(id)
  return { ...(pinned.has(id) && { pinned: true as const }), ...(all && { feedback: all }) }
}

/** Undefined if everything that an entry said was a note. */
function shownOf({
  kind,
  origin,
  status,
  text,
  calls,
  images,
  attachments,
}: Entry): Pick<VisibleEntry, 'text' | 'calls' | 'images' | 'attachments'> | undefined {
  if (status === 'erased') return { text: '', calls: [], images: [] }
  if (kind === 'stop') return { text: reasonOf(text), calls, images }
  const attached = { images, ...(attachments.length > 0 && { attachments }) }
  if (kind !== 'assistant') return { text, calls, ...attached }
  // Only the exact form: of a thread without notes, people see what was streamed to them.
  const said = origin === 'model' ? splitNotes(text, 'exact').text : text
  const called = calls.filter((call) => !isNoteCall(call))
  const empty = said === '' && called.length === 0 && images.length === 0 && attachments.length === 0
  const hides = said.length < text.length || called.length < calls.length
  return empty && hides ? undefined : { text: said, calls: called, ...attached }
}

/** The text of a stop is JSON. Only its reason is for people. */
function reasonOf(text: string): string {
  const { reason } = Object(parseJson(text)) as { reason?: unknown }
  return typeof reason === 'string' ? reason : ''
}

/** The text of an entry that can be searched: what people see of it, up to the first million characters. */
export function searchText(entry: Entry): string {
  if (entry.kind === 'feedback') return searchedFeedback(entry)
  const isNote = entry.kind === 'tool' && isNoteCall(entry.answers)
  const shown = isNote || !traits[entry.kind].visible ? undefined : shownOf(entry)
  return shown?.text.slice(0, mostSearched) ?? ''
}

/** A longer text would block the store while its words are indexed. */
const mostSearched = 1 << 20

/**
 * The words of a text as every store compares them: lower case, without accents. In scripts written without spaces each
 * character is a word. Words longer than 64 characters become several.
 *
 * @example
 * searchWords('Crème brûlée, 2×') // ['creme', 'brulee', '2']
 */
export function searchWords(text: string): string[] {
  if (isAscii(text)) return text.toLowerCase().match(asciiWords) ?? []
  return text.normalize('NFKD').toLowerCase().replace(accents, '').match(anyWords) ?? []
}

/**
 * The most characters that a search returns in all its texts together. Without a limit, many large texts would fill the
 * memory.
 */
export const mostFound: number = 4 << 20

/**
 * What a query looks for: each of its words becomes a phrase, a list of words that must follow each other in a text.
 */
export function searchPhrases(query: string): string[][] {
  return query
    .split(/\s/)
    .map(searchWords)
    .filter((phrase) => phrase.length > 0)
}

/** True if a text has every phrase: its words one after the other, each whole. */
export function holdsPhrases(text: string, phrases: readonly (readonly string[])[]): boolean {
  // A space at both ends of each word, so that no word is found inside another.
  const words = ` ${searchWords(text).join(' ')} `
  return phrases.every((phrase) => words.includes(` ${phrase.join(' ')} `))
}

const asciiWords = /[a-z0-9]{1,64}/g
const accents = /[\u0300-\u036f]/g
/** Thai and Lao, Myanmar, Khmer, ideographs and kana, compatibility and supplementary ideographs. */
const unspaced = '\\u0e00-\\u0eff\\u1000-\\u109f\\u1780-\\u17ff\\u3005-\\u9fff\\uf900-\\ufaff\\u{20000}-\\u{3ffff}'
const anyWords = new RegExp(`[${unspaced}]|(?:(?![${unspaced}])[\\p{L}\\p{N}\\p{M}]){1,64}`, 'gu')

function isAscii(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) > 0x7f) return false
  return true
}
