import type { Buffer } from 'node:buffer'
import { overflowIn, type ContextOverflow } from 'minutebook/wire'
import { fieldsFrom } from '../fields.ts'
import { dataIn } from './frame.ts'
import type { Framing } from './tap.ts'

/** Bytes of a refusal that are kept from the client at first. */
export const longestRefusal: number = 64 << 10

/** What a refusal says about the length of the prompt, whatever it came in. */
export function overflowSaid(bytes: Buffer, framing: Framing | 'refused' | undefined): ContextOverflow | undefined {
  const text = bytes.toString('utf8', 0, longestRefusal)
  for (const said of framing === 'events' ? dataIn(text) : framing === 'lines' ? text.split('\n') : [text]) {
    const told = overflowIn(fieldsFrom(said) ?? said)
    if (told) return told
  }
  return undefined
}

/** Bytes of all pieces together. */
export function sizeOf(pieces: readonly Buffer[]): number {
  return pieces.reduce((sum, { length }) => sum + length, 0)
}
