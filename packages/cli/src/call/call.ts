import {
  printable,
  printableLine,
  underivedCall,
  windowLimitText,
  type CallDump,
  type CallPlace,
  type UnderivedCall,
} from '@minutebook/server'
import type { MinutebookError } from 'minutebook'
import { cacheBreakText, callTimeText, type CacheUsage, type CallCost } from '@minutebook/inspect'
import type { SentOptions } from 'minutebook/inspect'
import { tokensRead } from 'minutebook/wire'
import { figure } from '../terminal/text.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { wrapped } from '../terminal/text.ts'

const bugText = '✗ not what was sent, although nothing was erased: this is a bug in Minutebook, please report it'

/** A call, with what is known of it in addition to its receipt. */
interface ShownCall extends CallPlace {
  readonly cache?: CacheUsage | null
  readonly cost?: CallCost | null
}

/** Which call it is, how it was sent, and whether what is shown is what was sent. */
export function callLines(call: ShownCall & Pick<CallDump, 'same' | 'erased'>, terminal: Terminal): string[] {
  const { paint, columns, command } = terminal
  const { truncated, window } = call.receipt
  return [
    ...factLines(call, terminal),
    call.same
      ? paint.green('✓ exactly what was sent')
      : paint.red(call.erased ? '✗ not what was sent: something in it was erased since' : bugText),
    ...('cache' in call ? cacheLines(call.cache, terminal) : []),
    ...(window ? wrapped(`! ${windowLimitText(window)}`, columns()) : []),
    ...(truncated === 'yes'
      ? [paint.red(`✗ the upstream truncated this prompt: the model did not see all of it. See: ${command('doctor')}`)]
      : []),
  ]
}

/** What the upstream had to read again, and why. */
function cacheLines(usage: CacheUsage | null | undefined, { columns }: Terminal): string[] {
  if (!usage?.why || !usage.cause) return []
  const { lost, seconds, why, cause, difference } = usage
  const took = seconds === undefined ? '' : ` (${seconds.toFixed(1)} s)`
  const byte = difference
    ? `. The first ${figure(difference.byte)} bytes of the prompt are the same (JSON of its tools, then of its messages)`
    : ''
  return wrapped(
    `! ${cacheBreakText(cause, why, difference?.message)}. ${figure(lost)} tokens${took} were read again${byte}`,
    columns(),
  )
}

/** How much of the previous prompt was kept, and what the server says. */
function keptTexts(usage: CacheUsage | null | undefined): string[] {
  if (!usage) return []
  const { kept, previous, cached } = usage
  return [
    previous === 0 ? 'nothing to keep' : `kept ${figure(kept)} of the previous ${figure(previous)}`,
    ...(cached === undefined ? [] : [`server reused ${figure(cached)}`]),
  ]
}

/** Which call it is, and how it was sent. */
function factLines(
  { thread, turn, call, model, receipt, cache, cost }: ShownCall,
  { paint, columns }: Terminal,
): string[] {
  const {
    tokens: { predicted, reported },
    options,
    outcome,
    mode,
    stabilised = [],
    told,
  } = receipt
  const read = tokensRead(reported)
  const facts = [
    turn === null ? 'a call on another branch' : `turn ${call}`,
    ...(model === null ? [] : [printableLine(model)]),
    ...(mode === undefined ? [] : [mode]),
    ...(stabilised.length === 0 ? [] : [`stabilised: ${stabilised.join(', ')}`]),
    `sent ≈ ${figure(predicted)} tokens`,
    read === undefined ? 'server read: not reported' : `server read ${figure(read)}`,
    ...keptTexts(cache),
    ...optionTexts(options),
    ...(outcome === 'stop' ? [] : [`ended: ${outcome}`]),
    ...(told?.window === undefined ? [] : [`the upstream has a window of ${figure(told.window)}`]),
  ]
  const took = callTimeText(receipt, { cost, cache })
  return [
    paint.bold(printableLine(thread)),
    ...wrapped(facts.join(' · '), columns()).map(paint.dim),
    ...(took === undefined ? [] : wrapped(took, columns())),
  ]
}

/** A call whose prompt cannot be derived here, and why. */
export interface Underived {
  readonly call: UnderivedCall
  readonly problem: string
  readonly fix: string
}

/** For `catch`: what is known of a call whose prompt cannot be derived. Throws any other error again. */
export function underived(error: unknown): Underived {
  const call = underivedCall(error)
  if (!call) throw error
  const { problem, fix, details } = error as MinutebookError
  const receipt = `const call = await book.thread(${JSON.stringify(call.thread)}).dump({ receipt: '${call.receipt.id}' })`
  return {
    call,
    problem,
    fix:
      details['missing'] === undefined
        ? fix
        : `To see the rest, open the book with the same counter and digesters in a program, and print explain(call) and call.text: ${receipt}`,
  }
}

/** What the receipt of a call says if its prompt cannot be derived here, why that is, and how to see the rest. */
export function underivedLines({ call, problem, fix }: Underived, terminal: Terminal): string[] {
  const { paint, columns } = terminal
  const { receipt, window, policy, counter } = call
  const verdicts = Object.entries<number>(receipt.verdicts).map(([verdict, count]) => `${figure(count)} ${verdict}`)
  const given = (what: string, name: string | null): string => `${what} ${name ?? 'unknown'}`
  return [
    ...factLines(call, terminal),
    `${figure(receipt.tokens.predicted)} of ${window === null ? 'an unknown number of' : figure(window)} tokens · entries: ${verdicts.join(', ')}`,
    paint.dim(printableLine(`${given('policy', policy)} · ${given('counter', counter)}`)),
    ...assumedLines(call.receipt, window, terminal),
    ...wrapped(`! ${printableLine(problem)} So only its receipt is shown.`, columns()),
    ...wrapped(printableLine(fix), columns()),
  ]
}

/** What was asked of the answer. */
function optionTexts({ temperature, seed, stop, output }: SentOptions = {}): string[] {
  return [
    ...(temperature === undefined ? [] : [`temperature ${temperature}`]),
    ...(seed === undefined ? [] : [`seed ${seed}`]),
    ...(stop === undefined ? [] : [`${stop.length} stop ${stop.length === 1 ? 'text' : 'texts'}`]),
    ...(output === undefined ? [] : [`output of schema ${output.hash.slice(0, 8)}${output.sent ? '' : ' (not sent)'}`]),
  ]
}

/** Says so if nothing tells how large the window is. */
export function assumedLines(
  { windowSource }: CallPlace['receipt'],
  window: number | null,
  { columns }: Pick<Terminal, 'columns'>,
): string[] {
  if (windowSource !== 'assumed') return []
  const assumed = window === null ? 'its size was assumed' : `${figure(window)} tokens were assumed`
  return wrapped(
    `! Neither the settings nor the model server say how large the window is: ${assumed}. Set "window" to the size that the model server uses.`,
    columns(),
  )
}

/** What the model saw, as text. Characters that hide or move text are written as escapes. */
export function dumpLines(dump: CallDump, terminal: Terminal): string[] {
  const { paint } = terminal
  const label = (line: string): string =>
    line.startsWith('--- ') && line.endsWith(' ---') ? paint.bold(paint.cyan(line)) : line
  const tools =
    dump.tools.length === 0
      ? []
      : ['', paint.bold(paint.cyan('--- TOOLS ---')), ...dump.tools.map((tool) => printable(JSON.stringify(tool)))]
  return [
    ...callLines(dump, terminal),
    paint.dim(`sha-256 ${dump.hash}`),
    '',
    ...printable(dump.text).split('\n').map(label),
    ...tools,
  ]
}
