import { unusable } from './problem.ts'

export type Metadata = Readonly<Record<string, string>>

/** At most 16 pairs, of names of up to 64 letters and texts of up to 512. Null where none are given. */
export function metadataIn(value: unknown): Metadata | null {
  if (value === undefined || value === null) return null
  if (typeof value !== 'object' || Array.isArray(value))
    throw unusable('metadata', 'metadata is no object. Send names with texts.')
  const pairs = Object.entries(value)
  if (pairs.length > 16) throw unusable('metadata', 'metadata has more than 16 pairs. Send fewer.')
  for (const [name, text] of pairs) {
    if (typeof text !== 'string') throw unusable('metadata', 'A value in metadata is no text. Send texts only.')
    if (name.length > 64 || text.length > 512)
      throw unusable(
        'metadata',
        'A name in metadata is longer than 64 letters, or a text longer than 512. Send shorter ones.',
      )
  }
  return value as Metadata
}
