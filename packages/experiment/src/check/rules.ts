import { isOfType, onlyOfModels, type Participant, type Variable } from '@minutebook/experiment/run'
import type { Definition, ToolDefinition } from '../definition.ts'
import { typeName, typeOf, typeOfVariable } from '../expression/type.ts'
import type { Finding } from '../problem.ts'
import { isRun, reservedNames } from '../scope.ts'
import { sizeWithin } from '../plain-value.ts'
import type { Names } from './references.ts'

/** Finds what is right by itself and does not fit together. */
export function checkRules(
  { environment, tools = {}, participants, limits = {} }: Definition,
  names: Names,
  registered?: readonly string[],
): Finding[] {
  return [
    ...Object.entries(environment).flatMap(([name, variable]) => checkVariable(name, variable)),
    ...Object.entries(tools).flatMap(([name, tool]) => checkTool(name, tool, registered)),
    ...Object.entries(participants).flatMap(([name, participant]) => checkPerson(name, participant)),
    ...(limits.cost === undefined
      ? []
      : Object.values(participants)
          .flatMap(({ model }) => model?.name ?? [])
          .filter((model) => !names.prices.includes(model))
          .slice(0, 1)
          .map((model): Finding => ({
            path: ['limits', 'cost'],
            problem: `nothing is known of the cost of "${model}"`,
            fix: 'write its price under "prices"',
          }))),
  ]
}

/** What helps a model, or is called by one, is nothing to a person. */
function checkPerson(name: string, participant: Participant): Finding[] {
  if (!participant.person) return []
  return onlyOfModels
    .filter((field) => participant[field] !== undefined)
    .map((field) => ({
      path: ['participants', name, field],
      isName: true,
      problem: `a person has no ${field}`,
      fix: 'leave it out, or leave out "person"',
    }))
}

function checkVariable(name: string, { type, initial }: Variable): Finding[] {
  if (reservedNames.has(name))
    return [
      {
        path: ['environment', name],
        isName: true,
        problem: `"${name}" means something else in expressions`,
        fix: 'choose another name',
      },
    ]
  if (sizeWithin(initial) === undefined)
    return [
      {
        path: ['environment', name],
        problem: 'is too large at first',
        fix: 'keep less in it: 100000 characters and items together, at most 32 deep',
      },
    ]
  if (isOfType(type, initial)) return []
  const wanted = type === 'integer' ? 'a whole number' : typeName(typeOfVariable(type))
  const found = typeof initial === 'number' ? 'a number with a fraction' : typeName(typeOf(initial))
  return [
    {
      path: ['environment', name],
      problem: `must be ${wanted}, and is ${found} at first`,
      fix: 'fix its type or its initial value',
    },
  ]
}

function checkTool(name: string, tool: ToolDefinition, registered: readonly string[] | undefined): Finding[] {
  const path = ['tools', name]
  const runners = (['module', 'http', 'mcp', 'use'] as const).filter((one) => tool[one] !== undefined)
  const found: Finding[] = []
  if (name === 'tell')
    found.push({ path, isName: true, problem: 'participants have a tool "tell" already', fix: 'choose another name' })
  if (runners.length > 1)
    found.push({ path, problem: `it is run by ${runners.join(' and by ')}`, fix: 'leave one of them' })
  if (isRun(tool) && tool.result !== undefined)
    found.push({
      path: [...path, 'result'],
      isName: true,
      problem: 'what it gives is said by who runs it',
      fix: 'leave it out; "changes" can use what it gives as result',
    })
  if (!isRun(tool) && (tool.mayRepeat !== undefined || tool.timeout !== undefined))
    found.push({
      path: [...path, tool.timeout === undefined ? 'mayRepeat' : 'timeout'],
      isName: true,
      problem: 'only a tool that is run has this',
      fix: 'leave it out',
    })
  if (tool.http && tool.parameters === undefined)
    found.push({ path, problem: 'it has no parameters', fix: 'write them, or "parameters: {}" where it needs none' })
  if (tool.mcp && (tool.mcp.command === undefined) === (tool.mcp.url === undefined))
    found.push({ path: [...path, 'mcp'], problem: 'must have either command or url', fix: 'write one of them' })
  if (tool.mcp?.command && tool.mcp.headers)
    found.push({
      path: [...path, 'mcp', 'headers'],
      isName: true,
      problem: 'a command has no headers',
      fix: 'leave them out',
    })
  if (tool.use !== undefined && registered && !registered.includes(tool.use))
    found.push({
      path: [...path, 'use'],
      problem: `no tool is registered under "${tool.use}"`,
      fix: registered.length === 0 ? 'none is registered here' : `there is ${registered.join(', ')}`,
    })
  return found
}
