// `minutebook`: fit a conversation into a context window (`compile`), or let a book keep the conversation (`openBook`).
export { history } from './log/branch.ts'
export type { Clock } from './log/time.ts'
export type { Entry } from './log/entry.ts'
export { MinutebookError } from './log/error.ts'
export { exchanges, type Exchange } from './log/exchange.ts'
export type { Kind, Origin } from './log/kind.ts'
export { memoryStore } from './log/memory-store.ts'
export type { Message } from './log/message.ts'
export type { Store } from './log/store.ts'
export { visible, type VisibleEntry } from './log/visible.ts'
export { estimator } from './tokens/estimator.ts'
export { calibrated, type TokenCounter, type UsageSample } from './tokens/tokens.ts'
export type { Finish, Model, ModelEvent, ModelRequest, ToolSchema, Usage } from './models/model.ts'
export {
  defineState,
  stateOf,
  type Schema,
  type StateDefinition,
  type StateReader,
  type StateTool,
} from './state/state.ts'
export { compile, dump, type CompileResult } from './compiler/compile.ts'
export type { Digester } from './compiler/digest.ts'
export { explain } from './compiler/explain.ts'
export { advance, createFold, type Fold } from './compiler/fold.ts'
export { adjusted, defaultPolicy, firstAndRecent, lastMessages, tiered, type Policy } from './compiler/policy.ts'
export { probeProfile, type Profile } from './compiler/profile.ts'
export { condensed, loadFold, saveFold, type SavedFold } from './compiler/saved-fold.ts'
export type { CompileOptions } from './compiler/settings.ts'
export { localFeed, type Feed } from './turns/feed.ts'
export type { SendInput } from './turns/place-messages.ts'
export type { RunOptions } from './turns/ask-turn.ts'
export type { SendOptions } from './turns/send.ts'
export type { BusyPolicy } from './turns/turn-queue.ts'
export { defineTool, type Tool, type ToolContext } from './turns/tool.ts'
export type { Turn, TurnEvent, TurnResult } from './turns/turn.ts'
export type { Relay, RelayResult, RelayOptions } from './relay/relay.ts'
export { localQueue, type LocalQueueOptions, type TurnQueue } from './turns/turn-queue.ts'
export type { WatchEvent } from './watch/watch-view.ts'
export type { WatchOptions } from './watch/watch.ts'
export { openBook, type Book, type BookOptions, type WorkOptions } from './book/book.ts'
export type { ThreadOptions } from './book/thread-options.ts'
export type { Thread } from './book/thread.ts'
