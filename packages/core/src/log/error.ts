/**
 * The codes of the errors that the library throws. Stores, the server and other packages have more, so a code can be any
 * text: editors complete these.
 */
export type ErrorCode =
  | 'already_decided'
  | 'busy'
  | 'cannot_derive'
  | 'context_overflow'
  | 'corrupt_entry'
  | 'corrupt_line'
  | 'counter_broken'
  | 'duplicate_tool'
  | 'erased_before'
  | 'fenced'
  | 'id_taken'
  | 'invalid_context'
  | 'invalid_decision'
  | 'invalid_digester'
  | 'invalid_feedback'
  | 'invalid_lines'
  | 'invalid_messages'
  | 'invalid_options'
  | 'invalid_output'
  | 'invalid_metadata'
  | 'invalid_policy'
  | 'invalid_position'
  | 'invalid_seal_key'
  | 'invalid_state'
  | 'invalid_tool'
  | 'invalid_window'
  | 'malformed_message'
  | 'may_not_approve'
  | 'model_aborted'
  | 'model_cut'
  | 'model_error'
  | 'model_refused'
  | 'model_unreachable'
  | 'needs_decision'
  | 'needs_store'
  | 'no_current_thread'
  | 'no_model'
  | 'no_user'
  | 'not_a_branch'
  | 'not_an_entry'
  | 'not_editable'
  | 'not_loaded'
  | 'not_pinnable'
  | 'not_ratable'
  | 'not_revocable'
  | 'not_waiting'
  | 'notes_by_tool'
  | 'nothing_to_answer'
  | 'open_calls'
  | 'relay_over'
  | 'remote_image'
  | 'reserved_field'
  | 'stale_fold'
  | 'state_asynchronous'
  | 'state_failed'
  | 'store_newer'
  | 'store_older'
  | 'thread_exists'
  | 'thread_removed'
  | 'thread_too_large'
  | 'tools_not_allowed'
  | 'turn_restarted'
  | 'unknown_call'
  | 'unknown_digester'
  | 'unknown_entry'
  | 'unknown_thread'
  | 'unsupported_part'
  | 'waiting'
  | 'window_overflow'
  | (string & {})

const marker: symbol = Symbol.for('minutebook.error')

/**
 * Every error that the library throws. `code` is stable and meant for programs. `problem` says what is wrong and `fix`
 * what to do about it; `message` is both, for logs and stack traces. `details` has what a program may want to show.
 */
export class MinutebookError extends Error {
  override readonly name: string = 'MinutebookError'
  readonly code: ErrorCode
  readonly problem: string
  readonly fix: string
  readonly details: Readonly<Record<string, unknown>>

  /** Both texts are sentences. An empty `fix` is for what needs none, such as a turn that its user cancelled. */
  constructor(code: ErrorCode, problem: string, fix: string, details: Readonly<Record<string, unknown>> = {}) {
    super(fix === '' ? problem : `${problem} ${fix}`)
    this.code = code
    this.problem = problem
    this.fix = fix
    this.details = details
    Object.defineProperty(this, marker, { value: true })
  }

  /** True for errors of any copy of the library. `instanceof` recognizes only its own copy. */
  static isInstance(value: unknown): value is MinutebookError {
    return typeof value === 'object' && value !== null && marker in value
  }
}

/** Throws in the middle of an expression: `value ?? fail(error)`. */
export function fail(error: MinutebookError): never {
  throw error
}

/**
 * Which known name was meant? Returns the one closest to a name that is not known, if one is close: at most a third of
 * its letters differ, or one of the two begins with the other. Reads the first 1000 known names and names of up to 64
 * characters.
 *
 * @example
 * nearestName('sed', ['send', 'read']) // 'send'
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > longest) return undefined
  const wanted = name.toLowerCase()
  let best: { readonly candidate: string; readonly edits: number } | undefined
  let begins: string | undefined
  for (const candidate of known.slice(0, mostKnown)) {
    if (candidate.length > longest) continue
    const other = candidate.toLowerCase()
    if (beginsWith(wanted, other) || beginsWith(other, wanted)) begins ??= candidate
    const most = Math.min(Math.max(1, Math.floor(candidate.length / 3)), (best?.edits ?? Infinity) - 1)
    const edits = editDistance(wanted, other, most)
    if (edits <= most) best = { candidate, edits }
  }
  return best?.candidate ?? begins
}

/** The most characters of a name that is compared. */
const longest = 64
const mostKnown = 1000

/** True for `bobby` and `bob`: the shorter name has at least three letters, and the longer at most three more. */
function beginsWith(name: string, beginning: string): boolean {
  return beginning.length >= 3 && name.length <= beginning.length + 3 && name.startsWith(beginning)
}

/**
 * How many letters must be changed, added, removed or swapped with their neighbour to turn one text into the other.
 * Returns `Infinity` early if it is more than `most`.
 */
export function editDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return Infinity
  let beforeLast: readonly number[] = []
  let leastBefore = 0
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    let least = i
    for (let j = 1; j <= other.length; j++) {
      const change = last[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)
      const isSwap = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]
      const swap = isSwap ? beforeLast[j - 2]! + 1 : Infinity
      row.push(Math.min(last[j]! + 1, row[j - 1]! + 1, change, swap))
      least = Math.min(least, row[j]!)
    }
    // A swap continues from the row before the last, and adds one.
    if (Math.min(least, leastBefore + 1) > most) return Infinity
    beforeLast = last
    last = row
    leastBefore = least
  }
  return last[other.length]! <= most ? last[other.length]! : Infinity
}

/** The error if a thread would become too large. */
export function tooLargeError(size: number, more: number, limit: number): MinutebookError {
  return new MinutebookError(
    'thread_too_large',
    `This thread holds about ${size} characters (images count as they are sent), and with ${more} more it would be larger than ${limit}.`,
    'Go on in a new thread, send less, or have threadLimit raised.',
    { size, more, limit },
  )
}

/** The error if the loaded end of a log, or what a checkpoint kept of its beginning, is not enough to answer. */
export function notLoadedError(): MinutebookError {
  return new MinutebookError('not_loaded', 'Only the tail of this log is loaded.', 'Load the full log first.')
}

/** True if the error says so. Reading the whole log then helps. */
export function isNotLoaded(error: unknown): boolean {
  return MinutebookError.isInstance(error) && error.code === 'not_loaded'
}

/** True if a store cannot be reached or written to at the moment. Then try again later. */
export function isTransient(error: unknown): boolean {
  return MinutebookError.isInstance(error) && error.code.startsWith('store_') && !final.has(error.code)
}

/** Errors that waiting does not fix. */
const final: ReadonlySet<string> = new Set(['store_corrupt', 'store_closed'])
