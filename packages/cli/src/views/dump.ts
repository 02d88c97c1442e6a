import { printable, type CallDump } from '@minutebook/server'
import type { Terminal } from '../terminal.ts'
import { callLines } from './call.ts'

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
