import type { Variable } from '@minutebook/experiment/run'
import type { ToolDefinition } from './definition.ts'
import type { Meaning } from './expression/code.ts'
import { Mistake, readExpression, type ExpressionScope } from './expression/expression.ts'
import { typeOfVariable, type Type } from './expression/type.ts'
import { parametersSchema } from './parameters.ts'

/** What the expressions of an experiment can use, by their place. */
export interface Scopes {
  readonly goal: ExpressionScope
  readonly hook: ExpressionScope
  requirement(tool: ToolDefinition): ExpressionScope
  result(tool: ToolDefinition): ExpressionScope
  change(tool: ToolDefinition): ExpressionScope
}

/** `others` are variables of which nothing but the name is known. */
export function scopesOf(environment: Readonly<Record<string, Variable>>, others: readonly string[] = []): Scopes {
  const unknown = others.map((name): [string, Meaning] => [name, { type: 'unknown' }])
  const known = Object.entries(environment).map(([name, { type }]): [string, Meaning] => [
    name,
    { type: typeOfVariable(type) },
  ])
  const variables = new Map<string, Meaning>([...unknown, ...known, ['round', { type: 'number' }]])
  const called = (tool: ToolDefinition): [string, Meaning][] => [
    ...variables,
    ['input', { type: 'map', fields: inputOf(tool) }],
    ['participant', { type: 'text' }],
  ]
  const result = (tool: ToolDefinition): ExpressionScope => ({ variables: new Map(called(tool)), chance: true })
  return {
    goal: { variables, chance: false },
    hook: { variables, chance: true },
    requirement: (tool) => ({ variables: new Map(called(tool)), chance: false }),
    result,
    change: (tool) => {
      const type = resultType(tool, result(tool))
      return {
        variables: new Map([...called(tool), ...(type === undefined ? [] : [['result', { type }] as const])]),
        chance: true,
      }
    },
  }
}

/** Names that have a meaning in expressions, so that a variable cannot have them. */
export const reservedNames: ReadonlySet<string> = new Set([
  'round',
  'input',
  'result',
  'participant',
  'random',
  'true',
  'false',
  'null',
  'in',
  'as',
  'break',
  'const',
  'continue',
  'else',
  'for',
  'function',
  'if',
  'import',
  'let',
  'loop',
  'package',
  'namespace',
  'return',
  'var',
  'void',
  'while',
  'prototype',
])

/** Whether it has a runner. */
export function isRun({ module, http, mcp, use }: ToolDefinition): boolean {
  return [module, http, mcp, use].some((one) => one !== undefined)
}

function resultType(tool: ToolDefinition, scope: ExpressionScope): Type | undefined {
  if (isRun(tool)) return 'unknown'
  if (tool.result === undefined) return undefined
  try {
    return readExpression(tool.result, scope).type
  } catch (error) {
    if (error instanceof Mistake) return 'unknown'
    throw error
  }
}

/** The arguments of a call; undefined if not all of them are known. */
function inputOf(tool: ToolDefinition): ReadonlyMap<string, Type> | undefined {
  const { parameters } = tool
  if (!parameters) return isRun(tool) ? undefined : new Map()
  const { properties, additionalProperties = false } = parametersSchema(parameters)
  if (additionalProperties !== false || typeof properties !== 'object' || properties === null) return undefined
  return new Map(Object.entries(properties).map(([name, schema]) => [name, typeOfSchema(schema)]))
}

function typeOfSchema(schema: unknown): Type {
  const type: unknown = typeof schema === 'object' && schema !== null && 'type' in schema ? schema.type : undefined
  return typeof type === 'string' ? (jsonTypes.get(type) ?? 'unknown') : 'unknown'
}

const jsonTypes: ReadonlyMap<string, Type> = new Map([
  ['number', 'number'],
  ['integer', 'number'],
  ['string', 'text'],
  ['boolean', 'boolean'],
  ['array', 'list'],
  ['object', 'map'],
])
