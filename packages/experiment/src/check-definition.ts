import { checkExpressions } from './check/expressions.ts'
import { namesIn } from './check/names.ts'
import { checkReferences } from './check/references.ts'
import { checkRules } from './check/rules.ts'
import type { Definition } from './definition.ts'
import { fieldName, invalidExperiment, type Finding } from './problem.ts'
import { checkShape } from './shape/check-shape.ts'
import { isPlain } from './shape/plain-value.ts'

export interface CheckOptions {
  /** Names of tools that whoever runs the experiment has, beside those that it defines. */
  readonly registered?: readonly string[] | undefined
}

/**
 * Checks an experiment that arrives as data, and writes its short forms out. Throws `invalid_experiment` with everything that is wrong.
 *
 * @example
 * const definition = checkDefinition(await request.json(), { registered: ['weather'] })
 */
export function checkDefinition(value: unknown, options: CheckOptions = {}): Definition {
  const { definition, findings } = examine(value, options)
  if (findings.length === 0) return definition
  throw invalidExperiment(findings.map(({ path, problem, fix }) => ({ field: fieldName(path), problem, fix })))
}

/** Everything that is wrong, and the experiment as far as it is right. */
export function examine(value: unknown, { registered }: CheckOptions): { readonly definition: Definition; readonly findings: readonly Finding[] } {
  if (!isPlain(value, deepest)) return { ...checkShape(undefined), findings: [{ path: [], problem: 'this is no plain data', fix: `write numbers, texts, true, false, lists and maps, at most ${deepest} deep` }] }
  const { definition, findings } = checkShape(value)
  const names = namesIn(value)
  const found = [...findings, ...checkReferences(definition, names, registered), ...checkRules(definition, names, registered), ...checkExpressions(definition, names, findings)]
  return { definition, findings: found }
}

const deepest = 40
