import { checkDefinition, compileExperiment, toolsOf, type Definition, type RegisteredTools } from '@minutebook/experiment'
import { MinutebookError, type Tool } from 'minutebook'
import type { Experiment, Value } from 'minutebook/experiment'
import type { Services } from '../services.ts'
import { toolboxOf, type MissingTool } from '../tools/toolbox.ts'
import { localTools } from './local-tools.ts'

/**
 * The experiment that a definition on record stands for, with the tools that the operator has registered. What a run is made with
 * is not made anew for each of its turns. Throws `tool_not_allowed` for tools that only whoever began it has on their machine.
 *
 * @example
 * const experiment = await compiled(services, 'default', begun.definition)
 */
export async function compiled(services: Services, tenant: string, value: Value): Promise<Experiment> {
  const local = localTools(services).find(value)
  if (local) return local
  const text = JSON.stringify(value)
  const definition = known(services, text) ?? checkDefinition(value, { registered: usedIn(value) })
  const { tools, missing } = await toolboxOf(services).take(usedIn(definition), tenant)
  const key = [tenant, text, ...missing.map(({ tool }) => tool)].join('\n')
  const shelf = shelfOf(services)
  const found = shelf.experiments.get(key)
  if (found) return found
  const registered: RegisteredTools = Object.fromEntries([...tools, ...missing.map(standIn)].map((tool) => [tool.name, tool]))
  const { tools: runners } = await toolsOf(definition, { kind: 'server', registered })
  const experiment = compileExperiment(definition, { tools: runners })
  absences.set(experiment, new Map(namesOf(definition).flatMap(([name, use]) => missing.filter(({ tool }) => tool === use).map((one) => [name, one] as const))))
  keep(shelf.definitions, text, definition)
  keep(shelf.experiments, key, experiment)
  return experiment
}

/** Those of these tools of an experiment that are registered nowhere now, or whose server does not answer. */
export function missingFor(experiment: Experiment, tools: readonly string[]): readonly MissingTool[] {
  const missing = absences.get(experiment)
  return tools.flatMap((name) => missing?.get(name) ?? [])
}

/** The names of registered tools that a definition uses. */
export function usedIn(definition: unknown): readonly string[] {
  return [...new Set(namesOf(definition as Partial<Definition>).map(([, use]) => use))]
}

/** What it calls them, and what they are registered as. */
function namesOf({ tools = {}, participants = {} }: Partial<Definition>): (readonly [name: string, use: string])[] {
  const named = Object.values(participants).flatMap(({ tools: some = [] }) => some).filter((name) => !Object.hasOwn(tools, name))
  return [...Object.entries(tools).flatMap(([name, { use }]) => (use === undefined ? [] : [[name, use] as const])), ...named.map((name) => [name, name] as const)]
}

/** Its turns fail before any model is asked: see `missingFor`. */
function standIn({ tool }: MissingTool): Tool {
  return { name: tool, parameters: { type: 'object' }, run: () => Promise.reject(new MinutebookError('tool_missing', `The tool "${tool}" is not there. Register it, and retry the run.`, { tool })) }
}

interface Shelf {
  readonly definitions: Map<string, Definition>
  readonly experiments: Map<string, Experiment>
}

const shelves = new WeakMap<Services, Shelf>()
const absences = new WeakMap<Experiment, ReadonlyMap<string, MissingTool>>()

function shelfOf(services: Services): Shelf {
  const shelf = shelves.get(services) ?? { definitions: new Map(), experiments: new Map() }
  shelves.set(services, shelf)
  return shelf
}

function known(services: Services, text: string): Definition | undefined {
  return shelfOf(services).definitions.get(text)
}

/** The oldest makes room. */
function keep<T>(shelf: Map<string, T>, key: string, value: T): void {
  shelf.set(key, value)
  if (shelf.size > most) shelf.delete([...shelf.keys()][0]!)
}

const most = 200
