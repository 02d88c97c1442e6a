import { systemDraft, type EntryDraft } from '../log/entry.ts'
import { matchCall } from '../log/exchange.ts'
import { traits } from '../log/kind.ts'
import { readMessage, type Call, type Message } from '../log/message.ts'
import { askTurn, type RunOptions } from './ask-turn.ts'
import { asImported, checkSent, openCallsError } from './place-messages.ts'
import { appendOrThrowFenced } from './stop-turn.ts'
import type { ThreadHandle } from './turn-run.ts'
import type { Turn, TurnResult } from './turn.ts'

/** How `book.answer` reads a history and runs its turn. */
export interface AnswerOptions extends RunOptions {
  /** The id of the conversation. Tools get it as `context.thread`. Default: `conversation`. */
  readonly conversation?: string | undefined
  /**
   * What the caller vouches for. `results`: states count the results of tools that are in the history. `everything`:
   * also, its system messages stay system messages. Default: `nothing`. Then states count only the results of this
   * turn, and system messages are a user's words: a client can write anything into a history.
   */
  readonly trust?: 'nothing' | 'results' | 'everything' | undefined
}

/** How an answer ended, and what is new in the conversation. */
export interface AnswerResult extends TurnResult {
  /**
   * The new messages, in the form of the model: calls, results and the answer. The client adds them to its history and
   * sends all of it with the next request. Of a turn that failed, as far as it came.
   */
  readonly messages: readonly Message[]
}

/** The turn that answers a history. It is not recorded anywhere. */
export interface AnswerTurn extends Turn {
  /** How the turn ended, with the new messages. Never rejects. */
  readonly done: Promise<AnswerResult>
}

/**
 * How is a history answered that comes whole with a request? It becomes the log of a thread that only this turn uses.
 * Throws at once if the history is malformed, or does not end with something to answer.
 */
export function answerHistory(
  handle: ThreadHandle,
  messages: readonly Message[],
  { trust = 'nothing', signal, tools }: AnswerOptions,
): AnswerTurn {
  const { log, system } = handle
  checkHistory(messages)
  const drafts = [
    ...(system === undefined || system === '' ? [] : [systemDraft(system)]),
    ...messages.flatMap((message) => historyDrafts(message, trust)),
  ]
  const turn = askTurn(
    handle,
    { signal, tools },
    {
      admission: { ifBusy: 'reject' },
      put: async ({ term }) => {
        log.checkRoom(drafts)
        await appendOrThrowFenced(log.append(drafts, { ...(term !== undefined && { term }) }))
        return { asked: log.position.turn[0]!, since: log.length - 1 }
      },
    },
  )
  const fresh = (): Message[] =>
    log
      .since(drafts.length)
      .filter(({ kind }) => traits[kind].chained)
      .map(({ raw }) => raw)
  return { ...turn, done: turn.done.then((result) => ({ ...result, messages: fresh() })) }
}

/** Throws `open_calls` if the history ends with calls that have no results: this process did not make them. */
function checkHistory(messages: readonly Message[]): void {
  checkSent(messages)
  let open: readonly Call[] = []
  for (const message of messages) open = matchCall(readMessage(message), open).open
  if (open.length > 0) throw openCallsError('Send their results, too.')
}

function historyDrafts(message: Message, trust: NonNullable<AnswerOptions['trust']>): EntryDraft[] {
  const { kind } = readMessage(message)
  const isOwn = kind === 'user' || trust === 'everything' || (trust === 'results' && kind !== 'system')
  return isOwn ? [{ message }] : asImported([message], false)
}
