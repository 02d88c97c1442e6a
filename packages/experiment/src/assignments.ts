import type { Changes, Environment, Random, Value } from 'minutebook/experiment'
import type { Assignments } from './definition.ts'
import { readExpression, type ExpressionScope } from './expression/expression.ts'
import { checkSize } from './value-size.ts'

/** What expressions make of an environment; `words` are what they know beside it. */
export type Assign = (environment: Environment, words: Readonly<Record<string, Value>>, random: Random) => Changes

/** Expressions by variable become one function. They are evaluated in order, each with what those before it changed. */
export function assignments(definition: Assignments, scope: ExpressionScope): Assign {
  const all = Object.entries(definition).map(([name, text]) => ({ name, ...readExpression(text, scope) }))
  return (environment, words, random) => {
    const changes: Record<string, Value> = {}
    for (const { name, evaluate } of all) {
      const value = evaluate({ ...environment, ...changes, ...words }, random)
      checkSize(name, value)
      changes[name] = value
    }
    return changes
  }
}
