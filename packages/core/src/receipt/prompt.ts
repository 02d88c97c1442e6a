import { compile, type Compiled } from '../compile.ts'
import { entriesOf, type Fold } from '../fold/fold.ts'
import { indexing } from '../fold/indexing.ts'
import { canonicalJson } from '../log/canonical.ts'
import type { Entry } from '../log/entry.ts'
import { createSha256 } from '../log/hash.ts'
import type { Message } from '../log/message.ts'
import { atOnce, itemWork, type Steps } from '../log/steps.ts'
import { recallable } from '../plan/recall.ts'
import type { Model, ToolSchema } from '../wire/model.ts'
import { toOllama } from '../wire/ollama.ts'
import { toOpenAi } from '../wire/openai.ts'

/** What goes to the model, with all that there is to know about it. */
export interface Prompt {
  /** In the shape of the model's protocol. */
  readonly messages: readonly Message[]
  readonly tools: readonly ToolSchema[]
  readonly compiled: Compiled
  readonly hash: string
  /** Whether it is what a client sent, as it came. */
  readonly asItCame: boolean
  /** The entries that the plan is of, in its order. */
  readonly planned: () => readonly Entry[]
}

/** Compiles, puts into the protocol's shape, hashes. The same for the next prompt and for one of the past. */
export function* promptOf(fold: Fold, tools: readonly ToolSchema[], wire: Model['wire'] | null): Steps<Prompt> {
  // Recall would do it by itself, all at once.
  yield* indexing(fold, recallable(fold))
  const compiled = compile(fold)
  yield compiled.messages.length * itemWork
  const messages = encoders[wire ?? 'none'](compiled.messages)
  return { messages, tools, compiled, hash: yield* requestHashing(messages, tools), asItCame: false, planned: () => entriesOf(fold) }
}

const encoders: Readonly<Record<NonNullable<Model['wire']> | 'none', (messages: readonly Message[]) => readonly Message[]>> = {
  ollama: toOllama,
  openai: toOpenAi,
  none: (messages) => messages,
}

export function requestHash(messages: readonly unknown[], tools: readonly unknown[]): string {
  return atOnce(requestHashing(messages, tools))
}

/** The same, step by step. */
export function* requestHashing(messages: readonly unknown[], tools: readonly unknown[]): Steps<string> {
  const hash = createSha256()
  for (const piece of requestText(messages, tools)) {
    yield itemWork / 5 + piece.length / 4
    hash.add(piece)
    yield piece.length / 4
  }
  return hash.digest()
}

/** One text for one request: sorted keys, no white space; without tools if there are none. */
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
