import { MinutebookError } from 'minutebook'
import { nearestName } from 'minutebook/inspect'

/** What is wrong with an experiment, where, and what to do about it. */
export interface Problem {
  /** From 1; only for what was read from a text. */
  readonly line?: number | undefined
  readonly column?: number | undefined
  /** `participants.alice.tools[1]` */
  readonly field: string
  readonly problem: string
  readonly fix: string
}

/** A problem without its position in a text. */
export interface Finding {
  readonly path: Path
  /** Whether the name of the field is wrong, and not its value. */
  readonly isName?: boolean | undefined
  /** Characters from the beginning of the value. */
  readonly offset?: number | undefined
  readonly problem: string
  readonly fix: Fix
}

/** The same, with words for what to do. */
export interface ToldFinding extends Finding {
  readonly fix: string
}

export type Path = readonly (string | number)[]

/**
 * One line for people: `file.yaml:12:5 participants.alice.sees[0]: there is no variable "csh"; did you mean "cash"?`
 */
export function problemText({ line, column, field, problem, fix }: Problem, source?: string): string {
  const place = line === undefined ? source : `${source ?? 'line '}${source === undefined ? '' : ':'}${line}:${column}`
  const before = [place, field === '' ? undefined : `${field}:`].filter((part) => part !== undefined).join(' ')
  return `${before}${before === '' ? '' : ' '}${problem}; ${fix}${/[?.!]$/.test(fix) ? '' : '.'}`
}

/** Findings with their fixes in words, up to a limit. Slow suggestions are looked up for the first of them only. */
export function toldOf(findings: readonly Finding[]): readonly ToldFinding[] {
  return findings
    .slice(0, mostTold)
    .map((finding, index) => ({ ...finding, fix: fixText(finding.fix, index < mostSought) }))
}

const mostTold = 100
const mostSought = 20

/** `count`: how many there are, if not all of them are listed. */
export function invalidExperimentError(
  problems: readonly Problem[],
  source?: string,
  count: number = problems.length,
): MinutebookError {
  const things = count === 1 ? 'One thing' : `${count} things`
  const lines = problems.map((problem) => problemText(problem, source))
  if (count > problems.length) lines.push(`… and ${count - problems.length} more`)
  return new MinutebookError(
    'invalid_experiment',
    `${things} must be fixed before this experiment can run:\n${lines.join('\n')}`,
    '',
    { problems, ...(source !== undefined && { source }) },
  )
}

/** A path as people write it: `participants.alice.tools[1]`. */
export function fieldName(path: Path): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`
    if (!/^[A-Za-z_][A-Za-z0-9_-]*$/.test(part)) return `${name}[${JSON.stringify(part)}]`
    return name === '' ? part : `${name}.${part}`
  }, '')
}

/** What to do about a problem: in words, or a name that is not known among those that are. */
export type Fix = string | UnknownName

/** Similar names are looked up only for findings that are shown: that takes time for each of them. */
interface UnknownName {
  readonly name: string
  readonly known: readonly string[]
  /** Said too if no known name is near. */
  readonly otherwise?: string | undefined
}

/** In words. `isSought`: whether a known name that is near is looked for. */
export function fixText(fix: Fix, isSought = true): string {
  if (typeof fix === 'string') return fix
  const { name, known, otherwise } = fix
  const near = isSought ? nearestName(name, known) : undefined
  if (near !== undefined) return `did you mean "${near}"?`
  return `${among(known)}${otherwise === undefined ? '' : `; ${otherwise}`}`
}

function among(known: readonly string[]): string {
  if (known.length === 0) return 'there are none'
  return `there is ${known.slice(0, mostShown).join(', ')}${known.length > mostShown ? ', …' : ''}`
}

const mostShown = 20

/** What to do, as a sentence of its own: `write "a"` becomes `Write "a".` */
export function sentence(fix: string): string {
  return `${fix.charAt(0).toUpperCase()}${fix.slice(1)}${/[.?]$/.test(fix) ? '' : '.'}`
}
