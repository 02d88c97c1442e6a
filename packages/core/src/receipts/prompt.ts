import { compiling, type CompileResult } from '../compiler/compile.ts'
import type { RecallReader } from '../compiler/recall.ts'
import { advancing, createFold, entriesOf, type Fold, type KnownTokens } from '../compiler/fold.ts'
import { loadFold, type SavedFold } from '../compiler/saved-fold.ts'
import type { CompileOptions } from '../compiler/settings.ts'
import { changesPrompts } from '../log/branch.ts'
import { notLoadedError } from '../log/error.ts'
import { isSystemText, type Entry } from '../log/entry.ts'
import { createSha256 } from '#sha256'
import { canonicalJson } from '../log/json.ts'
import type { Checkpoint } from '../log/checkpoint.ts'
import type { Message } from '../log/message.ts'
import { numbered } from '../log/numbers.ts'
import { pinnedSteps } from '../log/pins.ts'
import { atOnce, itemWork, type Steps } from '../log/time.ts'
import type { Model, ToolSchema } from '../models/model.ts'
import { toAnthropic } from '../models/anthropic-wire.ts'
import { toOllama } from '../models/ollama-wire.ts'
import { toOpenAi, toResponses } from '../models/openai-wire.ts'

/** What is sent to the model, with everything that is known about it. */
export interface Prompt {
  /** In the shape of the model's protocol. */
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSchema[]
  readonly compiled: CompileResult
  readonly hash: string
  /** True if it is what a client sent, passed through unchanged. */
  readonly unchanged: boolean
  /** True if it was compiled from what a client sent. Absent if it was compiled from the branch, or is unchanged. */
  readonly ofRequest?: true
  /** The entries that the plan is about, in its order. */
  readonly planned: () => readonly Entry[]
}

/**
 * Compiles a prompt, puts it into the protocol's shape and hashes it. Past prompts are made by the same code as the
 * next one. `read`: reads what recall needs and the fold does not have.
 */
export function* promptOf(
  fold: Fold,
  tools: readonly ToolSchema[],
  wire: Model['wire'] | null,
  read?: RecallReader,
): Steps<Prompt> {
  const compiled = yield* compiling(fold, read)
  yield compiled.messages.length * itemWork
  const messages = encoders[wire ?? 'none'](compiled.messages)
  return {
    messages,
    tools,
    compiled,
    hash: yield* requestHashing(messages, tools),
    unchanged: false,
    planned: () => entriesOf(fold),
  }
}

const encoders: Readonly<
  Record<NonNullable<Model['wire']> | 'none', (messages: readonly Message[]) => readonly Message[]>
> = {
  anthropic: toAnthropic,
  ollama: toOllama,
  openai: toOpenAi,
  responses: toResponses,
  sdk: (messages) => messages,
  none: (messages) => messages,
}

/** The hash of what a model call sends: its messages and its tools. */
export function requestHash(messages: readonly unknown[], tools: readonly unknown[]): string {
  return atOnce(requestHashing(messages, tools))
}

/** The same in steps, so that others can work in between. */
export function* requestHashing(messages: readonly unknown[], tools: readonly unknown[]): Steps<string> {
  const hash = createSha256()
  for (const piece of requestText(messages, tools)) {
    yield itemWork / 5 + piece.length / 4
    hash.add(piece)
    yield piece.length / 4
  }
  return hash.digest()
}

/** One text for one request: sorted keys, no white space. The field `tools` is absent if there are no tools. */
export function canonicalRequest(messages: readonly unknown[], tools: readonly unknown[] = []): string {
  return [...requestText(messages, tools)].join('')
}

function* requestText(messages: readonly unknown[], tools: readonly unknown[]): Generator<string> {
  yield '{"messages":['
  yield* itemTexts(messages)
  if (tools.length > 0) yield '],"tools":['
  yield* itemTexts(tools)
  yield ']}'
}

function* itemTexts(items: readonly unknown[]): Generator<string> {
  for (const [index, item] of items.entries()) yield index === 0 ? canonicalJson(item) : `,${canonicalJson(item)}`
}

/**
 * A fold that grows with its branch. It starts over if the branch is another one, or if an entry in it was revoked,
 * pinned, unpinned, erased or replaced. `start`: the checkpoint that the branch continues.
 */
export type FoldCache = (branch: readonly Entry[], start?: Checkpoint) => Steps<Fold>

/** `known`: what the texts of entries are known to cost. */
export function createFoldCache(options: CompileOptions, known?: KnownTokens): FoldCache {
  let reached: { readonly followed: readonly Entry[]; readonly fold?: Fold; readonly places: number } = {
    followed: [],
    places: 0,
  }
  return function* (branch, start) {
    const { followed } = reached
    // After another start the entries are other objects, because they were read again.
    const from = isGrown(branch, followed) ? followed.length : 0
    // A newer system text replaces one that is already folded in; only the whole log can tell.
    if (start && branch.slice(from).some(isSystemText)) throw notLoadedError()
    let { fold, places } =
      from > 0 && reached.fold
        ? { ...reached, fold: reached.fold }
        : start
          ? { fold: loaded(start, options), places: start.places }
          : { fold: createFold(options), places: 0 }
    const revoked = new Set(
      branch
        .slice(from)
        .filter(({ kind }) => kind === 'revocation')
        .map(({ text }) => text),
    )
    const pinned = pinnedSteps(branch.slice(from))
    for (const [entry, place] of numbered(branch.slice(from), places)) {
      places = place + 1
      const facts = { place, ...(pinned.has(entry.id) && { pinned: true as const }) }
      if (!revoked.has(entry.id)) fold = yield* advancing(fold, { ...entry, ...facts }, known)
      yield itemWork
    }
    // Set only now: another call may have followed another branch in between, and each continues its own.
    reached = { followed: branch, fold, places }
    return fold
  }
}

/** A checkpoint that cannot be loaded counts as none. */
function loaded({ fold }: Checkpoint, options: CompileOptions): Fold {
  try {
    return loadFold(fold as SavedFold, options)
  } catch {
    throw notLoadedError()
  }
}

/** True if the branch only got longer. An entry that was erased since is another object. */
function isGrown(branch: readonly Entry[], before: readonly Entry[]): boolean {
  if (
    before.length > branch.length ||
    branch.slice(before.length).some((entry) => changesPrompts(entry) || isSystemText(entry))
  )
    return false
  return before.every((entry, index) => entry === branch[index])
}
