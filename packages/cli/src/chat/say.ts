import { setTimeout as pause } from 'node:timers/promises'
import { printable, printableLine, type Explanation } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import type { EndEvent } from 'minutebook/wire'
import { budgetLine } from '../call/budget.ts'
import { figure } from '../terminal/text.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type Answer, ask } from './ask.ts'
import type { Conversation } from './conversation.ts'
import { recordOf } from './conversation.ts'

/** What happened to a message. */
export interface MessageResult {
  readonly outcome: 'answered' | 'stopped' | 'failed'
  readonly text: string
  readonly end?: EndEvent
  readonly explanation?: Explanation | undefined
}

/** Where the answer goes, and the notes next to it. */
export interface ChatOutput {
  readonly text: (text: string) => void
  readonly note: (line: string) => void
  readonly terminal: Terminal
}

/** Sends a message after all messages before it, as any client does, and prints the answer while it arrives. */
export async function say(
  conversation: Conversation,
  text: string,
  signal: AbortSignal,
  output: ChatOutput,
): Promise<MessageResult> {
  const { gateway, model, thread } = conversation
  const { paint } = output.terminal
  const messages = [...conversation.messages, { role: 'user', content: text }]
  let shown = ''
  let thinks = false
  let hasBegun = false
  try {
    const answer = await ask(
      gateway,
      { model, messages, thread, signal },
      {
        start: (id) => {
          hasBegun = true
          conversation.thread = id ?? conversation.thread
        },
        reasoning: (part) => {
          thinks = true
          output.text(paint.dim(printable(part)))
        },
        text: (part) => {
          if (thinks) output.text('\n\n')
          thinks = false
          shown += part
          output.text(printable(part))
        },
      },
    )
    output.text('\n')
    conversation.messages = [...messages, answer.end.message]
    conversation.turn = answer.turn
    return {
      outcome: 'answered',
      text: shown,
      end: answer.end,
      explanation: await budget(conversation, answer, output),
    }
  } catch (error) {
    if (shown !== '' || thinks) output.text('\n')
    output.note(signal.aborted ? paint.magenta('(stopped)') : paint.red(`✗ ${printable(textOf(error))}`))
    conversation.turn = undefined
    await catchUp(conversation, hasBegun || signal.aborted)
    return { outcome: signal.aborted ? 'stopped' : 'failed', text: shown }
  }
}

/** Prints how the window was used, from the receipt of the answer. */
async function budget(
  { archive, thread }: Conversation,
  { turn, recorded, end }: Answer,
  { note, terminal: { paint, columns } }: ChatOutput,
): Promise<Explanation | undefined> {
  if (!recorded || thread === undefined) {
    note(
      paint.dim(
        `not recorded · ${figure(end.usage?.prompt ?? 0)} tokens in, ${figure(end.usage?.completion ?? 0)} out`,
      ),
    )
    return undefined
  }
  try {
    const explanation = await archive.explain(thread, { turn })
    note(budgetLine(explanation, columns(), paint))
    if (explanation.receipt.truncated === 'yes')
      note(paint.red('✗ the upstream truncated this prompt: the model did not see all of it'))
    return explanation
  } catch (error) {
    note(paint.dim(`no budget: ${printableLine(textOf(error))}`))
    return undefined
  }
}

/**
 * Reads the messages from the record after an answer that broke off: it knows which were kept. `isLate`: the gateway may
 * record the end of the answer only when it has seen that the client left.
 */
async function catchUp(conversation: Conversation, isLate: boolean): Promise<void> {
  const { archive, thread, messages } = conversation
  if (thread === undefined) return
  for (let waited = 0; ; waited += step) {
    const known = await recordOf(archive, thread).catch(() => undefined)
    if (known) conversation.messages = known.messages
    const isThere = known?.isAnswered && known.messages.length > messages.length
    if (!isLate || isThere || waited >= longest) return
    await pause(step)
  }
}

/** Milliseconds between two looks at the record, and for all of them. */
const step = 100
const longest = 3000

function textOf(error: unknown): string {
  if (MinutebookError.isInstance(error)) return error.message
  const { cause, message } = Object(error) as {
    readonly cause?: { readonly code?: unknown }
    readonly message?: unknown
  }
  return typeof cause?.code === 'string' ? `The gateway does not answer (${cause.code}).` : String(message)
}
