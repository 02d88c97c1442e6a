import { messageForOperator, printable } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import type { Terminal } from './terminal.ts'

/** How a command ended. */
export type ExitCode = 0 | 1 | 2

/** Error codes that mean wrong use of the command. Its exit code is then 2. */
const misuse: ReadonlySet<string> = new Set([
  'bad_address',
  'bad_config',
  'ambiguous_call',
  'invalid_call',
  'invalid_decision',
  'invalid_experiment',
  'invalid_limit',
  'invalid_page',
  'invalid_run',
  'no_file',
  'no_name',
  'not_confirmed',
  'unknown_agent',
  'untrusted_config',
])

/** Prints what went wrong and how to fix it on `errors`, and with `--json` also on `output`. */
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
 * JSON that is safe to print: characters that could control a terminal or change the direction of text are escaped. It
 * parses to the same value.
 */
export function safeJson(value: unknown, indent = 0): string {
  return withEscapes(JSON.stringify(value, null, indent))
}

/** The same for a text that is JSON already. Outside its strings there is nothing to escape. */
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
