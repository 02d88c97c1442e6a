import {
  createWork,
  type Changes,
  type Environment,
  type Random,
  type Value,
  type Work,
} from '@minutebook/experiment/run'
import type { Assignments } from './definition.ts'
import { readExpression, type ExpressionScope } from './expression/expression.ts'
import { checkedSize } from './value-size.ts'

/** What expressions make of an environment; `words` are what they know beside it. */
export type Assign = (
  environment: Environment,
  words: Readonly<Record<string, Value>>,
  random: Random,
  work?: Work,
) => Changes

/** Expressions by variable become one function. They are evaluated in order, each with what those before it changed. */
export function assignments(definition: Assignments, scope: ExpressionScope): Assign {
  const all = Object.entries(definition).map(([name, text]) => ({ name, ...readExpression(text, scope) }))
  return (environment, words, random, work = createWork()) => {
    const changes: Record<string, Value> = {}
    const values: Record<string, Value> = { ...environment, ...words }
    for (const { name, evaluate } of all) {
      const value = evaluate(values, random, work)
      work.spend(checkedSize(name, value))
      changes[name] = value
      if (!Object.hasOwn(words, name)) values[name] = value
    }
    return changes
  }
}
