import {
  checkDefinition,
  compileExperiment,
  toolsOf,
  type Definition,
  type RegisteredTools,
} from '@minutebook/experiment'
import type { Experiment, Value } from '@minutebook/experiment/run'
import { MinutebookError, type Tool } from 'minutebook'
import { hash } from 'node:crypto'
import type { Services } from '../services.ts'
import type { MissingTool } from '../tools/tools.ts'

/**
 * The experiment of a recorded definition, with the tools that the operator has registered. It is compiled once for all
 * turns of a run. Throws `tool_not_allowed` for tools that exist only on the machine of the user who started it.
 *
 * @example
 * const experiment = await compiled(services, 'default', begun.definition)
 */
export async function compiledExperiment(services: Services, tenant: string, value: Value): Promise<Experiment> {
  const local = services.localTools.find(value)
  if (local) return local
  const text = JSON.stringify(value)
  const definition =
    services.compiled.definitions.get(hash('sha256', text)) ?? checkDefinition(value, { registered: usedIn(value) })
  const { tools, missing } = await services.toolbox.take(usedIn(definition), tenant)
  const id = hash('sha256', text)
  const key = JSON.stringify([tenant, id, ...missing.map(({ tool }) => tool)])
  const cache = services.compiled
  const found = cache.experiments.get(key)
  if (found) return found
  const registered: RegisteredTools = Object.fromEntries(
    [...tools, ...missing.map(standIn)].map((tool) => [tool.name, tool]),
  )
  const { tools: runners } = await toolsOf(definition, { kind: 'server', registered })
  const experiment = compileExperiment(definition, { tools: runners })
  absences.set(
    experiment,
    new Map(
      namesOf(definition).flatMap(([name, use]) =>
        missing.filter(({ tool }) => tool === use).map((one) => [name, one] as const),
      ),
    ),
  )
  cache.definitions.set(id, definition, { size: text.length })
  cache.experiments.set(key, experiment, { size: text.length })
  return experiment
}

/** The tools of an experiment that are not registered now, or whose server does not answer. */
export function missingFor(experiment: Experiment, tools: readonly string[]): readonly MissingTool[] {
  const missing = absences.get(experiment)
  return tools.flatMap((name) => missing?.get(name) ?? [])
}

/** The names of registered tools that a definition uses. */
export function usedIn(definition: unknown): readonly string[] {
  return [...new Set(namesOf(definition as Partial<Definition>).map(([, use]) => use))]
}

/** The names that it uses, and the registered names. */
function namesOf({ tools = {}, participants = {} }: Partial<Definition>): (readonly [name: string, use: string])[] {
  const named = Object.values(participants)
    .flatMap(({ tools: some = [] }) => some)
    .filter((name) => !Object.hasOwn(tools, name))
  return [
    ...Object.entries(tools).flatMap(([name, { use }]) => (use === undefined ? [] : [[name, use] as const])),
    ...named.map((name) => [name, name] as const),
  ]
}

/** Its turns fail before a model is asked: see `missingFor`. */
function standIn({ tool }: MissingTool): Tool {
  return {
    name: tool,
    parameters: { type: 'object' },
    run: () =>
      Promise.reject(
        new MinutebookError(
          'tool_missing',
          `The tool "${tool}" is not registered.`,
          'Register it, and retry the run.',
          {
            tool,
          },
        ),
      ),
  }
}

const absences = new WeakMap<Experiment, ReadonlyMap<string, MissingTool>>()
