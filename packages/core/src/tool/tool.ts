import type { Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import type { Call } from '../log/message.ts'
import type { OutputOf, Schema } from '../state/schema.ts'
import type { StateReader } from '../state/state.ts'
import type { ToolSchema } from '../wire/model.ts'

/** Something that the model may ask to be done. */
export interface Tool<Input = unknown> {
  readonly name: string
  readonly description?: string
  /** JSON Schema of the arguments, for the model. */
  readonly parameters: Readonly<Record<string, unknown>>
  /** Checks the arguments before the tool runs; what fails is answered with the reasons and not run. */
  readonly input?: Schema<Input>
  /** Whether it may run again when a crash left it unknown if it ran. One that may not gets an "interrupted" result. */
  readonly mayRepeat?: boolean
  /** Milliseconds after which it is given up; needs a clock. */
  readonly timeout?: number
  /** Characters of a result that are kept: 262,144 where nothing is said. */
  readonly limit?: number
  /** A text goes to the model as it is, anything else as JSON. What it throws is told to the model as a failure. */
  run(input: Input, context: ToolContext): unknown
}

/** What a tool is given beside its arguments. */
export interface ToolContext {
  readonly thread: string
  readonly call: Call
  /** Which one it is among the calls of its answer, from 0. */
  readonly index: number
  /** Aborts when the turn is cancelled or the tool's time is up. */
  readonly signal: AbortSignal
  /** The conversation up to this call. */
  readonly entries: () => Promise<readonly Entry[]>
  /** State as of this call, from the log and nothing else. */
  readonly state: <T>(reader: StateReader<T>) => Promise<T>
}

/**
 * A tool whose input has the type of its schema.
 *
 * @example
 * const add = defineTool({
 *   name: 'add',
 *   parameters: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } }, required: ['a', 'b'] },
 *   input: z.object({ a: z.number(), b: z.number() }),
 *   mayRepeat: true,
 *   run: ({ a, b }) => a + b,
 * })
 */
export function defineTool<S extends Schema>(
  tool: Omit<Tool<OutputOf<S>>, 'input'> & { readonly input: S },
): Tool<OutputOf<S>>
export function defineTool(tool: Tool): Tool
export function defineTool(tool: Tool): Tool {
  return tool
}

/** The tools as both protocols take them, in order of name: the order in which they are passed must not cost a prompt cache. */
export function schemasOf(tools: readonly Tool[], own: readonly ToolSchema[] = []): ToolSchema[] {
  const schemas = tools
    .map(({ name, description, parameters }): ToolSchema => ({ type: 'function', function: { name, ...(description !== undefined && { description }), parameters } }))
    .toSorted((left, right) => (left.function.name < right.function.name ? -1 : 1))
  const all = [...schemas, ...own]
  const names = all.map((schema) => schema.function.name)
  const twice = names.find((name, index) => names.indexOf(name) < index)
  if (twice !== undefined) throw new MinutebookError('duplicate_tool', `Two tools have the same name, ${twice}; give each its own.`, { tool: twice })
  return all
}
