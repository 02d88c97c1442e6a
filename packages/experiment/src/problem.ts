import { MinutebookError } from 'minutebook'

/** What is wrong with an experiment, where, and what to do about it. */
export interface Problem {
  /** From 1; only of what was read from a text. */
  readonly line?: number | undefined
  readonly column?: number | undefined
  /** `participants.alice.tools[1]` */
  readonly field: string
  readonly problem: string
  readonly fix: string
}

/** A problem that does not know yet where it stands in a text. */
export interface Finding {
  readonly path: Path
  /** Whether the name of the field is wrong, and not its value. */
  readonly isName?: boolean | undefined
  /** Characters from the beginning of the value. */
  readonly offset?: number | undefined
  readonly problem: string
  readonly fix: string
}

export type Path = readonly (string | number)[]

/** One line for people: `file.yaml:12:5 participants.alice.sees[0]: there is no variable "csh"; did you mean "cash"?` */
export function problemText({ line, column, field, problem, fix }: Problem, source?: string): string {
  const place = line === undefined ? source : `${source ?? 'line '}${source === undefined ? '' : ':'}${line}:${column}`
  const before = [place, field === '' ? undefined : `${field}:`].filter((part) => part !== undefined).join(' ')
  return `${before}${before === '' ? '' : ' '}${problem}; ${fix}${/[?.!]$/.test(fix) ? '' : '.'}`
}

export function invalidExperiment(problems: readonly Problem[], source?: string): MinutebookError {
  const count = problems.length === 1 ? 'One thing' : `${problems.length} things`
  const lines = problems.map((problem) => problemText(problem, source))
  return new MinutebookError('invalid_experiment', `${count} must be mended before this experiment can run:\n${lines.join('\n')}`, { problems, ...(source !== undefined && { source }) })
}

/** A path as people write it: `participants.alice.tools[1]`. */
export function fieldName(path: Path): string {
  return path.reduce<string>((name, part) => {
    if (typeof part === 'number') return `${name}[${part}]`
    if (!/^[A-Za-z_][A-Za-z0-9_-]*$/.test(part)) return `${name}[${JSON.stringify(part)}]`
    return name === '' ? part : `${name}.${part}`
  }, '')
}
