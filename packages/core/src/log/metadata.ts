import { MinutebookError } from './error.ts'

/**
 * What does a program say of a thread in a few texts? Its owner, its title, its project. Each pair is a record of the
 * thread, so it is in no prompt, and a list of threads finds it by an index. The limits are those of other APIs: 16
 * pairs, keys of at most 64 characters, values of at most 512.
 */
export type Metadata = Readonly<Record<string, string>>

/** Metadata to be changed: null removes a pair, and other pairs stay. */
export type MetadataChanges = Readonly<Record<string, string | null>>

const most = { pairs: 16, key: 64, value: 512 }

/** Throws `invalid_metadata` if this is not metadata. */
export function checkMetadata(metadata: unknown): Metadata {
  if (typeof metadata !== 'object' || metadata === null || Array.isArray(metadata))
    throw invalidMetadataError('Metadata is not an object.', 'Pass an object of keys and texts.')
  const pairs = Object.entries(metadata)
  if (pairs.length > most.pairs)
    throw invalidMetadataError(
      `A thread cannot have ${pairs.length} pairs of metadata.`,
      `Keep at most ${most.pairs}: set the others to null.`,
    )
  for (const [key, value] of pairs) checkPair(key, value)
  return metadata as Metadata
}

/** The limits keep a pair small enough for the index of every store. */
export function checkPair(key: string, value: unknown): void {
  if (key === '' || !isPlainText(key, most.key))
    throw invalidMetadataError(
      `${JSON.stringify(key.slice(0, 80))} cannot be a key of metadata.`,
      `Pass a key of 1 to ${most.key} characters, without control characters.`,
    )
  if (typeof value !== 'string' || !isPlainText(value, most.value))
    throw invalidMetadataError(
      `The value of ${JSON.stringify(key)} cannot be kept as metadata.`,
      `Pass a text of at most ${most.value} characters, without control characters other than line breaks and tabs.`,
    )
}

/** A text that JSON writes with at most two bytes for an ASCII character. */
function isPlainText(text: string, longest: number): boolean {
  if (text.length > longest) return false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code < 0x20 && !shortEscapes.has(code)) return false
  }
  return (text as WellFormedText).isWellFormed()
}

/** Every runtime that Minutebook runs in has this. */
type WellFormedText = string & { isWellFormed(): boolean }

/** The control characters for which JSON has an escape of two characters: \b \t \n \f \r. */
const shortEscapes: ReadonlySet<number> = new Set([8, 9, 10, 12, 13])

function invalidMetadataError(problem: string, fix: string): MinutebookError {
  return new MinutebookError('invalid_metadata', problem, fix)
}

/** Pairs as metadata, with its keys in order. */
export function metadataFrom(pairs: readonly (readonly [key: string, value: string])[]): Metadata {
  return Object.fromEntries(pairs.toSorted(([one], [other]) => (one < other ? -1 : 1)))
}
