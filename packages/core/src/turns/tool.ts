import type { Clock } from '../log/clock.ts'
import type { EntryDraft } from '../log/draft.ts'
import type { Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { parseJson, wellFormed } from '../log/json.ts'
import { argumentsText, type Call, type Message } from '../log/message.ts'
import type { ToolSchema } from '../models/model.ts'
import type { OutputOf, Schema, StateReader, Validated } from '../state/state.ts'

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
  /** Milliseconds after which it is given up. */
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

/**
 * The tools as both protocols take them, in order of name: the order in which they are passed must not cost a prompt
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
    throw new MinutebookError('duplicate_tool', `Two tools have the same name, ${twice}; give each its own.`, {
      tool: twice,
    })
  return all
}

/** How a call ended, and what the model is told. */
export interface ToolOutcome {
  readonly text: string
  readonly status: Exclude<Entry['status'], 'erased'>
}

/** What stands in for results that never came. In round brackets, like the compiler's own. */
export const interruptions = {
  cancelled: '(cancelled: this call was given up before it had a result)',
  unknown: '(interrupted: this call may or may not have taken effect, and was not run again)',
  unrun: '(interrupted: this call was not run)',
} as const

/**
 * Runs one call to its end. Never throws: what goes wrong is the result. `names`: of the tools that there are, for a
 * call of another.
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
  // Parsed for each run: what a tool does to its input must not change the log.
  const given = parseJson(argumentsText(call) || '{}')
  if (given === undefined) return failed('the arguments are not valid JSON')
  const controller = new AbortController()
  const cancel = (): void => controller.abort(context.signal.reason)
  context.signal.addEventListener('abort', cancel, { once: true })
  try {
    // What a tool does after it was given up concerns nobody.
    return await Promise.race([
      aborted(controller.signal),
      perform(tool, given, { ...context, signal: controller.signal }),
      ...overtime(tool, clock, controller.signal),
    ])
  } catch (error) {
    return context.signal.aborted ? cancelled : failed(reasonOf(error))
  } finally {
    context.signal.removeEventListener('abort', cancel)
    controller.abort()
  }
}

async function perform(tool: Tool, given: unknown, context: ToolContext): Promise<ToolOutcome> {
  const checked = tool.input ? await tool.input['~standard'].validate(given) : { value: given }
  if (checked.issues) return failed(`the arguments do not fit: ${issuesText(checked)}`)
  return limited(tool, await tool.run(checked.value, context))
}

/** Resolves with the outcome of a cancelled call once the signal aborts. */
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
  // A character that is cut in two is not kept.
  const kept = wellFormed(text.slice(0, limit))
  return { text: `${kept}\n(${text.length - kept.length} characters of this result were not kept)`, status: 'partial' }
}

const cancelled: ToolOutcome = { text: interruptions.cancelled, status: 'cancelled' }

function failed(reason: string): ToolOutcome {
  return { text: `(failed: ${reason.slice(0, 2000)})`, status: 'failed' }
}

/** As many names as have room. */
function namesText(names: readonly string[]): string {
  if (names.length === 0) return 'there are none'
  let length = 0
  const told = names.filter((name) => (length += name.length + 2) <= 400)
  return `there are: ${[...told, ...(told.length < names.length ? [`${names.length - told.length} more`] : [])].join(', ')}`
}

/** Anything can be thrown. */
function reasonOf(error: unknown): string {
  const { message } = Object(error) as { message?: unknown }
  if (typeof message === 'string') return message
  return typeof error === 'string' ? error : 'it threw something that is no error'
}

function issuesText({ issues = [] }: Validated<unknown>): string {
  return issues
    .map(({ message, path }) => (path?.length ? `${path.map(segment).join('.')}: ${message}` : message))
    .join('; ')
}

function segment(part: unknown): string {
  return typeof part === 'object' && part !== null && 'key' in part ? String(part.key) : String(part)
}

/** In the protocol that the call came in: OpenAI's goes by ids, Ollama's by names. */
export function resultDraft({ id, name, arguments: given }: Call, { text, status }: ToolOutcome): EntryDraft {
  const message: Message = {
    role: 'tool',
    ...(id !== undefined && { tool_call_id: id }),
    ...((id === undefined || typeof given !== 'string') && { tool_name: name }),
    content: text,
  }
  return { message, facts: { status } }
}
