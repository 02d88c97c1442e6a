import type { Compiled } from './compile.ts'
import { readMessage, argumentsText, type Message } from './log/message.ts'

/**
 * The exact prompt as text for people: a labelled block for each message, split where a message holds
 * more than one thing. Characters that would hide or move text are written out.
 *
 * @example
 * console.log(dump(compile(messages, { window: 4096 })))
 */
export function dump<M extends Message>(compiled: Compiled<M>): string {
  return compiled.messages.map((message, index) => block(message, compiled.pieces[index] ?? [])).join('\n\n')
}

/** Labels of what we put in, shown with the role under which it is sent. */
const inserted: ReadonlySet<string> = new Set(['OUTLINE', 'MARKER', 'RECALL'])

function block(message: Message, pieces: readonly { readonly label: string; readonly text: string }[]): string {
  const { calls, images, reasoning, kind } = readMessage(message)
  const parts = pieces.length ? pieces : [{ label: kind.toUpperCase(), text: '' }]
  const extra = [
    ...(reasoning ? [`(reasoning) ${visible(reasoning)}`] : []),
    ...calls.map((call) => `→ ${visible(call.name)}(${visible(argumentsText(call))})`),
    ...(images.length ? [`(${images.length} ${images.length === 1 ? 'image' : 'images'})`] : []),
  ]
  return parts
    .map(({ label, text }, index) => [`--- ${label}${inserted.has(label) ? ` (${message.role})` : ''} ---`, visible(text), ...(index === parts.length - 1 ? extra : [])].filter(Boolean).join('\n'))
    .join('\n')
}

/** Control, format, bidirectional and escape characters and lone surrogates as `\u{…}`; a line that looks like one of ours, a label or a call, gets a backslash. */
export function visible(text: string): string {
  let shown = ''
  for (const character of text) shown += isHidden(character) ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}` : character
  return shown
    .split('\n')
    .map((line) => (/^(?:--- |→ |\(reasoning\) )/.test(line) ? `\\${line}` : line))
    .join('\n')
}

function isHidden(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  if (code === 0x0a || code === 0x09) return false
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true
  return code >= 0xad && /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}]/u.test(character)
}
