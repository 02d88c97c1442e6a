import type { CompileOptions } from '../compiler/settings.ts'
import type { WatchEvent } from '../watch/watch-view.ts'
import type { WatchOptions } from '../watch/watch.ts'
import type { Branch } from '../log/branches.ts'
import type { Entry } from '../log/entry.ts'
import type { Feedback } from '../log/feedback.ts'
import type { Message } from '../log/message.ts'
import type { Metadata, MetadataChanges } from '../log/metadata.ts'
import type { Erasure } from '../log/erasure.ts'
import type { Decision, OpenCall } from '../log/open-call.ts'
import type { Standing } from '../log/store.ts'
import type { VisibleEntry } from '../log/visible.ts'
import type { KeptReceipt } from '../receipts/receipt.ts'
import type { CallChoice, ThreadDump } from '../receipts/thread-dump.ts'
import type { ReplayedCall, Verification, VerifyPart } from '../receipts/verify.ts'
import type { RelayOptions } from '../relay/relay-call.ts'
import type { Relay } from '../relay/relay.ts'
import type { Schema, SchemaOutput, StateReader } from '../state/state.ts'
import type { SendInput } from '../turns/place-messages.ts'
import type { RunOptions } from '../turns/ask-turn.ts'
import type { DecisionOptions } from '../turns/decide.ts'
import type { SendOptions } from '../turns/send.ts'
import type { RetryOptions } from '../turns/resume.ts'
import type { Turn } from '../turns/turn.ts'

/** What `thread.visible` shows. */
export interface VisibleOptions {
  /** The last entry of the branch. Default: the newest branch. */
  readonly head?: string | undefined
  /** Say for each entry which others are in its place on other branches. Default: false. */
  readonly siblings?: boolean | undefined
}

/** What a page shows of a thread at first, and the position to watch from. */
export interface ThreadPage {
  /** The newest branch for people. */
  readonly entries: readonly VisibleEntry[]
  /** The position right after these entries, for `watch({ from: position })`. */
  readonly position: string
}

/** One recorded conversation. Opening a thread reads nothing. Its methods are in open-thread.ts. */
export interface Thread {
  readonly id: string

  /**
   * Records a message and runs the turn that answers it.
   *
   * A list of messages is a client's whole history: only its new messages are recorded, and if it differs from what is
   * recorded, a new branch begins there. To edit a message, use `edit`.
   *
   * Throws at once if the content is malformed, or if this process has to run the turn and has no model.
   * Every other failure is in the turn's result.
   */
  send(message: SendInput, options?: SendOptions): Turn
  /**
   * Sends a message and returns the answer. If there is no answer, it throws the reason: the error of the model,
   * `busy`, `cancelled`, … An answer that was cut off at the length limit is returned as far as it came; `send` tells.
   *
   * @example
   * console.log(await book.thread('garden').ask('What grows in the shade?'))
   */
  ask(message: SendInput, options?: SendOptions & { readonly output?: undefined }): Promise<string>
  /**
   * With `output`, the answer is JSON of that form, and `ask` returns its value, checked and typed by the schema. Throws
   * `invalid_output` if the answer does not fit. Of a plain JSON Schema, only the type and the required properties of the
   * value are checked.
   *
   * @example
   * const { plants } = await thread.ask('What grows in the shade?', { output: z.object({ plants: z.array(z.string()) }) })
   */
  ask<S extends Schema>(message: SendInput, options: SendOptions & { readonly output: S }): Promise<SchemaOutput<S>>
  ask(message: SendInput, options: SendOptions): Promise<unknown>
  /**
   * Sends a message in the place of the user entry `id`, and answers it. A new branch begins there; the old one stays, and
   * `visible({ siblings: true })` shows the way to it.
   *
   * @example
   * thread.edit(entry.id, 'What grows in full sun?')
   */
  edit(id: string, message: string | Message, options?: Omit<SendOptions, 'after' | 'trusted'>): Turn
  /**
   * Answers the newest user entry again, or the entry `of`: a user entry, or an answer to it. A turn that failed goes on
   * from its last recorded step. A turn that has an answer gets another one, on a new branch.
   */
  retry(options?: RetryOptions): Turn
  /**
   * Finishes a turn of this thread that a crash cut short, then answers the messages that were waiting. Ends at once if
   * there is nothing to do. `book.resume()` does this for all threads, and says what happens to tool calls.
   */
  resume(options?: RunOptions): Turn
  /**
   * Decides about a call for which a turn waits, and returns the turn, which goes on: here, or on another instance, days
   * later if it must be. The first decision counts; another one fails with `already_decided`. If other calls still wait,
   * the turn ends as `waiting` again.
   *
   * @example
   * const [open] = await thread.waiting()
   * const turn = thread.decide(open.id, { do: 'refuse', reason: 'Too expensive.' }, { by: 'ann' })
   */
  decide(call: string, decision: Decision, options?: DecisionOptions): Turn
  /** The calls that wait for a decision on the newest branch. */
  waiting(): Promise<readonly OpenCall[]>
  /**
   * Cancels the turn that runs on this thread or waits for a decision, on any instance, and waits until it has ended as `cancelled`. What was
   * recorded stays. A message that waits is answered next. Returns false if no turn was running.
   */
  cancel(): Promise<boolean>
  /**
   * Streams the thread as people see it, turn after turn, on any instance: the visible entries of the newest branch, each
   * once. The text of an answer comes while it is written, before its entry. If an edit or another answer makes a new
   * branch, an event says what it replaces. Ends when the signal aborts or you leave the loop. After a lost connection,
   * pass the position of the last event as `from` to continue, here or on another instance.
   *
   * @example
   * for await (const seen of thread.watch({ from, signal })) {
   *   if (seen.type === 'entry') console.log(seen.entry.kind, seen.entry.text)
   *   from = seen.position
   * }
   */
  watch(options?: WatchOptions): AsyncIterable<WatchEvent>
  /**
   * Records what is new in a client's whole history, and returns what to send to the model: the client's own messages
   * if they fit, or else a compiled prompt. The caller then calls the model, and afterwards `answer` or `stop`. A relay
   * does not wait for other turns: two relays at once make two branches.
   *
   * @example
   * const relay = await thread.relay(request.messages, { tools: request.tools })
   * await relay.answer(await ask(relay.messages))
   */
  relay(messages: readonly Message[], options?: RelayOptions): Promise<Relay>
  /**
   * Records messages from another source without answering them. Their system messages count as a user's words. With
   * `trusted` they stay system messages.
   */
  importMessages(
    messages: readonly Message[],
    options?: { readonly trusted?: boolean | undefined },
  ): Promise<readonly Entry[]>

  /** The entries of the newest branch, or of the branch that ends with `head`: all of them, for programs. */
  entries(options?: { readonly head?: string | undefined }): Promise<readonly Entry[]>
  /** The same branch for people: only the entries and texts that may be shown. */
  visible(options?: VisibleOptions): Promise<readonly VisibleEntry[]>
  /**
   * The newest branch for people, with the position to watch it from: a client that shows `entries` and then watches
   * from `position` misses nothing and sees nothing twice, whatever is written in between.
   *
   * @example
   * const { entries, position } = await thread.page()
   * for (const { kind, text } of entries) console.log(kind, text)
   * for await (const seen of thread.watch({ from: position })) console.log(seen)
   */
  page(options?: Omit<VisibleOptions, 'head'>): Promise<ThreadPage>
  /**
   * The same branch as messages, for a client that keeps its own history: those of people, models and tools, as they were
   * recorded, without reasoning, notes and system messages.
   */
  messages(options?: { readonly head?: string | undefined }): Promise<Message[]>
  /**
   * All branches, the newest first: where each leaves the newest one, and its first words, for a menu. Read one with
   * `visible({ head })`, and go on there with `send(text, { after: head })`.
   */
  branches(): Promise<readonly Branch[]>
  /**
   * The state that the reader derives from the log, now or as of the entry `at`. Null means now, so that you can pass
   * the `answer` of any turn.
   */
  state<T>(reader: StateReader<T>, options?: { readonly at?: string | null | undefined }): Promise<T>

  /** How far the thread has come: its length, the newest entry, the term. Reads no entries. */
  standing(): Promise<Standing>
  /** The receipts of the model calls on the newest branch. */
  receipts(): Promise<readonly KeptReceipt[]>
  /**
   * Rebuilds the exact prompt of a model call. Name it by its receipt, or by its turn (the id of the user entry, or its
   * number from 1): then it is the turn's last call. Default: the prompt that would be sent next.
   */
  dump(call?: CallChoice): Promise<ThreadDump>
  /** Rebuilds the prompts of all recorded model calls of the newest branch with other options. No model is called. */
  replay(changes: Partial<CompileOptions>): Promise<readonly ReplayedCall[]>
  /**
   * Checks every entry against its checksum and id, and every recorded prompt against its hash. With `part`, only the
   * newest ones: that takes no longer if the thread is long.
   */
  verify(part?: VerifyPart): Promise<Verification>

  /** The metadata of the thread: few texts that a program keeps about it, such as its owner and its title. */
  metadata(): Promise<Metadata>
  /**
   * Changes some pairs of the metadata; null removes a pair. Returns all of it. At most 16 pairs, with keys of at most 64
   * and values of at most 512 characters. If two callers set the same key at once, the later one counts. Throws
   * `unknown_thread` before the first message.
   *
   * @example
   * await thread.setMetadata({ title: 'Garden', draft: null })
   */
  setMetadata(changes: MetadataChanges): Promise<Metadata>

  /**
   * Always sends this message: a user's, a model's or a tool's. While it is recent, it is sent in its place; after that,
   * it is quoted near the beginning of each prompt, a call or a result together with its whole step. All pinned messages
   * together get at most a share of the window (`pins` of the policy), and are clipped to that. It counts on all
   * branches that have the message, from the next model call on. Returns false if the message was pinned already.
   *
   * @example
   * await thread.pin(entry.id)
   */
  pin(id: string): Promise<boolean>
  /** Ends what `pin` began. Returns false if the message was not pinned. */
  unpin(id: string): Promise<boolean>
  /**
   * Records what a person thinks of a message: a user's, a model's or a tool's. It is in no prompt. It replaces what the
   * same person (`by`) said of the message before, and says nothing if neither rating, comment nor tags are passed. Returns false
   * if the same was recorded already.
   *
   * @example
   * await thread.rate(entry.id, { rating: 'down', comment: 'Forgot the wheelchair.', tags: ['memory'], by: 'ann' })
   */
  rate(id: string, feedback: Feedback & { readonly by?: string | undefined }): Promise<boolean>
  /** Removes a note or journal entry from all later prompts. It stays in the log. */
  revoke(id: string): Promise<void>
  /** Erases the content of these entries for good. Without ids, of all entries. */
  erase(ids?: readonly string[]): Promise<Erasure>
  /**
   * Creates a thread `as` that begins with a copy of this one, up to the entry `at`, and has the same metadata. Default:
   * the whole newest branch.
   */
  fork(options: { readonly as: string; readonly at?: string | undefined }): Promise<Thread>
  /**
   * Yields the log as lines of JSON for `book.restore`, then its records with these names. Default: the setup and the
   * metadata.
   */
  export(options?: { readonly records?: readonly string[] | undefined }): AsyncIterable<string>
}

/** Makes a thread the current one for all code that `run` calls and awaits. `AsyncLocalStorage` is one. */
export interface ThreadContext {
  run<R>(thread: Thread, run: () => R): R
}
