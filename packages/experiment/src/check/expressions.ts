import type { Assignments, Definition, ToolDefinition } from '../definition.ts'
import { Mistake, readExpression, type ExpressionScope } from '../expression/expression.ts'
import { mayBe, typeName, typeOfVariable, type Type } from '../expression/type.ts'
import type { Finding, Path } from '../problem.ts'
import { scopesOf } from '../scope.ts'
import type { Names } from './references.ts'

/** Reads every expression, and finds what is wrong with any of them. */
export function checkExpressions(definition: Definition, names: Names, broken: readonly Finding[]): Finding[] {
  const { environment, hooks = {}, goals = {}, tools = {} } = definition
  const wrong = new Set(broken.flatMap(({ path }) => (path[0] === 'tools' ? [path[1]] : [])))
  const scopes = scopesOf(environment, names.variables)
  const changes = (path: Path, assignments: Assignments | undefined, scope: ExpressionScope): Finding[] =>
    Object.entries(assignments ?? {}).flatMap(([name, text]) => {
      const type = environment[name]?.type
      return check([...path, name], text, scope, type && { type: typeOfVariable(type), variable: name })
    })
  const conditions = (path: Path, assignments: Assignments | undefined): Finding[] =>
    Object.entries(assignments ?? {}).flatMap(([name, text]) =>
      check([...path, name], text, scopes.goal, { type: 'boolean' }),
    )
  return [
    ...changes(['hooks', 'roundStart'], hooks.roundStart, scopes.hook),
    ...changes(['hooks', 'roundEnd'], hooks.roundEnd, scopes.hook),
    ...conditions(['goals', 'success'], goals.success),
    ...conditions(['goals', 'failure'], goals.failure),
    ...Object.entries(tools).flatMap(([name, tool]) => {
      const known = wrong.has(name) ? { ...tool, ...open } : tool
      const requirement = scopes.requirement(known)
      return [
        ...(tool.require ?? []).flatMap(({ when }, index) =>
          check(['tools', name, 'require', index, 'when'], when, requirement, { type: 'boolean' }),
        ),
        ...changes(['tools', name, 'changes'], tool.changes, scopes.change(known)),
        ...(tool.result === undefined ? [] : check(['tools', name, 'result'], tool.result, scopes.result(known))),
      ]
    }),
  ]
}

/** For a tool with a mistake, its parameters and its result are unknown. */
const open: ToolDefinition = { parameters: { type: 'object', properties: {}, additionalProperties: true }, use: '-' }

interface Wanted {
  readonly type: Type
  /** Whose value it becomes. */
  readonly variable?: string | undefined
}

function check(path: Path, text: string, scope: ExpressionScope, wanted?: Wanted): Finding[] {
  try {
    const { type } = readExpression(text, scope)
    return !wanted || mayBe(type, wanted.type) ? [] : [{ path, ...mismatch(type, wanted) }]
  } catch (error) {
    if (error instanceof Mistake) return [{ path, ...error.finding }]
    throw error
  }
}

function mismatch(type: Type, wanted: Wanted): Pick<Finding, 'problem' | 'fix'> {
  if (wanted.variable === undefined)
    return { problem: `must be true or false, and gives ${typeName(type)}`, fix: 'compare it, such as "cash >= 1000"' }
  return {
    problem: `"${wanted.variable}" is ${typeName(wanted.type)}, and this gives ${typeName(type)}`,
    fix: `give ${typeName(wanted.type)}`,
  }
}
