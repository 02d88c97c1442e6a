import { printable, printableLine, windowLimitText, type CallDump, type CallPlace } from '@minutebook/server'
import type { SentOptions } from 'minutebook/inspect'
import { tokensRead } from 'minutebook/wire'
import { figure } from '../terminal/text.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { wrapped } from '../terminal/text.ts'

const bugText = '✗ not what was sent, although nothing was erased: this is a bug in Minutebook, please report it'

/** Which call it is, how it was sent, and whether what is shown is what was sent. */
export function callLines(
  { thread, turn, model, receipt, same, erased }: CallPlace & { readonly same: boolean; readonly erased: boolean },
  { paint, columns }: Terminal,
): string[] {
  const {
    tokens: { predicted, reused, reported },
    options,
    outcome,
    mode,
    truncated,
    told,
    window,
    windowSource,
  } = receipt
  const read = tokensRead(reported)
  const facts = [
    turn === null ? 'a call on another branch' : `turn ${figure(turn)}`,
    ...(model === null ? [] : [printableLine(model)]),
    ...(mode === undefined ? [] : [mode]),
    `sent ≈ ${figure(predicted)} tokens`,
    read === undefined ? 'server read: not reported' : `server read ${figure(read)}`,
    `${figure(reused)} reused`,
    ...optionTexts(options),
    ...(outcome === 'stop' ? [] : [`ended: ${outcome}`]),
    ...(windowSource === 'assumed' ? ['window size unknown'] : []),
    ...(told?.window === undefined ? [] : [`the upstream has a window of ${figure(told.window)}`]),
  ]
  return [
    paint.bold(printableLine(thread)),
    ...wrapped(facts.join(' · '), columns()).map(paint.dim),
    same
      ? paint.green('✓ exactly what was sent')
      : paint.red(erased ? '✗ not what was sent: something in it was erased since' : bugText),
    ...(window ? wrapped(`! ${windowLimitText(window)}`, columns()) : []),
    ...(truncated === 'yes'
      ? [paint.red('✗ the upstream truncated this prompt: the model did not see all of it. See: minutebook doctor')]
      : []),
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
