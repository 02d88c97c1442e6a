import { systemClock } from '../clock.ts'
import { fail, MinutebookError } from '../log/error.ts'
import { memoryStore } from '../log/memory-store.ts'
import type { Message } from '../log/message.ts'
import { checkNames, type OptionNames } from '../log/options.ts'
import { uncached } from '../past/piece-cache.ts'
import { createSealer, type SealOptions } from '../state/seal.ts'
import { answerHistory, answerOptions, type AnswerOptions, type AnswerTurn } from '../turns/answer.ts'
import { createLocalSenders } from '../turns/local-senders.ts'
import { localFeed } from '../turns/feed.ts'
import { createThreadLocks } from '../turns/turn-queue.ts'
import { localQueue } from './local-queue.ts'
import { OpenThreads } from './held-threads.ts'
import { openHandle, type BookContext } from './open-thread.ts'
import {
  checkThreadOptions,
  threadOptions,
  turnConfigOf,
  type OpenOptions,
  type ThreadOptions,
} from './thread-options.ts'

/** A book without a store, for a backend whose clients send the whole history with each request. */
export interface StatelessBook {
  /**
   * Answers a history: the messages of the client, which end with a user's. Nothing is kept. The result has the new
   * messages for the client. Tools read states from the history (`context.state`) as far as its results are sealed, or
   * `trust` allows.
   *
   * If the model calls tools without `run`, the turn ends as `waiting`. The client adds the results to the history and
   * sends it again. Tools with `approve` are refused (`needs_store`): a client could write any decision into its history.
   *
   * Throws at once if the history is malformed. Every other failure is in the turn's result.
   *
   * @example
   * const turn = book.answer(request.messages, { trust: 'results' })
   * for await (const piece of turn.text) write(piece)
   * const { messages } = await turn.done
   */
  answer(messages: readonly Message[], options?: AnswerOptions): AnswerTurn
}

/** The options of a book without a store. Notes and the journal need a store. */
export interface StatelessOptions extends Omit<ThreadOptions, 'notes' | 'journal' | 'checkpointEvery' | 'metadata'> {
  readonly store?: undefined
  /**
   * Seals the results of tools, so that the client can send them back but not invent or change them. Then pass
   * `subject`, `conversation` and `seals` to `answer`. Default: no seals.
   */
  readonly seals?: SealOptions | undefined
}

/**
 * Opens a book without a store. Throws `no_model` if it could not answer, `invalid_seal_key` if it could not seal, and
 * `needs_store` if a tool asks for approval.
 */
export function openStateless(given: StatelessOptions): StatelessBook {
  checkThreadOptions('A book without a store', given, statelessOptions)
  const { clock = systemClock, seals, ...rest } = given
  const sealer = seals && createSealer(seals)
  const options: OpenOptions = { ...rest, clock, notes: 'off', journal: false, checkpointEvery: Infinity }
  turnConfigOf(options, options.tools ?? [])
  checkTools(options.tools)
  const book = {
    answer: (messages: readonly Message[], answering: AnswerOptions = {}): AnswerTurn => {
      checkNames('book.answer', answering, answerOptions)
      checkTools(answering.tools)
      const store = memoryStore()
      const shared: BookContext = {
        store,
        queue: localQueue(store),
        runsHere: true,
        feed: localFeed(),
        senders: createLocalSenders(),
        locks: createThreadLocks(),
        unique: async () => '',
        held: new OpenThreads({ threads: 0 }),
        pieces: uncached,
      }
      const handle = openHandle(shared, answering.conversation ?? 'conversation', options)
      return answerHistory(handle, messages, answering, sealer)
    },
    // Not in the type: it tells those who do not check types why there is no thread.
    thread: () => fail(needsStoreError('A book without a store has no threads.')),
  }
  return book
}

const statelessOptions: OptionNames<StatelessOptions> = { ...threadOptions, store: true, seals: true }

/** The error for what only a book with a store can do. */
export function needsStoreError(problem: string): MinutebookError {
  return new MinutebookError(
    'needs_store',
    problem,
    'Open the book with { store }: memoryStore(), or for example sqliteStore(path) of @minutebook/sqlite.',
  )
}

/** A decision counts because a log has it. Here only the client has one, which could write any decision into it. */
function checkTools(tools: OpenOptions['tools'] = []): void {
  const tool = tools.find(({ approve }) => approve !== undefined && approve !== false)
  if (!tool) return
  throw new MinutebookError(
    'needs_store',
    `The tool ${tool.name} asks for approval, and a book without a store cannot keep a decision.`,
    'Open the book with a store, or define the tool without `approve`.',
    { tool: tool.name },
  )
}
