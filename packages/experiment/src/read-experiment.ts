import { examine, type CheckOptions } from './check-definition.ts'
import type { Definition } from './definition.ts'
import { invalidExperiment, toldOf } from './problem.ts'
import { readYaml } from './yaml-text.ts'

export interface ReadOptions extends CheckOptions {
  /** What the text is called in errors: the name of its file. */
  readonly source?: string | undefined
}

/**
 * Reads an experiment from YAML or JSON. Throws `invalid_experiment` with everything that is wrong, each with its line,
 * field and fix.
 *
 * @example
 * const definition = readExperiment(await readFile('stand.yaml', 'utf8'), { source: 'stand.yaml' })
 */
export function readExperiment(text: string, { source, registered }: ReadOptions = {}): Definition {
  const yaml = readYaml(text)
  if (yaml.problems.length > 0)
    throw invalidExperiment(yaml.problems.slice(0, mostProblems), source, yaml.problems.length)
  const { definition, findings } = examine(yaml.value, { registered })
  if (findings.length === 0) return definition
  const problems = toldOf(findings)
    .map((finding) => yaml.place(finding))
    .toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0) || (one.column ?? 0) - (other.column ?? 0))
  throw invalidExperiment(problems, source, findings.length)
}

const mostProblems = 100
