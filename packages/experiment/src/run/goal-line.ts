import type { Value } from './experiment.ts'

/** A number that a goal compares a variable with. */
export interface GoalLine {
  /** Of the goal. */
  readonly name: string
  readonly kind: 'success' | 'failure'
  readonly variable: string
  readonly sign: Sign
  readonly value: number
}

type Sign = '≥' | '≤' | '>' | '<' | '='

/**
 * The goal lines in the plots: one for each comparison of a variable with a number, also inside of `&&` and `||`.
 *
 * @example
 * goalLinesOf({ goals: { success: { rich: 'cash >= 1000 && debt == 0' } } }).map(({ variable, value }) => [variable, value]) // [['cash', 1000], ['debt', 0]]
 */
export function goalLinesOf(definition: Value | undefined): readonly GoalLine[] {
  const goals = fieldOf(definition, 'goals')
  return (['success', 'failure'] as const).flatMap((kind) => {
    const named = fieldOf(goals, kind)
    if (typeof named !== 'object' || named === null || Array.isArray(named)) return []
    return Object.entries(named).flatMap(([name, expression]) =>
      typeof expression === 'string' ? linesIn(expression).map((line) => ({ name, kind, ...line })) : [],
    )
  })
}

/** What the definition says about a variable, such as its unit. */
export function descriptionIn(definition: Value | undefined, variable: string): string | undefined {
  const description = fieldOf(fieldOf(fieldOf(definition, 'environment'), variable), 'description')
  return typeof description === 'string' ? description : undefined
}

/** The field of a map. Undefined if the value is not a map, or has no such field. */
export function fieldOf(value: Value | undefined, name: string): Value | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || !Object.hasOwn(value, name))
    return undefined
  return (value as { readonly [name: string]: Value })[name]
}

function linesIn(expression: string): readonly Pick<GoalLine, 'variable' | 'sign' | 'value'>[] {
  return expression
    .slice(0, longest)
    .split('&&')
    .flatMap((part) => part.split('||'))
    .flatMap((part) => {
      const text = bare(part)
      const first = variableFirst.exec(text)
      if (first) return [{ variable: first[1]!, sign: signs[first[2]!]!.sign, value: Number(first[3]) }]
      const last = numberFirst.exec(text)
      return last ? [{ variable: last[3]!, sign: signs[last[2]!]!.turned, value: Number(last[1]) }] : []
    })
}

/** Of an expression. */
const longest = 4000
const variableFirst = /^([A-Za-z]\w{0,39})\s{0,9}(>=|<=|==|>|<)\s{0,9}(-?\d{1,15}(?:\.\d{1,15})?)$/
const numberFirst = /^(-?\d{1,15}(?:\.\d{1,15})?)\s{0,9}(>=|<=|==|>|<)\s{0,9}([A-Za-z]\w{0,39})$/
/** Each sign as it is shown, and with its sides exchanged. */
const signs: Readonly<Record<string, { readonly sign: Sign; readonly turned: Sign }>> = {
  '>=': { sign: '≥', turned: '≤' },
  '<=': { sign: '≤', turned: '≥' },
  '>': { sign: '>', turned: '<' },
  '<': { sign: '<', turned: '>' },
  '==': { sign: '=', turned: '=' },
}

/** Without spaces and parentheses around it. */
function bare(part: string): string {
  let [from, to] = [0, part.length]
  while (from < to && ' \n\t('.includes(part[from]!)) from++
  while (to > from && ' \n\t)'.includes(part[to - 1]!)) to--
  return part.slice(from, to)
}
