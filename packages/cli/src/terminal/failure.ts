import { messageForOperator, printable } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import type { Terminal } from './terminal.ts'

/** How a command ended. */
export type ExitCode = 0 | 1 | 2

/** Codes of errors that are not the record's fault, but of what was asked. */
const misuse: ReadonlySet<string> = new Set([
  'bad_address',
  'bad_config',
  'invalid_call',
  'invalid_experiment',
  'invalid_limit',
  'invalid_page',
  'invalid_run',
  'no_file',
  'no_name',
  'not_confirmed',
  'untrusted_config',
])

/** Says what went wrong and what to do, on `errors`, and with `--json` on `output` for programs. */
export function tellFailure(terminal: Terminal, error: unknown, json: boolean): ExitCode {
  const { code, message, fix } = MinutebookError.isInstance(error)
    ? { code: error.code, ...messageForOperator(error) }
    : { code: 'internal', message: textOf(error), fix: '' }
  const [first = '', ...more] = printable(fix === '' ? message : `${message} ${fix}`).split('\n')
  terminal.remark([`${terminal.paintErrors.red('✗')} ${first}`, ...more.map((line) => `  ${line}`)].join('\n'))
  const problems = MinutebookError.isInstance(error) ? error.details['problems'] : undefined
  if (json) terminal.print(safeJson({ error: { code, message, fix, ...(problems !== undefined && { problems }) } }))
  return misuse.has(code) ? 2 : 1
}

function textOf(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error)
}

/**
 * JSON that is safe to print: what a terminal could take for a command, or for a change of direction, is written as an
 * escape. The same value when it is read.
 */
export function safeJson(value: unknown, indent = 0): string {
  return withEscapes(JSON.stringify(value, null, indent))
}

/** The same for a text that is JSON already: outside of its strings there is nothing to write out. */
export function withEscapes(json: string): string {
  // oxlint-disable-next-line no-control-regex
  return json.replaceAll(/[\u007f-\u009f]|[\p{Cf}\p{Zl}\p{Zp}\p{Co}]/gu, inUnits)
}

function inUnits(character: string): string {
  let units = ''
  for (let index = 0; index < character.length; index++)
    units += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`
  return units
}
