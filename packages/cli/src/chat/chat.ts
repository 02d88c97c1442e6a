import type { ExitCode } from '../terminal/failure.ts'
import { safeJson } from '../terminal/failure.ts'
import type { Terminal } from '../terminal/terminal.ts'
import type { Conversation } from './conversation.ts'
import { createLineReader } from './line-reader.ts'
import { say, type Said, type Showing } from './say.ts'
import { isSlash, slash } from './slash.ts'

export interface TalkOptions {
  /** To be said, and nothing else; empty: what is typed. */
  readonly message: string
  readonly json: boolean
}

/** Says what is typed, until there is no more. Fails where an answer did, and nobody was there to see it. */
export async function talk(
  conversation: Conversation,
  terminal: Terminal,
  { message, json }: TalkOptions,
): Promise<ExitCode> {
  const isWatched = terminal.output.isTTY === true && !json
  const showing: Showing = {
    terminal,
    text: (text) => void (json || terminal.output.write(text)),
    beside: (line) => (isWatched ? terminal.print(line) : json || terminal.remark(line)),
  }
  let answering: AbortController | undefined
  let isOver = false
  const answered = async (text: string): Promise<Said> => {
    answering = new AbortController()
    const said = await say(conversation, text, answering.signal, showing)
    answering = undefined
    if (json) terminal.print(safeJson(lineOf(conversation, said)))
    return said
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

/** An answer, for programs. */
function lineOf({ thread, turn, model }: Conversation, { outcome, text, end, explanation }: Said): object {
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
