import type { YAMLError } from 'yaml'
import type { Problem } from './problem.ts'

/** What is wrong with a text, as the library says it. */
export type YamlFault = Pick<YAMLError, 'code' | 'message' | 'pos'>

/** What keeps a text from being YAML: one problem per line, without consequences of another. */
export function yamlProblems(
  { errors, warnings }: { readonly errors: readonly YamlFault[]; readonly warnings: readonly YamlFault[] },
  text: string,
  at: (offset: number) => { readonly line: number; readonly column: number },
): readonly Problem[] {
  // A value that begins with "!" is a tag to YAML, and what is left of it would be another value.
  const tags = warnings.filter(({ code }) => code === 'TAG_RESOLVE_FAILED')
  const own = errors.filter(({ message }) => !message.includes(following))
  const lines = new Map<number, Problem>()
  for (const {
    message,
    code,
    pos: [offset],
  } of [...(own.length > 0 ? own : errors), ...tags].toSorted((one, other) => one.pos[0] - other.pos[0])) {
    const place = at(offset)
    if (!lines.has(place.line))
      lines.set(place.line, { ...place, field: '', ...wordsOf(code, message, lineAt(text, offset)) })
  }
  return [...lines.values()]
}

/** The library reports this for everything after the first unreadable place. */
const following = 'token in YAML stream'

function wordsOf(code: string, message: string, line: string): Pick<Problem, 'problem' | 'fix'> {
  if (misread.has(code) && looksLikeExpression(line))
    return { problem: 'YAML takes a part of this expression for something else', fix: 'put the expression in quotes' }
  return { problem: `this is not YAML: ${firstLine(message)}`, fix: hints.get(code) ?? 'fix that line' }
}

/** What expressions without quotes lead to. */
const misread: ReadonlySet<string> = new Set([
  'BLOCK_AS_IMPLICIT_KEY',
  'BLOCK_IN_FLOW',
  'UNEXPECTED_TOKEN',
  'BAD_SCALAR_START',
  'TAG_RESOLVE_FAILED',
  'BAD_ALIAS',
  'MULTILINE_IMPLICIT_KEY',
])

const hints: ReadonlyMap<string, string> = new Map([
  ['DUPLICATE_KEY', 'leave one of them'],
  ['BAD_INDENT', 'indent it like its neighbours, with spaces'],
  ['TAB_AS_INDENT', 'indent with spaces'],
  ['MISSING_CHAR', 'close quotes and brackets'],
  ['BLOCK_AS_IMPLICIT_KEY', 'put a text that holds ": " in quotes'],
  ['BLOCK_IN_FLOW', 'put a text that holds ": " in quotes'],
  ['BAD_SCALAR_START', 'put the text in quotes'],
  ['TAG_RESOLVE_FAILED', 'put what begins with "!" in quotes'],
])

/** Whether the value of a field looks like a calculation, a comparison, a lookup or a call. */
function looksLikeExpression(line: string): boolean {
  const value = line.slice(line.indexOf(':') + 1)
  return (value.includes(' ? ') && value.includes(' : ')) || signs.test(value)
}

const signs = /[=!<>]=|&&|\|\|| [-+*/%<>] |["'] in |[\w\])}][[(]|[\])}]\.|: ?!|^ ?!/

/** The line of an offset, up to a limit. */
function lineAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', Math.max(0, offset - 1)) + 1
  const end = text.indexOf('\n', start)
  return text.slice(start, Math.min(end < 0 ? text.length : end, start + longestLine))
}

const longestLine = 1000

function firstLine(message: string): string {
  const line = message.split('\n', 1)[0] ?? ''
  return `${line.charAt(0).toLowerCase()}${line.slice(1)}`
}
