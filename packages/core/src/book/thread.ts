import type { CompileOptions } from '../compiler/settings.ts'
import type { FollowOptions } from '../turns/follow.ts'
import type { Watched } from '../watch/watch-view.ts'
import type { WatchOptions } from '../watch/watch.ts'
import type { Entry } from '../log/entry.ts'
import type { Message } from '../log/message.ts'
import type { Erasure } from '../log/store.ts'
import type { VisibleEntry } from '../log/visible.ts'
import type { KeptReceipt } from '../receipts/receipt.ts'
import type { CallChoice, ThreadDump } from '../receipts/thread-dump.ts'
import type { Replayed, Verification } from '../receipts/verify.ts'
import type { Relay, RelayOptions } from '../relay/relay.ts'
import type { StateReader } from '../state/state.ts'
import type { Shown } from '../turns/feed.ts'
import type { Sent } from '../turns/place-messages.ts'
import type { RunOptions } from '../turns/ask-turn.ts'
import type { SendOptions } from '../turns/send.ts'
import type { Turn } from '../turns/turn.ts'

/** One conversation, on record. Light: opening one reads nothing. */
export interface Thread {
  readonly id: string

  /**
   * Records a message and runs the turn that answers it. A list of messages is taken for a client's whole history: only
   * what is new in it is recorded, and where it differs from the record it goes on as a branch. To edit a message, send
   * the new one with `after`: the parent of the entry that it replaces.
   *
   * Misuse is thrown at once: no model, no window, malformed content. Everything else is in the turn's result.
   */
  send(message: Sent, options?: SendOptions): Turn
  /**
   * Answers the newest user entry again: after a failure where the turn stopped, after an answer on a branch of its
   * own.
   */
  retry(options?: RunOptions): Turn
  /** Finishes what a crash cut short, and admits what was waiting. Ends at once where there is nothing. */
  resume(options?: RunOptions): Turn
  /**
   * Asks whoever runs the thread's turn, wherever that is, to stop it, and waits until it is over: as `cancelled`, with
   * what was recorded so far. Whether there was one. What waits behind it comes next.
   */
  cancel(): Promise<boolean>
  /**
   * The text of the turn that runs, as it is written, on whatever instance; ends with the turn, at once where none
   * runs. Whoever loses it goes on `from` where they were; where another instance has taken over since, there is a
   * `reset` first.
   *
   * @example
   * for await (const shown of thread.follow()) process.stdout.write(shown.type === 'reset' ? '\n' : shown.text)
   */
  follow(options?: FollowOptions): AsyncIterable<Shown>
  /**
   * The thread as people see it, live, wherever its turns run, one turn after the other: every visible entry once, in
   * the order of the log, and before an answer is on record its text as it is written. Goes on until the signal aborts,
   * or it is left. Each event has the position to go on `from`, here or on another instance.
   *
   * @example
   * for await (const seen of thread.watch({ from, signal })) {
   *   if (seen.type === 'entry') console.log(seen.entry.kind, seen.entry.text)
   *   from = seen.position
   * }
   */
  watch(options?: WatchOptions): AsyncIterable<Watched>
  /**
   * Records what is new in a client's whole history, and gives what is to be sent for an answer: those very messages
   * where they fit, else a prompt. Whoever calls this calls the model, and then `answer` or `stop`. Takes no term and
   * waits for nobody: two relays at once are two branches.
   *
   * @example
   * const relay = await thread.relay(request.messages, { tools: request.tools })
   * await relay.answer(await ask(relay.messages))
   */
  relay(messages: readonly Message[], options?: RelayOptions): Promise<Relay>
  /**
   * Records messages from elsewhere without answering them. Their system messages are taken for a user's words unless
   * they are trusted.
   */
  adopt(messages: readonly Message[], options?: { readonly trusted?: boolean | undefined }): Promise<readonly Entry[]>

  /** The entries of the newest branch, or of the one that ends with `head`: everything, for programs. */
  entries(options?: { readonly head?: string | undefined }): Promise<readonly Entry[]>
  /** The same for people: what may be shown, and nothing else. */
  visible(options?: { readonly head?: string | undefined }): Promise<readonly VisibleEntry[]>
  /** The heads of all branches, the newest first. */
  branches(): Promise<readonly string[]>
  /** State as the log tells it, now or as of an entry. Null, as the `answer` of a turn without one: now. */
  state<T>(reader: StateReader<T>, options?: { readonly at?: string | null | undefined }): Promise<T>

  /** What was kept of the model calls on the newest branch. */
  receipts(): Promise<readonly KeptReceipt[]>
  /**
   * The exact prompt of a model call: the last one of a turn (the id of its user entry, or its number from 1), one by
   * its receipt, or else the one that would come next.
   */
  dump(call?: CallChoice): Promise<ThreadDump>
  /** The prompts of all model calls on record under other options, without calling a model. */
  replay(changes: Partial<CompileOptions>): Promise<readonly Replayed[]>
  /** Checks every entry and every prompt. */
  verify(): Promise<Verification>

  /** Takes a note or journal entry out of all later prompts. */
  revoke(id: string): Promise<void>
  /** Forgets what entries said; all of them where no ids are given. */
  erase(ids?: readonly string[]): Promise<Erasure>
  /** A new thread that begins with this one up to an entry: the head unless told. */
  fork(options: { readonly as: string; readonly at?: string | undefined }): Promise<Thread>
  /** The log as lines of JSON, for `book.restore`, then its records of these names. Default: the setup. */
  export(options?: { readonly records?: readonly string[] | undefined }): AsyncIterable<string>
}
