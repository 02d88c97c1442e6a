import { parseJson } from '../log/canonical.ts'
import type { Entry } from '../log/entry.ts'
import { argumentsText, type Call } from '../log/message.ts'
import type { Validated } from '../state/schema.ts'
import type { Clock } from '../record/clock.ts'
import type { Tool, ToolContext } from './tool.ts'
import { wellFormed } from '../log/well-formed.ts'

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

/** Runs one call to its end. Never throws: what goes wrong is the result. `names`: of the tools that there are, for a call of another. */
export async function runTool(tool: Tool | undefined, call: Call, context: ToolContext, clock: Clock | undefined, names: readonly string[] = []): Promise<ToolOutcome> {
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
    return await Promise.race([aborted(controller.signal), perform(tool, given, { ...context, signal: controller.signal }), ...overtime(tool, clock, controller.signal)])
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

function overtime({ timeout }: Tool, clock: Clock | undefined, signal: AbortSignal): Promise<ToolOutcome>[] {
  if (timeout === undefined || !clock) return []
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
  return issues.map(({ message, path }) => (path?.length ? `${path.map(segment).join('.')}: ${message}` : message)).join('; ')
}

function segment(part: unknown): string {
  return typeof part === 'object' && part !== null && 'key' in part ? String(part.key) : String(part)
}
