import type { Experiment, Goal, Hooks } from '@minutebook/experiment/run'
import { MinutebookError } from 'minutebook'
import type { Assignments, Definition } from './definition.ts'
import { readAssignments, readExpression } from './expression/expression.ts'
import { isRun, type Scopes, scopesOf } from './scope.ts'
import { compileTool } from './tool/compile-tool.ts'
import type { Runners } from './tool/runner.ts'

/** What an experiment needs in addition to its data. */
export interface CompileOptions {
  /** Runners of the tools that are not made of expressions alone: what `toolsOf` returns. */
  readonly tools?: Runners | undefined
}

/**
 * Makes an experiment that can be run of one that is data: its expressions become functions.
 *
 * @example
 * const experiment = compileExperiment(readExperiment(text))
 */
export function compileExperiment(definition: Definition, { tools: runners = {} }: CompileOptions = {}): Experiment {
  const {
    name,
    description,
    seed,
    environment,
    participants,
    rounds,
    limits,
    prices,
    tools = {},
    goals = {},
    hooks = {},
  } = definition
  const scopes = scopesOf(environment)
  const own = Object.entries(tools).map(
    ([tool, defined]) => [tool, compileTool(defined, runnerOf(tool, isRun(defined), runners), scopes)] as const,
  )
  const named = Object.values(participants)
    .flatMap(({ tools: some = [] }) => some)
    .filter((tool) => !Object.hasOwn(tools, tool))
  const others = [...new Set(named)].map(
    (tool) => [tool, compileTool({}, runnerOf(tool, true, runners), scopes)] as const,
  )
  return {
    name,
    ...(description !== undefined && { description }),
    ...(seed !== undefined && { seed }),
    environment,
    participants,
    tools: Object.fromEntries([...own, ...others]),
    ...(rounds && { rounds }),
    hooks: { ...hookOf('roundStart', hooks.roundStart, scopes), ...hookOf('roundEnd', hooks.roundEnd, scopes) },
    goals: { success: goalsOf(goals.success, scopes), failure: goalsOf(goals.failure, scopes) },
    ...(limits && { limits }),
    ...(prices && { prices }),
  }
}

function runnerOf(tool: string, isNeeded: boolean, runners: Runners): Runners[string] | undefined {
  if (!isNeeded) return undefined
  if (Object.hasOwn(runners, tool)) return runners[tool]
  throw new MinutebookError(
    'missing_tool',
    `The tool "${tool}" has no runner.`,
    'Pass what toolsOf(definition, …) returns as tools.',
    { tool },
  )
}

function hookOf(hook: keyof Hooks, definition: Assignments | undefined, scopes: Scopes): Hooks {
  if (!definition) return {}
  const assign = readAssignments(definition, scopes.hook)
  return {
    [hook]: ((environment, { round, random, work }) =>
      assign(environment, { round }, random, work)) satisfies Hooks['roundStart'],
  }
}

function goalsOf(definition: Assignments | undefined, scopes: Scopes): readonly Goal[] {
  return Object.entries(definition ?? {}).map(([name, text]) => {
    const { evaluate } = readExpression(text, scopes.goal)
    return {
      name,
      when: (environment, { round, work }) => evaluate({ ...environment, round }, undefined, work) === true,
    }
  })
}
