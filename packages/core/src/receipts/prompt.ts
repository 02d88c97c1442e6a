import { compileInSteps, type CompileResult } from '../compiler/compile.ts'
import type { RecallReader } from '../compiler/recall.ts'
import { entriesOf, type Fold } from '../compiler/fold.ts'
import type { Entry } from '../log/entry.ts'
import { createSha256 } from '#sha256'
import { canonicalJson } from '../log/json.ts'
import type { Message } from '../log/message.ts'
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
  const compiled = yield* compileInSteps(fold, read)
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
