import { printableLine, type KnownKey } from '@minutebook/server'
import { isActive } from '../connection/active-key.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { padded, wrapped } from '../terminal/text.ts'

/** The result of one check. */
export interface Check {
  readonly what:
    | 'configuration'
    | 'server'
    | 'keys'
    | 'upstream'
    | 'models'
    | 'window'
    | 'template'
    | 'counter'
    | 'tools'
    | 'store'
    | 'record'
    | 'clock'
  readonly state: 'ok' | 'warn' | 'bad'
  /** What was found. */
  readonly says: string
  /** What to change. Undefined if nothing is wrong. */
  readonly fix?: string
}

export function ok(what: Check['what'], says: string): Check {
  return { what, state: 'ok', says }
}

export function warn(what: Check['what'], says: string, fix: string): Check {
  return { what, state: 'warn', says, fix }
}

export function bad(what: Check['what'], says: string, fix: string): Check {
  return { what, state: 'bad', says, fix }
}

/** Each check on a line, and below it what to change. */
export function checkLines(checks: readonly Check[], { paint, textColumns }: Terminal): string[] {
  const marks = { ok: paint.green('✓'), warn: paint.yellow('!'), bad: paint.red('✗') }
  const margin = 16
  const width = Math.max(24, textColumns() - margin)
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

/** Whether clients need a key, and whether there is one. Nothing of a gateway that never had a key. */
export function keyChecks(known: readonly KnownKey[]): Check[] {
  if (known.length === 0) return []
  const active = known.filter((key) => isActive(key)).length
  return active > 0
    ? [ok('keys', `required: ${active} active`)]
    : [bad('keys', 'required, but none is active: no client has access', 'Create one: minutebook keys create <name>')]
}
