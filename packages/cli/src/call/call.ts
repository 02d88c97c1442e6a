import { printable, printableLine, windowLimitText, type CallDump, type CallPlace } from '@minutebook/server'
import { tokensRead } from 'minutebook/wire'
import { figure } from '../terminal/text.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { wrapped } from '../terminal/text.ts'

const otherwise = '✗ not what was sent, though nothing was erased: a fault of Minutebook, please report it'

/** Which call it is, how it was sent, and whether what is shown is what was sent. */
export function callLines(
  { thread, turn, model, receipt, same, erased }: CallPlace & { readonly same: boolean; readonly erased: boolean },
  { paint, columns }: Terminal,
): string[] {
  const {
    tokens: { predicted, reused, reported },
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
    read === undefined ? 'server read: not told' : `server read ${figure(read)}`,
    `${figure(reused)} reused`,
    ...(outcome === 'stop' ? [] : [`ended: ${outcome}`]),
    ...(windowSource === 'assumed' ? ['nobody says how large the window is'] : []),
    ...(told?.window === undefined ? [] : [`the upstream has a window of ${figure(told.window)}`]),
  ]
  return [
    paint.bold(printableLine(thread)),
    ...wrapped(facts.join(' · '), columns()).map(paint.dim),
    same
      ? paint.green('✓ exactly what was sent')
      : paint.red(erased ? '✗ not what was sent: something in it was erased since' : otherwise),
    ...(window ? wrapped(`! ${windowLimitText(window)}`, columns()) : []),
    ...(truncated === 'yes'
      ? [paint.red('✗ the upstream cut this prompt: the model did not see all of it. See: minutebook doctor')]
      : []),
  ]
}

/** What the model saw, as text: the engine has written out all that hides or moves text. */
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
