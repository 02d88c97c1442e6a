import type { Clock } from '../log/time.ts'
import type { Entry, EntryDraft } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { wellFormed } from '../log/json.ts'
import { inputOf, type Call, type Message, type ParsedCall } from '../log/message.ts'
import type { ToolSchema } from '../models/model.ts'
import type { SchemaOutput, Schema, StateReader, SchemaResult } from '../state/state.ts'

/** A function that the model may call. Use `defineTool` to get its input typed. */
export interface Tool<Input = unknown, Context = unknown> {
  /** The name by which the model calls the tool. It must be unique among the tools of a turn. */
  readonly name: string
  /** Tells the model what the tool does and when to call it. */
  readonly description?: string | undefined
  /** The JSON Schema of the arguments, for the model. */
  readonly parameters: Readonly<Record<string, unknown>>
  /**
   * Validates the arguments before the tool runs. If they are invalid, the tool does not run, and the model is told
   * why.
   */
  readonly input?: Schema<Input> | undefined
  /**
   * Validates the context of the turn before the tool runs, and types it. It was recorded with the message, perhaps by
   * an older version of your program. If it is invalid, the tool does not run: `invalid_context`.
   */
  readonly context?: Schema<Context> | undefined
  /**
   * Set to true if running the tool twice does no harm. It matters after a crash: if a call has no recorded result, it
   * is unknown whether the tool ran. With `mayRepeat` the call runs again. Without, it does not, and its result tells
   * the model that the call may or may not have taken effect. Default: false.
   */
  readonly mayRepeat?: boolean | undefined
  /** Milliseconds after which the call counts as failed. The tool's signal aborts then. Default: no limit. */
  readonly timeout?: number | undefined
  /** The highest number of characters of a result. The rest is cut off, and the model is told so. Default: 262,144. */
  readonly limit?: number | undefined
  /**
   * Runs the tool. A text that it returns goes to the model unchanged, any other value as JSON. If it throws, the model
   * is told the error's message.
   */
  run(input: Input, context: ToolContext<Context>): unknown
}

/** What a tool gets in addition to its arguments. */
export interface ToolContext<Context = unknown> {
  /** The id of the thread. */
  readonly thread: string
  /** What was passed as `context` with the message: who asks, for example. It is recorded, so a resumed turn has it. */
  readonly context: Context
  readonly call: ParsedCall
  /** The place of the call among the calls of the same answer, from 0. */
  readonly index: number
  /** Aborts if the turn is cancelled or the tool's `timeout` is over. */
  readonly signal: AbortSignal
  /** Reads the conversation up to this call. */
  readonly entries: () => Promise<readonly Entry[]>
  /** Derives a state from the log as of this call. */
  readonly state: <T>(reader: StateReader<T>) => Promise<T>
}

/** What `defineTool` takes: a tool that may leave out its `parameters`. */
export type ToolDefinition<Input = unknown, Context = unknown> = Omit<Tool<Input, Context>, 'parameters'> &
  Partial<Pick<Tool, 'parameters'>>

/**
 * Makes a tool. Its `run` gets the arguments typed as the schema `input` has them. Without `parameters` the model is
 * told that same schema, and without both that there are no arguments. Throws `invalid_tool` if models could not call
 * it.
 *
 * @example
 * const add = defineTool({
 *   name: 'add',
 *   input: z.object({ a: z.number(), b: z.number() }),
 *   mayRepeat: true,
 *   run: ({ a, b }) => a + b,
 * })
 */
export function defineTool<S extends Schema, C extends Schema = Schema>(
  tool: Omit<ToolDefinition<SchemaOutput<S>, SchemaOutput<C>>, 'input' | 'context'> & {
    readonly input: S
    readonly context?: C | undefined
  },
): Tool<SchemaOutput<S>, SchemaOutput<C>>
export function defineTool<C extends Schema>(
  tool: Omit<ToolDefinition<unknown, SchemaOutput<C>>, 'context'> & { readonly context: C },
): Tool<unknown, SchemaOutput<C>>
export function defineTool(tool: ToolDefinition): Tool
export function defineTool(tool: ToolDefinition): Tool {
  const { name, parameters = parametersOf(tool) } = tool
  if (!/^[\w-]{1,64}$/.test(name))
    throw invalidToolError(
      name,
      'models and their servers would refuse its name',
      'Use at most 64 letters, digits, _ and -.',
    )
  return { ...tool, parameters }
}

function parametersOf({ name, input }: ToolDefinition): Tool['parameters'] {
  if (!input) return { type: 'object', properties: {} }
  return jsonSchemaOf(input, (why) =>
    invalidToolError(name, `its input ${why}`, 'Pass the JSON Schema of its arguments as parameters.'),
  )
}

/** Writes a schema as JSON Schema. If its library cannot, throws what `refuse` makes of the reason. */
export function jsonSchemaOf(input: Schema, refuse: (why: string) => MinutebookError): Tool['parameters'] {
  const { jsonSchema } = input['~standard']
  if (!jsonSchema) throw refuse('is of a library that cannot write JSON Schema')
  try {
    const { $schema: _, ...schema } = jsonSchema.input({ target: 'draft-07' }) as Record<string, unknown>
    return schema
  } catch (error) {
    throw refuse(`cannot be written as JSON Schema (${reasonOf(error)})`)
  }
}

function invalidToolError(tool: string, why: string, fix: string): MinutebookError {
  return new MinutebookError('invalid_tool', `The tool ${JSON.stringify(tool)} cannot be called: ${why}.`, fix, {
    tool,
  })
}

/**
 * The tools as both protocols take them, sorted by name: another order of the same tools must not invalidate a prompt
 * cache.
 */
export function schemasOf(tools: readonly Tool[], own: readonly ToolSchema[] = []): ToolSchema[] {
  const schemas = tools
    .map(({ name, description, parameters }): ToolSchema => ({
      type: 'function',
      function: { name, ...(description !== undefined && { description }), parameters },
    }))
    .toSorted((left, right) => (left.function.name < right.function.name ? -1 : 1))
  const all = [...schemas, ...own]
  const names = all.map((schema) => schema.function.name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined)
    throw new MinutebookError(
      'duplicate_tool',
      `Two tools have the same name, ${twice}.`,
      'Give each a different one.',
      {
        tool: twice,
      },
    )
  return all
}

/** How a tool call ended, and the text that the model gets as its result. */
export interface ToolOutcome {
  readonly text: string
  readonly status: Exclude<Entry['status'], 'erased'>
  /** What the tool threw. It is for the developer, and is not recorded. */
  readonly error?: unknown
}

/** Texts for calls that have no result. In round brackets, like the compiler's own texts. */
export const interruptions = {
  cancelled: '(cancelled: this call was given up before it had a result)',
  unknown: '(interrupted: this call may or may not have taken effect, and was not run again)',
  unrun: '(interrupted: this call was not run)',
} as const

/**
 * Runs one tool call. Never throws: an error becomes the result. `names`: the existing tools, listed for the model if
 * it calls another one.
 */
export async function runTool(
  tool: Tool | undefined,
  call: Call,
  context: ToolContext,
  clock: Clock,
  names: readonly string[] = [],
): Promise<ToolOutcome> {
  if (context.signal.aborted) return cancelled
  if (!tool) return failed(`there is no tool of this name; ${namesText(names)}`)
  // Parsed again for each run: a tool that changes its input changes neither the log nor `context.call`.
  const given = inputOf(call)
  if (given === undefined) return failed('the arguments are not valid JSON')
  const controller = new AbortController()
  const cancel = (): void => controller.abort(context.signal.reason)
  context.signal.addEventListener('abort', cancel, { once: true })
  try {
    // After an abort or a timeout the tool may go on: its result is ignored.
    return await Promise.race([
      aborted(controller.signal),
      perform(tool, given, { ...context, signal: controller.signal }),
      ...overtime(tool, clock, controller.signal),
    ])
  } catch (error) {
    return context.signal.aborted ? cancelled : { ...failed(reasonOf(error)), error }
  } finally {
    context.signal.removeEventListener('abort', cancel)
    controller.abort()
  }
}

async function perform(tool: Tool, input: unknown, context: ToolContext): Promise<ToolOutcome> {
  const checked = tool.input ? await tool.input['~standard'].validate(input) : { value: input }
  if (checked.issues) return failed(`the arguments do not fit: ${issuesText(checked)}`)
  const given = tool.context ? await tool.context['~standard'].validate(context.context) : { value: context.context }
  if (given.issues) throw invalidContextError(tool.name, issuesText(given))
  return limited(tool, await tool.run(checked.value, { ...context, context: given.value }))
}

/** The model is told of it, so the problems, which are for the developer, are only in the details. */
function invalidContextError(tool: string, problems: string): MinutebookError {
  return new MinutebookError(
    'invalid_context',
    `The tool ${tool} cannot run in this turn: the context that was sent with the message does not fit.`,
    '',
    { tool, problems },
  )
}

/** Resolves as cancelled once the signal aborts. */
function aborted(signal: AbortSignal): Promise<ToolOutcome> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(cancelled)
    signal.addEventListener('abort', () => resolve(cancelled), { once: true })
  })
}

function overtime({ timeout }: Tool, clock: Clock, signal: AbortSignal): Promise<ToolOutcome>[] {
  if (timeout === undefined) return []
  return [clock.after(timeout, signal).then(() => failed(`no result within ${timeout} ms`))]
}

function limited({ limit = 262_144 }: Tool, value: unknown): ToolOutcome {
  const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
  if (text.length <= limit) return { text, status: 'complete' }
  // If the cut splits a character in two, `wellFormed` drops the half.
  const kept = wellFormed(text.slice(0, limit))
  return { text: `${kept}\n(${text.length - kept.length} characters of this result were not kept)`, status: 'partial' }
}

const cancelled: ToolOutcome = { text: interruptions.cancelled, status: 'cancelled' }

function failed(reason: string): ToolOutcome {
  return { text: `(failed: ${reason.slice(0, 2000)})`, status: 'failed' }
}

/** Lists as many names as fit into 400 characters. */
function namesText(names: readonly string[]): string {
  if (names.length === 0) return 'there are none'
  let length = 0
  const told = names.filter((name) => (length += name.length + 2) <= 400)
  return `there are: ${[...told, ...(told.length < names.length ? [`${names.length - told.length} more`] : [])].join(', ')}`
}

/** JavaScript can throw any value, so this reads the message with care. */
function reasonOf(error: unknown): string {
  const { message } = Object(error) as { message?: unknown }
  if (typeof message === 'string') return message
  return typeof error === 'string' ? error : 'it threw something that is not an error'
}

/** What is wrong with a value, in one line. */
export function issuesText({ issues = [] }: SchemaResult<unknown>): string {
  return issues
    .map(({ message, path }) => (path?.length ? `${path.map(segment).join('.')}: ${message}` : message))
    .join('; ')
}

function segment(part: unknown): string {
  return typeof part === 'object' && part !== null && 'key' in part ? String(part.key) : String(part)
}

/** The result in the protocol of its call: OpenAI matches results by id, Ollama by name. */
export function resultDraft({ id, name, arguments: given }: Call, { text, status }: ToolOutcome): EntryDraft {
  const message: Message = {
    role: 'tool',
    ...(id !== undefined && { tool_call_id: id }),
    ...((id === undefined || typeof given !== 'string') && { tool_name: name }),
    content: text,
  }
  return { message, facts: { status } }
}
