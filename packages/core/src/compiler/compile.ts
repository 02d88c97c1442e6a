import { attachedCounts, attachmentName } from '../log/attachment.ts'
import type { Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { argumentsText, readMessage, type Message } from '../log/message.ts'
import { atOnce, type Steps } from '../log/time.ts'
import { advance, createFold, refold, type Fold } from './fold.ts'
import { quoted } from './framing.ts'
import { planning, type Plan } from './plan.ts'
import { render, type Piece } from './render.ts'
import type { RecallReader } from './recall.ts'
import type { CompileOptions } from './settings.ts'

/** What `compile` returns: the prompt, and the plan that says why it is what it is. */
export interface CompileResult<M extends Message = Message> {
  /** In the shape they were passed in. A message that is sent whole is the same object that was passed. */
  readonly messages: M[]
  readonly plan: Plan
  /** What the prompt costs by the counter. Never less than the sum of its messages. */
  readonly tokens: number
  /** For each message, the pieces of text it is made of. `dump` labels them. */
  readonly pieces: readonly (readonly Piece[])[]
}

/** Compiles the next prompt of a fold. Default: the fold's own options, under which nothing is counted again. */
export function compile<M extends Message>(fold: Fold<M>, options?: Partial<CompileOptions>): CompileResult<M>
/** The same for entries of a log instead of plain messages. */
export function compile<M extends Message>(entries: readonly Entry<M>[], options: CompileOptions): CompileResult<M>
/**
 * Fits a conversation into a context window. Pure: the same input returns the same bytes. Throws `window_overflow` if
 * the required messages do not fit, and `no_user` if the profile needs a user message and the conversation has none.
 *
 * @example
 * const { messages, plan } = compile(conversation, { window: 8192 })
 */
export function compile<M extends Message>(messages: readonly M[], options: CompileOptions): CompileResult<M>
export function compile<M extends Message>(
  conversation: readonly (M | Entry<M>)[] | Fold<M>,
  options?: Partial<CompileOptions>,
): CompileResult<M> {
  return atOnce(compiling(foldOf(conversation, options)))
}

/** The same in steps, for a fold whose recall may have to read what it dropped. */
export function* compiling<M extends Message>(fold: Fold<M>, read?: RecallReader): Steps<CompileResult<M>> {
  if (fold.settings.window === Infinity)
    throw new MinutebookError(
      'invalid_window',
      'No window is given.',
      'Pass { window } with the number of tokens your model takes.',
    )
  if (fold.settings.prices.profile.needsUser && fold.firstUser < 0) {
    throw new MinutebookError(
      'no_user',
      'This model needs a user message and the conversation has none.',
      'Add one before compiling.',
    )
  }
  const plan = yield* planning(fold, read)
  return { ...render(fold, plan), plan, tokens: plan.tokens }
}

function foldOf<M extends Message>(
  conversation: readonly (M | Entry<M>)[] | Fold<M>,
  options?: Partial<CompileOptions>,
): Fold<M> {
  if (isMessages(conversation))
    return conversation.reduce<Fold<M>>(advance<M>, createFold<M>(options as CompileOptions | undefined))
  if (conversation?.columns === undefined)
    throw new MinutebookError(
      'invalid_messages',
      'There is nothing to compile.',
      'Pass an array of messages or a fold.',
    )
  return options ? refold(conversation, { ...conversation.settings.options, ...options }) : conversation
}

function isMessages<M extends Message>(value: readonly (M | Entry<M>)[] | Fold<M>): value is readonly (M | Entry<M>)[] {
  return Array.isArray(value)
}

/**
 * Returns the exact prompt as text for people: one labelled block for each piece of each message. Characters that would
 * hide or move text are written as escapes.
 *
 * @example
 * console.log(dump(compile(messages, { window: 4096 })))
 */
export function dump<M extends Message>(compiled: CompileResult<M>): string {
  return compiled.messages.map((message, index) => block(message, compiled.pieces[index] ?? [])).join('\n\n')
}

/** Labels of text that Minutebook inserts. A dump shows them with the role under which they are sent. */
const inserted: ReadonlySet<string> = new Set(['OUTLINE', 'MARKER', 'RECALL', 'PINNED'])

function block(message: Message, pieces: readonly { readonly label: string; readonly text: string }[]): string {
  const { calls, images, attachments, reasoning, sealed, kind } = readMessage(message)
  const parts = pieces.length ? pieces : [{ label: kind.toUpperCase(), text: '' }]
  const extra = [
    ...(reasoning ? [`(reasoning) ${escaped(reasoning)}`] : []),
    ...(sealed > 0 && !reasoning ? ['(reasoning, sealed)'] : []),
    ...calls.map((call) => `→ ${escaped(call.name)}(${escaped(argumentsText(call))})`),
    ...(images.length ? [`(${attachedCounts({ images, attachments: [] })})`] : []),
    ...attachments.flatMap((each) => [attachmentName(each), ...(each.text ? [quoted(escaped(each.text))] : [])]),
  ]
  return parts
    .map(({ label, text }, index) =>
      [
        `--- ${label}${inserted.has(label) ? ` (${message.role})` : ''} ---`,
        escaped(text),
        ...(index === parts.length - 1 ? extra : []),
      ]
        .filter(Boolean)
        .join('\n'),
    )
    .join('\n')
}

/**
 * Writes control, format and bidirectional characters and lone surrogates as `\u{…}`. A line that looks like a label, a
 * call or an attachment of the dump gets a backslash in front.
 */
export function escaped(text: string): string {
  let shown = ''
  for (const character of text)
    shown += isHidden(character) ? `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}` : character
  return shown
    .split('\n')
    .map((line) => (/^(?:--- |→ |\(reasoning\) |\([\w, ./+-]{1,200}\)$)/.test(line) ? `\\${line}` : line))
    .join('\n')
}

function isHidden(character: string): boolean {
  const code = character.codePointAt(0) ?? 0
  if (code === 0x0a || code === 0x09) return false
  if (code < 0x20 || (code >= 0x7f && code < 0xa0)) return true
  return code >= 0xad && /[\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Co}]/u.test(character)
}
