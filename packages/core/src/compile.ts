import { advance, createFold, refold, type Fold } from './fold/fold.ts'
import type { Entry } from './log/entry.ts'
import { MinutebookError } from './log/error.ts'
import type { Message } from './log/message.ts'
import { planOf, type Plan } from './plan/plan.ts'
import type { CompileOptions } from './policy/settings.ts'
import type { Piece } from './render/draft.ts'
import { render } from './render/render.ts'

/** A prompt, and why it is what it is. */
export interface Compiled<M extends Message = Message> {
  /** In the shape they came in; a message that is sent whole is the very object that was passed. */
  readonly messages: M[]
  readonly plan: Plan
  /** What the prompt costs by the counter: never less than the sum of its messages. */
  readonly tokens: number
  /** For each message, the stretches it is made of, for `dump`. */
  readonly pieces: readonly (readonly Piece[])[]
}

/** The warm path: the next prompt of a fold, under the fold's own options unless others are given. */
export function compile<M extends Message>(fold: Fold<M>, options?: Partial<CompileOptions>): Compiled<M>
/** Entries of a log instead of plain messages. */
export function compile<M extends Message>(entries: readonly Entry<M>[], options: CompileOptions): Compiled<M>
/**
 * Fits a conversation into a window. Pure: the same input gives the same bytes. Throws `window_overflow`
 * when what must be sent does not fit, and `no_user` when the profile needs a user message and there is none.
 *
 * @example
 * const { messages, plan } = compile(conversation, { window: 8192 })
 */
export function compile<M extends Message>(messages: readonly M[], options: CompileOptions): Compiled<M>
export function compile<M extends Message>(
  conversation: readonly (M | Entry<M>)[] | Fold<M>,
  options?: Partial<CompileOptions>,
): Compiled<M> {
  const fold = foldOf(conversation, options)
  if (fold.settings.window === Infinity) throw new MinutebookError('invalid_window', 'No window is given; pass { window } with the number of tokens your model takes.')
  if (fold.settings.prices.profile.needsUser && fold.firstUser < 0) {
    throw new MinutebookError('no_user', 'This model needs a user message and the conversation has none; add one before compiling.')
  }
  const plan = planOf(fold)
  return { ...render(fold, plan), plan, tokens: plan.tokens }
}

function foldOf<M extends Message>(conversation: readonly (M | Entry<M>)[] | Fold<M>, options?: Partial<CompileOptions>): Fold<M> {
  if (isMessages(conversation)) return conversation.reduce<Fold<M>>(advance<M>, createFold<M>(options as CompileOptions | undefined))
  if (conversation?.columns === undefined) throw new MinutebookError('invalid_messages', 'There is nothing to compile; pass an array of messages or a fold.')
  return options ? refold(conversation, { ...conversation.settings.options, ...options }) : conversation
}

function isMessages<M extends Message>(value: readonly (M | Entry<M>)[] | Fold<M>): value is readonly (M | Entry<M>)[] {
  return Array.isArray(value)
}
