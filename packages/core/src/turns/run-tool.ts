import { MinutebookError } from '../log/error.ts'
import { wellFormed } from '../log/json.ts'
import { inputOf, type Call } from '../log/message.ts'
import type { KeptDecision } from '../log/open-call.ts'
import type { Clock } from '../log/time.ts'
import type { SchemaResult } from '../state/state.ts'
import { interruptions, reasonOf, type Tool, type ToolContext, type ToolOutcome } from './tool.ts'

/**
 * How does one tool call run? Never throws: an error becomes the result. `names`: the existing tools, listed for the model if
 * it calls another one. `taken`: the decision that it may run, perhaps with another input.
 */
export async function runTool(
  tool: Tool | undefined,
  call: Call,
  context: ToolContext,
  clock: Clock,
  names: readonly string[] = [],
  taken?: KeptDecision,
): Promise<ToolOutcome> {
  if (context.signal.aborted) return cancelled
  if (!tool) return failed(`there is no tool of this name; ${namesText(names)}`)
  const changed = taken && changedInput(taken)
  // Parsed again for each run: a tool that changes its input changes neither the log nor `context.call`.
  const given = changed ?? inputOf(call)
  if (given === undefined) return failed('the arguments are not valid JSON')
  const controller = new AbortController()
  const cancel = (): void => controller.abort(context.signal.reason)
  context.signal.addEventListener('abort', cancel, { once: true })
  try {
    // After an abort or a timeout the tool may go on: its result is ignored.
    return await Promise.race([
      aborted(controller.signal),
      perform(tool, given, { ...context, signal: controller.signal }).then((outcome) =>
        changed === undefined ? outcome : { ...outcome, text: changedText(changed) + outcome.text },
      ),
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
  return limited(tool, await tool.run?.(checked.value, { ...context, context: given.value }))
}

function changedInput({ decision }: KeptDecision): unknown {
  return decision.do === 'run' ? decision.input : undefined
}

/** The call in the log has the model's own arguments, so its result says which ones were used. */
function changedText(input: unknown): string {
  return `(run with other arguments, which a person chose: ${JSON.stringify(input)})\n`
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

export function limited({ limit = 262_144 }: Pick<Tool, 'limit'>, value: unknown): ToolOutcome {
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

/** What is wrong with a value, in one line. */
export function issuesText({ issues = [] }: SchemaResult<unknown>): string {
  return issues
    .map(({ message, path }) => (path?.length ? `${path.map(segment).join('.')}: ${message}` : message))
    .join('; ')
}

function segment(part: unknown): string {
  return typeof part === 'object' && part !== null && 'key' in part ? String(part.key) : String(part)
}
