import { systemDraft, type EntryDraft, type EntryFacts } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { matchCall } from '../log/exchange.ts'
import { traits } from '../log/kind.ts'
import { kindOf, readMessage, recordableContext, type Message } from '../log/message.ts'
import type { OptionNames } from '../log/options.ts'
import { noCalls } from '../log/unanswered-calls.ts'
import { resultsOf, type SealedResult, type Sealer, type SealContext } from '../state/seal.ts'
import { askTurn, runOptions, type RunOptions } from './ask-turn.ts'
import { askOptions, recordableOptions, type AskOptions } from './model-options.ts'
import { asImported, checkSent, openCallsError } from './place-messages.ts'
import { appendOrThrowFenced } from './fence.ts'
import { resultDraft } from './tool.ts'
import type { ThreadHandle } from './turn-run.ts'
import type { Turn, TurnResult } from './turn.ts'

/** How `book.answer` reads a history and runs its turn. */
export interface AnswerOptions extends RunOptions, AskOptions {
  /** The id of the conversation. Tools get it as `context.thread`. Default: `conversation`, without seals. */
  readonly conversation?: string | undefined
  /** Who this conversation is with, as your login knows it. Needed if the book seals results. */
  readonly subject?: string | undefined
  /**
   * The seals that the client got with the history. The results that they prove count in states. Any other value of a
   * client proves nothing, and does no harm.
   */
  readonly seals?: readonly unknown[] | undefined
  /** What the tools get as `context`: who asks, for example. As with `send`, it must be JSON. */
  readonly context?: unknown
  /**
   * What the caller vouches for. `results`: states count all results of tools that are in the history. `everything`:
   * also, its system messages stay system messages. Default: `nothing`. Then states count only results that are sealed
   * or of this turn, and system messages are a user's words: a client can write anything into a history.
   */
  readonly trust?: 'nothing' | 'results' | 'everything' | undefined
}

/** The names of the options above. */
export const answerOptions: OptionNames<AnswerOptions> = {
  ...runOptions,
  ...askOptions,
  conversation: true,
  subject: true,
  seals: true,
  context: true,
  trust: true,
}

/** How an answer ended, and what is new in the conversation. */
export interface AnswerResult extends TurnResult {
  /**
   * The new messages, in the form of the model: calls, results and the answer. The client adds them to its history and
   * sends all of it with the next request. Of a turn that failed, as far as it came.
   */
  readonly messages: Message[]
  /** The seals of all results that count, old and new. The client sends them with the history. Empty without keys. */
  readonly seals: string[]
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
  options: AnswerOptions,
  sealer: Sealer | undefined,
): AnswerTurn {
  const { log, system } = handle
  checkHistory(messages)
  const [context, asked] = [recordableContext(options.context), recordableOptions(options)]
  const facts = { ...(context !== undefined && { context }), ...(asked && { options: asked }) }
  const sealing = sealer && { sealer, context: sealContextOf(options) }
  const first = system === undefined || system === '' ? [] : [systemDraft(system)]
  const turn = askTurn(handle, options, {
    admission: { ifBusy: 'reject' },
    put: async ({ term }) => {
      const sealed = await sealing?.sealer.find(sealing.context, messages, listed(options.seals))
      const said = historyDrafts(messages, options.trust ?? 'nothing', sealed ?? new Map())
      const drafts = [...first, ...withFacts(said, facts)]
      log.checkRoom(drafts)
      await appendOrThrowFenced(log.append(drafts, { ...(term !== undefined && { term }) }))
      return { asked: log.position.turn[0]!, since: log.length - 1 }
    },
  })
  const withNews = async (result: TurnResult): Promise<AnswerResult> => {
    const branch = log.branch()
    const fresh = branch.filter(({ kind, seq }) => traits[kind].chained && seq >= first.length + messages.length)
    const seals = sealing ? await sealing.sealer.seal(sealing.context, resultsOf(branch)) : []
    return { ...result, messages: fresh.map(({ raw }) => raw), seals: [...seals] }
  }
  return { ...turn, done: turn.done.then(withNews) }
}

/** Throws `open_calls` if the history ends with calls that have no results: this process did not make them. */
function checkHistory(messages: readonly Message[]): void {
  checkSent(messages)
  let open = noCalls
  for (const message of messages) open = matchCall(readMessage(message), open).open
  if (open.length > 0) throw openCallsError('Send their results, too.')
}

function sealContextOf({ subject, conversation }: AnswerOptions): SealContext {
  if (typeof subject === 'string' && typeof conversation === 'string') return { subject, conversation }
  const what = typeof subject === 'string' ? 'conversation' : 'subject'
  throw new MinutebookError(
    `no_${what}`,
    `This book seals results, and a seal must say of which ${what} they are.`,
    'Call answer(messages, { subject, conversation, seals }) with the ids of the user and the conversation.',
  )
}

function listed(seals: unknown): readonly unknown[] {
  return Array.isArray(seals) ? seals : []
}

/**
 * The history as a log. A result that the caller or a seal proves is a tool's, and its call the model's. `sealed`: the
 * results with a seal, by the index of their messages.
 */
function historyDrafts(
  messages: readonly Message[],
  trust: NonNullable<AnswerOptions['trust']>,
  sealed: ReadonlyMap<number, SealedResult>,
): EntryDraft[] {
  const calling = callersOf(messages, sealed)
  return messages.flatMap((message, index) => {
    const { kind } = readMessage(message)
    if (kind === 'user' || trust === 'everything' || (trust === 'results' && kind !== 'system')) return [{ message }]
    const result = sealed.get(index)
    // Written again, so that nothing in it is the client's.
    if (result) return [resultDraft(result.call, result)]
    return calling.has(index) ? [{ message }] : asImported([message], false)
  })
}

/** The same, with the context and the options of the turn in its last message. */
function withFacts(drafts: readonly EntryDraft[], facts: Pick<EntryFacts, 'context' | 'options'>): EntryDraft[] {
  return drafts.map((draft, index) =>
    index === drafts.length - 1 ? { ...draft, facts: { ...draft.facts, ...facts } } : draft,
  )
}

/** The messages with the calls of these results, by index. */
function callersOf(messages: readonly Message[], results: ReadonlyMap<number, unknown>): ReadonlySet<number> {
  const callers = new Set<number>()
  let caller = -1
  for (const [index, message] of messages.entries()) {
    if (kindOf(message) !== 'tool') caller = index
    else if (results.has(index)) callers.add(caller)
  }
  return callers
}
