import type { LanguageModelMiddleware } from 'ai'
import { compile, type CompileOptions, type CompileResult, type Entry, type Message } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { answerMessages, shownResult, usageOf, withoutNotes } from './answer.ts'
import { createCollector } from './collector.ts'
import { fromPrompt } from './from-model.ts'
import { installedSpecification } from './model-part.ts'
import type { PlacedNote, RecordedTurn, Recorder } from './recorder.ts'
import type { AnswerPart, CallOptions, GenerateResult, StreamPart } from './sdk-types.ts'
import { toPrompt } from './to-model.ts'
import { watched, type Ending } from './watch.ts'

/** The options of the middleware: those of `compile`, without the tools, which it sees itself. */
export interface MiddlewareOptions extends Omit<CompileOptions, 'tools'> {
  /**
   * Takes notes to self out of answers before anyone sees them, and shows them to the model in later prompts. Put
   * `noteInstruction` of `minutebook/wire` into the system prompt.
   */
  readonly notes?: boolean
  /** Given every note that is taken out. */
  readonly onNote?: (note: string) => void
  /** Given every turn when its answer is there, before the caller learns that it is complete. */
  readonly record?: Recorder
}

/** A call between its two ends. */
interface Prepared {
  readonly incoming: readonly Message[]
  readonly compiled: CompileResult
}

/**
 * A middleware for `wrapLanguageModel`: fits every prompt into the window, removes notes from answers, and records.
 * Throws `window_overflow` if the required messages do not fit; errors of the model pass unchanged.
 *
 * @example
 * const model = wrapLanguageModel({ model: provider('small'), middleware: minutebookMiddleware({ window: 8192 }) })
 */
export function minutebookMiddleware(options: MiddlewareOptions): LanguageModelMiddleware {
  const { notes: _notes, onNote: _onNote, record: _record, ...compiling } = options
  const calls = new WeakMap<CallOptions, Prepared>()
  const record = async (
    params: CallOptions,
    turn: Pick<RecordedTurn, 'status' | 'usage'>,
    content: readonly AnswerPart[],
    blocks: readonly string[],
  ): Promise<void> => {
    const call = calls.get(params)
    const { answer, notes, earlier } = options.notes
      ? withoutNotes(answerMessages(content))
      : { answer: answerMessages(content), notes: [], earlier: [] }
    const all = [...notes, ...blocks.slice(-1)]
    for (const note of all) options.onNote?.(note)
    if (call)
      await options.record?.({
        ...turn,
        incoming: call.incoming,
        answer,
        notes: all,
        earlier: [...earlier, ...blocks.slice(0, -1)],
        plan: call.compiled.plan,
        tokens: call.compiled.tokens,
      })
  }
  return {
    specificationVersion: installedSpecification() as 'v4',
    transformParams: async ({ params }) => {
      const incoming = fromPrompt(params.prompt)
      const notes = (options.notes && (await options.record?.notesFor?.(incoming))) || []
      const compiled = compile(woven(incoming, notes), { ...compiling, tools: (params.tools ?? []).map(toolSchema) })
      const isWhole =
        compiled.messages.length === incoming.length &&
        incoming.every((message, index) => message === compiled.messages[index])
      const fitted = isWhole ? params : { ...params, prompt: promptWithAsides(compiled.messages, new Set(incoming)) }
      calls.set(fitted, { incoming, compiled })
      return fitted
    },
    wrapGenerate: async ({ doGenerate, params }) => {
      const result = await doGenerate()
      const { shown, blocks } = options.notes ? shownResult(result) : { shown: result, blocks: [] }
      await record(
        params,
        { status: statusOf(result.finishReason.unified), usage: usageOf(result.usage) },
        shown.content,
        blocks,
      )
      return shown
    },
    wrapStream: async ({ doStream, params }) => {
      const { stream, ...rest } = await doStream()
      const collector = createCollector(options.notes === true)
      const ended = (how: Ending, last: StreamPart | undefined): Promise<void> => {
        const finish = last?.type === 'finish' ? last : undefined
        const turn = finish
          ? { status: statusOf(finish.finishReason.unified), usage: usageOf(finish.usage) }
          : ({ status: how, usage: {} } as const)
        return record(params, turn, collector.content(), collector.blocks)
      }
      const watcher = {
        take: (part: StreamPart) => collector.take(part),
        isLast: ({ type }: StreamPart) => type === 'finish',
        ended,
      }
      return { ...rest, stream: watched<StreamPart>(stream, watcher, params.abortSignal) }
    },
  }
}

/** In the shape in which providers send it on, which is what it costs. */
function toolSchema(tool: NonNullable<CallOptions['tools']>[number]): unknown {
  if (tool.type !== 'function') return tool
  const { name, description, inputSchema: parameters } = tool
  return { type: 'function', function: { name, description, parameters } }
}

function statusOf(finish: GenerateResult['finishReason']['unified']): RecordedTurn['status'] {
  if (finish === 'length' || finish === 'content-filter') return 'partial'
  return finish === 'error' || finish === 'interrupted' ? 'failed' : 'complete'
}

/**
 * A compiled prompt for a provider. What the compiler put between the messages becomes user messages: the outline and
 * recalled messages always, and here the marker and notes too, since most providers refuse a later system message. What
 * it put at the head, such as notes, stays a system message after the caller's.
 */
function promptWithAsides(messages: readonly Message[], incoming: ReadonlySet<Message>): CallOptions['prompt'] {
  const head = messages.findIndex(({ role }) => role !== 'system')
  const isAside = (message: Message, index: number): boolean =>
    message.role === 'system' && index > head && head >= 0 && !incoming.has(message)
  return toPrompt(
    messages.map((message, index) => (isAside(message, index) ? { role: 'user', content: message.content } : message)),
  )
}

/** A conversation as entries, each note after the message that it belongs to. */
function woven<M extends Message>(incoming: readonly M[], notes: readonly PlacedNote[]): Entry<M>[] {
  const entries: Entry<M>[] = []
  const placed = new Map<number, Entry[]>()
  for (const { after, entry } of notes) placed.set(after, [...(placed.get(after) ?? []), entry])
  for (const [index, message] of incoming.entries()) {
    entries.push(entryOf(message, entries.at(-1)))
    for (const { raw, kind, origin, status } of placed.get(index) ?? [])
      entries.push(entryOf(raw as M, entries.at(-1), { kind, origin, status }))
  }
  return entries
}
