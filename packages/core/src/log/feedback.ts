import type { Entry } from './entry.ts'
import { MinutebookError } from './error.ts'
import { parseJson } from './json.ts'
import type { NewRecord, SearchResult } from './store.ts'
import { recordNames } from './record-names.ts'

/**
 * What does a person think of a message? Up or down, a comment, tags. It is an entry that hangs off the message and is
 * in no prompt. Of one person, only the newest for a message counts, and an empty one takes it back.
 */
export interface Feedback {
  readonly rating?: Rating | undefined
  /** At most 4,096 characters. */
  readonly comment?: string | undefined
  /** At most 8, each of 1 to 32 letters, digits, ".", "_" and "-". Kept in small letters, in order, each once. */
  readonly tags?: readonly string[] | undefined
}

/** Whether a message was good. */
export type Rating = 'up' | 'down'

/** Feedback as it is recorded: who wrote it, and when. */
export interface KeptFeedback extends Feedback {
  readonly id: string
  /** The name of its writer; empty if that is not known. */
  readonly by: string
  readonly time?: string
  readonly tags: readonly string[]
}

const most = { comment: 4096, tags: 8, tag: 32, by: 128, shown: 50 }
const tagPattern = /^[\p{L}\p{N}][\p{L}\p{N}\p{M}._-]*$/u

/** Returns the feedback as it is kept. Throws `invalid_feedback`. */
export function checkFeedback({ rating, comment, tags = [] }: Feedback): Feedback & Pick<KeptFeedback, 'tags'> {
  if (rating !== undefined && rating !== 'up' && rating !== 'down')
    throw invalidFeedbackError('There is no such rating.', 'Pass "up" or "down".')
  if (comment !== undefined && !isPlainText(comment, most.comment))
    throw invalidFeedbackError(
      'The comment cannot be kept.',
      `Pass a text of at most ${most.comment} characters, without control characters other than line breaks and tabs.`,
    )
  return {
    ...(rating && { rating }),
    ...(comment?.trim() && { comment: comment.trim() }),
    tags: checkTags(tags),
  }
}

function checkTags(tags: readonly string[]): readonly string[] {
  if (!Array.isArray(tags) || tags.length > most.tags)
    throw invalidFeedbackError('These are too many tags.', `Pass at most ${most.tags}.`)
  return [...new Set(tags.map(checkTag))].toSorted()
}

/** A tag as it is kept. Throws `invalid_feedback` for what cannot be one. */
function checkTag(tag: unknown): string {
  const small = typeof tag === 'string' && tag.length <= most.tag ? tag.toLowerCase() : ''
  if (tagPattern.test(small) && small.length <= most.tag) return small
  throw invalidFeedbackError(
    `${JSON.stringify(String(tag).slice(0, 40))} cannot be a tag.`,
    `Pass 1 to ${most.tag} letters, digits, ".", "_" and "-", and begin with a letter or a digit.`,
  )
}

/** Throws `invalid_feedback` if this cannot be the name of a writer. */
export function checkWriter(by: string): string {
  if (isPlainText(by, most.by)) return by
  throw invalidFeedbackError(
    'The name of the writer cannot be kept.',
    `Pass a text of at most ${most.by} characters, without control characters.`,
  )
}

function isPlainText(text: unknown, longest: number): text is string {
  // oxlint-disable-next-line no-control-regex
  return typeof text === 'string' && text.length <= longest && !/[\0-\x08\x0b-\x1f\x7f]|\p{Cs}/u.test(text)
}

function invalidFeedbackError(problem: string, fix: string): MinutebookError {
  return new MinutebookError('invalid_feedback', problem, fix)
}

/** True if it says nothing. */
export function isEmptyFeedback({ rating, comment, tags = [] }: Feedback): boolean {
  return !rating && !comment && tags.length === 0
}

/** What the entry of some feedback says. `after`: an entry that it comes after, so that each correction is another entry. */
export function feedbackText(feedback: Feedback, by: string, after: string | null): string {
  return JSON.stringify({ ...feedback, by, after })
}

/** Reads the feedback of an entry. Undefined for any other entry, an erased one, and one that does not say it. */
export function feedbackOf({ id, kind, status, text, time }: Entry): KeptFeedback | undefined {
  if (kind !== 'feedback' || status === 'erased') return undefined
  const { by, ...said } = Object(parseJson(text)) as Feedback & { readonly by?: unknown }
  if (typeof by !== 'string') return undefined
  try {
    return { id, by: checkWriter(by), ...checkFeedback(said), ...(time !== undefined && { time }) }
  } catch {
    return undefined
  }
}

/**
 * The feedback that counts, by the entry that it is about: of each writer the newest, the oldest writer first. Pass a
 * log, or a branch of it.
 */
export function feedbackIn(log: readonly Entry[]): ReadonlyMap<string, readonly KeptFeedback[]> {
  const byEntry = new Map<string, Map<string, { readonly seq: number; readonly kept: KeptFeedback }>>()
  for (const entry of log) {
    const kept = feedbackOf(entry)
    if (!kept || entry.parent === null) continue
    const writers = byEntry.get(entry.parent) ?? new Map()
    byEntry.set(entry.parent, writers)
    if ((writers.get(kept.by)?.seq ?? -1) < entry.seq) writers.set(kept.by, { seq: entry.seq, kept })
  }
  const counted = [...byEntry].map(([entry, writers]) => {
    const all = [...writers.values()].toSorted((one, other) => one.seq - other.seq)
    return [
      entry,
      all
        .map(({ kept }) => kept)
        .filter((kept) => !isEmptyFeedback(kept))
        .slice(-most.shown),
    ] as const
  })
  return new Map(counted.filter(([, all]) => all.length > 0))
}

/** The words of an entry of feedback that a search finds. Empty for any other entry. */
export function searchedFeedback(entry: Entry): string {
  const { comment, tags = [] } = feedbackOf(entry) ?? {}
  return [...(comment ? [comment] : []), ...(tags.length > 0 ? [tags.map((tag) => `#${tag}`).join(' ')] : [])].join(
    '\n',
  )
}

/** An entry as a search returns it. */
export function searchResult(thread: string, entry: Entry, text: string): SearchResult {
  const { id, seq, parent } = entry
  const feedback = feedbackOf(entry)
  return { thread, id, seq, text, ...(feedback && { about: parent!, by: feedback.by }) }
}

/** What a list of messages with feedback can be narrowed to. */
export interface FeedbackQuery {
  readonly rating?: Rating | undefined
  readonly tag?: string | undefined
}

/**
 * The name of the records that list what fits a filter: a list costs by their number. Throws `invalid_feedback` for what
 * cannot be a tag.
 */
export function filterName({ rating, tag }: FeedbackQuery): string {
  return tag !== undefined ? `${recordNames.feedback}#${checkTag(tag)}` : `${recordNames.feedback}:${rating ?? 'any'}`
}

/** The key of all records of a writer's feedback for a message. */
export function feedbackKey(entry: string, by: string): string {
  return `${entry} ${by}`
}

/** What an entry of feedback says, and the key of its records. Undefined for any other entry. */
export function feedbackPlace(entry: Entry): { readonly key: string; readonly feedback: KeptFeedback } | undefined {
  const feedback = feedbackOf(entry)
  return feedback && entry.parent !== null ? { key: feedbackKey(entry.parent, feedback.by), feedback } : undefined
}

/** The entry of such a key. */
export function ratedEntry(key: string): string {
  return key.slice(0, key.indexOf(' '))
}

/** The records that list some feedback: each filter that it fits, and what the filters find. */
export function filterRecords(key: string, feedback: KeptFeedback | undefined): readonly NewRecord[] {
  if (!feedback) return []
  return filterNames(feedback).map((name) => ({ name, key, value: feedback.id }))
}

/** The names of these records. */
export function filterNames(feedback: KeptFeedback): readonly string[] {
  if (isEmptyFeedback(feedback)) return []
  const { rating, tags } = feedback
  const filters = [{}, ...(rating ? [{ rating }] : []), ...tags.map((tag) => ({ tag }))]
  return filters.map(filterName)
}

/** All records of the feedback in a log, for a thread that begins with it. */
export function feedbackRecords(log: readonly Entry[]): readonly NewRecord[] {
  return [...feedbackIn(log)].flatMap(([entry, all]) =>
    all.flatMap((feedback) => {
      const key = feedbackKey(entry, feedback.by)
      return [{ name: recordNames.feedback, key, value: feedback }, ...filterRecords(key, feedback)]
    }),
  )
}
