import { setTimeout as pause } from 'node:timers/promises'
import { printable, printableLine, type Explanation } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import type { EndEvent } from 'minutebook/wire'
import { budgetLine } from '../call/budget.ts'
import { figure } from '../terminal/text.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { ask, type Asked } from './ask.ts'
import type { Conversation } from './conversation.ts'
import { messagesOf } from './conversation.ts'

/** What came of a message. */
export interface Said {
  readonly outcome: 'answered' | 'stopped' | 'failed'
  readonly text: string
  readonly end?: EndEvent
  readonly explanation?: Explanation | undefined
}

/** Where the answer and what is beside it go. */
export interface Showing {
  readonly text: (text: string) => void
  readonly beside: (line: string) => void
  readonly terminal: Terminal
}

/** Sends a message with all that was said before, as any client does, and shows the answer as it comes. */
export async function say(
  conversation: Conversation,
  text: string,
  signal: AbortSignal,
  showing: Showing,
): Promise<Said> {
  const { gateway, model, thread } = conversation
  const { paint } = showing.terminal
  const messages = [...conversation.messages, { role: 'user', content: text }]
  let shown = ''
  let thinks = false
  try {
    const asked = await ask(
      gateway,
      { model, messages, thread, signal },
      {
        began: (id) => void (conversation.thread = id ?? conversation.thread),
        reasoning: (piece) => {
          thinks = true
          showing.text(paint.dim(printable(piece)))
        },
        text: (piece) => {
          if (thinks) showing.text('\n\n')
          thinks = false
          shown += piece
          showing.text(printable(piece))
        },
      },
    )
    showing.text('\n')
    conversation.messages = [...messages, asked.end.message]
    conversation.turn = asked.turn
    return { outcome: 'answered', text: shown, end: asked.end, explanation: await budget(conversation, asked, showing) }
  } catch (error) {
    if (shown !== '' || thinks) showing.text('\n')
    showing.beside(signal.aborted ? paint.magenta('(stopped)') : paint.red(`✗ ${printable(textOf(error))}`))
    conversation.turn = undefined
    await catchUp(conversation)
    return { outcome: signal.aborted ? 'stopped' : 'failed', text: shown }
  }
}

/** What the window was used for, from the receipt of the answer. */
async function budget(
  { archive, thread }: Conversation,
  { turn, recorded, end }: Asked,
  { beside, terminal: { paint, columns } }: Showing,
): Promise<Explanation | undefined> {
  if (!recorded || thread === undefined) {
    beside(
      paint.dim(
        `not recorded · ${figure(end.usage?.prompt ?? 0)} tokens in, ${figure(end.usage?.completion ?? 0)} out`,
      ),
    )
    return undefined
  }
  try {
    const explanation = await archive.explain(thread, { turn })
    beside(budgetLine(explanation, columns(), paint))
    if (explanation.receipt.truncated === 'yes')
      beside(paint.red('✗ the upstream cut this prompt: the model did not see all of it'))
    return explanation
  } catch (error) {
    beside(paint.dim(`no budget: ${printableLine(textOf(error))}`))
    return undefined
  }
}

/** After an answer that broke off, the record knows better than we what was said. */
async function catchUp(conversation: Conversation): Promise<void> {
  if (conversation.thread === undefined) return
  await pause(200)
  const known = await messagesOf(conversation.archive, conversation.thread).catch(() => undefined)
  if (known) conversation.messages = known
}

function textOf(error: unknown): string {
  if (MinutebookError.isInstance(error)) return error.message
  const { cause, message } = Object(error) as {
    readonly cause?: { readonly code?: unknown }
    readonly message?: unknown
  }
  return typeof cause?.code === 'string' ? `The gateway does not answer (${cause.code}).` : String(message)
}
