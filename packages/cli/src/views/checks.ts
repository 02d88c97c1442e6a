import { printableLine } from '@minutebook/server'
import type { Check } from '../doctor/check.ts'
import type { Terminal } from '../terminal.ts'
import { padded, wrapped } from '../text-width.ts'

/** Each check on a line, and below it what to change. */
export function checkLines(checks: readonly Check[], { paint, columns }: Terminal): string[] {
  const marks = { ok: paint.green('✓'), warn: paint.yellow('!'), bad: paint.red('✗') }
  const margin = 16
  const width = Math.max(24, columns() - margin)
  return checks.flatMap(({ what, state, says, fix }) => {
    const [first = '', ...rest] = wrapped(printableLine(says), width)
    const [todo, ...more] = fix === undefined ? [] : wrapped(printableLine(fix), width - 2)
    const below =
      todo === undefined
        ? []
        : [`${paint.bold('→')} ${paint.bold(todo)}`, ...more.map((line) => `  ${paint.bold(line)}`)]
    return [
      `${marks[state]} ${padded(what, margin - 2)}${first}`,
      ...[...rest, ...below].map((line) => `${' '.repeat(margin)}${line}`),
    ]
  })
}
