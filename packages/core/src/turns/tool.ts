import type { Entry, EntryDraft } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import type { Call, Message, ParsedCall } from '../log/message.ts'
import { unknownName, type OptionNames } from '../log/options.ts'
import type { ToolSchema } from '../models/model.ts'
import type { SchemaOutput, Schema, StateReader } from '../state/state.ts'

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
  /**
   * Whether a person or a program must approve a call before it runs: always, or if the function returns true. The turn then waits,
   * and `thread.decide` goes on with it. If the function throws, the call waits. Default: false.
   */
  readonly approve?: boolean | ToolFunctions<Input, Context>['approve'] | undefined
  /**
   * Milliseconds after which a call that waits is refused. The next run of the thread does that. Default: no limit.
   */
  readonly decideWithin?: number | undefined
  /** Milliseconds after which the call counts as failed. The tool's signal aborts then. Default: no limit. */
  readonly timeout?: number | undefined
  /** The highest number of characters of a result. The rest is cut off, and the model is told so. Default: 262,144. */
  readonly limit?: number | undefined
  /**
   * Runs the tool. A text that it returns goes to the model unchanged, any other value as JSON. If it throws, the model
   * is told the error's message. A tool without `run` is run by the client, or answered by a person: the turn waits
   * until `thread.decide` has the result.
   */
  readonly run?: ToolFunctions<Input, Context>['run'] | undefined
}

/** The functions of a tool, as methods: so a tool with typed input is also a `Tool`. */
interface ToolFunctions<Input, Context> {
  approve(input: Input, context: GateContext<Context>): boolean | Promise<boolean>
  run(input: Input, context: ToolContext<Context>): unknown
}

/** What a tool knows when it says whether a call needs approval. */
export type GateContext<Context = unknown> = Pick<
  ToolContext<Context>,
  'thread' | 'context' | 'call' | 'state' | 'signal'
>

/** What a tool gets in addition to its arguments. */
export interface ToolContext<Context = unknown> {
  /** The id of the thread. */
  readonly thread: string
  /** What was passed as `context` with the message: who asks, for example. It is recorded, so a resumed turn has it. */
  readonly context: Context
  readonly call: ParsedCall
  /** The place of the call among the calls of the same answer, from 0. */
  readonly index: number
  /**
   * Names this call to the server that has the effect, which then does it once. It stays the same when the call runs
   * again after a crash, on any instance, and differs for every other call, even with the same arguments. It is a hash of
   * 64 characters and contains nothing that was said.
   */
  readonly idempotencyKey: string
  /**
   * The fencing token: each run of a thread has a higher one than the run before it. A server that keeps the highest term
   * of each thread can refuse a run that was frozen and continues too late.
   */
  readonly term: number
  /** Aborts if the turn is cancelled, if another instance continues it, or if the tool's `timeout` is over. */
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
  const unknown = unknownName(tool, toolFields)
  if (unknown !== undefined)
    throw invalidToolError(name, `it has no field ${unknown}`, `The fields are ${Object.keys(toolFields).join(', ')}.`)
  if (!/^[\w-]{1,64}$/.test(name))
    throw invalidToolError(
      name,
      'models and their servers would refuse its name',
      'Use at most 64 letters, digits, _ and -.',
    )
  return { ...tool, parameters }
}

const toolFields: OptionNames<Tool> = {
  name: true,
  description: true,
  parameters: true,
  input: true,
  context: true,
  mayRepeat: true,
  approve: true,
  decideWithin: true,
  timeout: true,
  limit: true,
  run: true,
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

/** JavaScript can throw any value, so this reads the message with care. */
export function reasonOf(error: unknown): string {
  const { message } = Object(error) as { message?: unknown }
  if (typeof message === 'string') return message
  return typeof error === 'string' ? error : 'it threw something that is not an error'
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
