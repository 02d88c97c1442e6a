import { digestStep, type Digest, type Digesting } from '../digest/digest.ts'
import { gist } from '../digest/gist.ts'
import { traits } from '../log/kind.ts'
import { at, between, knownAt } from './column.ts'
import type { View } from './columns.ts'

/** The first words of an entry; none of a note. */
export function openingOf({ columns: { entries, remains } }: View, index: number): string {
  const known = knownAt(remains.openings, index)
  if (known !== undefined) return known
  const { kind, text } = at(entries, index)
  return traits[kind].chained ? gist(text, 40) : ''
}

/** The digest of the step between two indexes. */
export function stepDigest({ columns: { entries, remains } }: View, from: number, to: number, digesting: Digesting): Digest {
  return knownAt(remains.steps, from) ?? digestStep(between(entries, from, to), digesting)
}
