import { checkCounts } from './counts.ts'
import { checkExpressions } from './expressions.ts'
import { namesIn } from './references.ts'
import { checkReferences } from './references.ts'
import { checkRules } from './rules.ts'
import type { Definition } from '../definition.ts'
import { fieldName, invalidExperimentError, toldOf, type Finding, type Path } from '../problem.ts'
import { checkShape } from '../shape/shape.ts'
import { isPlain } from '../plain-value.ts'

/** How an experiment is checked. */
export interface CheckOptions {
  /** Names of registered tools, in addition to those that the experiment defines. */
  readonly registered?: readonly string[] | undefined
}

/**
 * Checks an experiment that arrives as data, and writes its short forms out. Throws `invalid_experiment` with
 * everything that is wrong.
 *
 * @example
 * const definition = checkDefinition(await request.json(), { registered: ['weather'] })
 */
export function checkDefinition(value: unknown, options: CheckOptions = {}): Definition {
  const { definition, findings } = examine(value, options)
  if (findings.length === 0) return definition
  throw invalidExperimentError(
    toldOf(findings).map(({ path, problem, fix }) => ({ field: fieldName(path), problem, fix })),
    undefined,
    findings.length,
  )
}

/** Everything that is wrong, and the experiment as far as it is right. */
export function examine(
  value: unknown,
  { registered }: CheckOptions,
): { readonly definition: Definition; readonly findings: readonly Finding[] } {
  if (!isPlain(value, deepest)) return { ...checkShape(undefined), findings: [unplain(value, [])] }
  const tooMany = checkCounts(value)
  if (tooMany.length > 0) return { ...checkShape(undefined), findings: tooMany }
  const { definition, findings } = checkShape(value)
  const names = namesIn(value)
  const found = [
    ...findings,
    ...checkReferences(definition, names, registered),
    ...checkRules(definition, names, registered),
    ...checkExpressions(definition, names, findings),
  ]
  return { definition, findings: found }
}

const deepest = 40

/** What keeps a value from being plain data, and its path. */
function unplain(value: unknown, path: Path): Finding {
  if (path.length > deepest)
    return {
      path: path.slice(0, shown),
      problem: `is nested too deep: more than ${deepest} levels`,
      fix: 'write it flatter',
    }
  if (isPlainItself(value)) {
    for (const [name, item] of Object.entries(value)) {
      const inner = [...path, Array.isArray(value) ? Number(name) : name]
      if (name === '__proto__')
        return {
          path: inner,
          isName: true,
          problem: '"__proto__" cannot be the name of a field',
          fix: 'choose another name',
        }
      if (!isPlain(item, deepest - inner.length)) return unplain(item, inner)
    }
  }
  return { path, problem: 'is not plain data', fix: 'write numbers, texts, true, false, lists and maps' }
}

/** Levels of a deep path that are named. */
const shown = 4

function isPlainItself(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === Array.prototype || prototype === null
}
