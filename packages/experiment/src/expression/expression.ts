import {
  type Changes,
  createWork,
  type Environment,
  type Random,
  type Value,
  type Work,
} from '@minutebook/experiment/run'
import type { Assignments } from '../definition.ts'
import { checkedSize } from '../plain-value.ts'
import { build } from './build.ts'
import { frameOf, type Meaning, Mistake } from './code.ts'
import { parse } from './parse.ts'
import type { Type } from './type.ts'

/** What an expression can speak of. */
export interface ExpressionScope {
  readonly variables: ReadonlyMap<string, Meaning>
  /** Whether it may roll dice. */
  readonly chance: boolean
}

/** An expression that was read and found right. */
interface Expression {
  /** The type of its result, as far as that is known. */
  readonly type: Type
  /**
   * Throws `expression_failed` if values do not allow an outcome, or finding it takes too much work. `work`: what it
   * may do together with others; Default: its own.
   */
  readonly evaluate: (values: Readonly<Record<string, Value>>, random?: Random, work?: Work) => Value
}

/**
 * Reads an expression: the grammar is CEL's; there is one kind of number, as in JSON; all that it does is bounded.
 *
 * @example
 * const { evaluate } = readExpression('cash >= 1000', { variables: new Map([['cash', { type: 'number' }]]), chance: false })
 */
export function readExpression(text: string, { variables, chance }: ExpressionScope): Expression {
  const { type, run, size } = build(parse(text), { variables, chance, locals: new Map(), depth: 0 })
  return {
    type,
    evaluate: (values, random, work = createWork()) => {
      const frame = frameOf(values, random, work)
      frame.spend(size)
      return run(frame)
    },
  }
}

/** Applies expressions to an environment. `words`: the other names that they know. */
export type Assign = (
  environment: Environment,
  words: Readonly<Record<string, Value>>,
  random: Random,
  work?: Work,
) => Changes

/** Expressions by variable become one function. They are evaluated in order, each with what those before it changed. */
export function readAssignments(definition: Assignments, scope: ExpressionScope): Assign {
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

export { Mistake }
