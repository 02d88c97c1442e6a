import type { ExitCode } from '../terminal/failure.ts'
import { safeJson } from '../terminal/failure.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { Conversation } from './conversation.ts'
import { createLineReader } from './line-reader.ts'
import { type ChatOutput, type MessageResult, say } from './say.ts'
import { isSlash, slash } from './slash.ts'

export interface TalkOptions {
  /** The only message to send. Empty: send what the person types. */
  readonly message: string
  readonly json: boolean
}

/** Sends each message that the person types. Returns 1 if an answer failed and the output is not a terminal. */
export async function talk(
  conversation: Conversation,
  terminal: Terminal,
  { message, json }: TalkOptions,
): Promise<ExitCode> {
  const isWatched = terminal.output.isTTY === true && !json
  const output: ChatOutput = {
    terminal,
    text: (text) => void (json || terminal.output.write(text)),
    note: (line) => (isWatched ? terminal.print(line) : json || terminal.remark(line)),
  }
  let answering: AbortController | undefined
  let isOver = false
  const answered = async (text: string): Promise<MessageResult> => {
    answering = new AbortController()
    const result = await say(conversation, text, answering.signal, output)
    answering = undefined
    if (json) terminal.print(safeJson(lineOf(conversation, result)))
    return result
  }
  const interrupt = (typed: boolean): void => {
    if (answering) return answering.abort()
    if (typed) return
    isOver = true
    reader?.close()
  }
  const fromOutside = (): void => interrupt(false)
  process.on('SIGINT', fromOutside)
  const reader = message === '' ? createLineReader(terminal, interrupt) : undefined
  let code: ExitCode = 0
  try {
    if (!reader) return (await answered(message)).outcome === 'answered' ? 0 : 1
    while (!isOver) {
      if (isWatched) terminal.print()
      const line = await reader.next(terminal.paint.bold(terminal.paint.cyan('> ')))
      if (line === undefined || line.trim() === '/quit') break
      if (line.trim() === '') continue
      if (isSlash(line)) for (const text of await slash(conversation, line, terminal)) terminal.print(text)
      else if ((await answered(line)).outcome === 'failed' && !isWatched) code = 1
    }
    if (isWatched) terminal.print()
    return code
  } finally {
    process.off('SIGINT', fromOutside)
    reader?.close()
  }
}

/** An answer as JSON. */
function lineOf({ thread, turn, model }: Conversation, { outcome, text, end, explanation }: MessageResult): object {
  const budget = explanation && {
    window: explanation.plan.window,
    tokens: explanation.plan.tokens,
    reserve: explanation.plan.reserve,
    shares: explanation.shares,
  }
  return {
    outcome,
    thread: thread ?? null,
    turn: turn ?? null,
    model,
    text,
    usage: end?.usage ?? null,
    budget: budget ?? null,
  }
}
