import { assistant, call, ollamaAssistant, ollamaCall, ollamaResult, result } from '@minutebook/testing'
import type { Message } from 'minutebook'
import { textIn, type Seen, type WireName } from '../../gateway/support/wire.ts'

export const wires: readonly WireName[] = ['ollama', 'openai']

/** A call of a tool and its result, as a client of the protocol has them in its history. */
export function called(
  wire: WireName,
  name: string,
  given: Record<string, unknown>,
  found = 'done',
  id = 'c1',
): Message[] {
  return wire === 'openai'
    ? [assistant('', call(id, name, given)), result(id, found)]
    : [ollamaAssistant('', ollamaCall(name, given)), ollamaResult(name, found)]
}

/** The same of a tool that looks. */
export function looked(wire: WireName, found: string, id?: string): Message[] {
  return called(wire, 'look', {}, found, id)
}

/** What the caller of an official client reads of an answer. */
export function saidIn({ chunks }: Seen): string {
  return chunks.map(textIn).join('')
}
