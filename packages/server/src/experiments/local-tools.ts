import { checkDefinition, compileExperiment, toolsOf } from '@minutebook/experiment'
import type { Experiment, Value } from '@minutebook/experiment/run'
import type { Services } from '../services.ts'
import { toolboxOf } from '../tools/toolbox.ts'

/** Experiments of whoever runs this process, with tools that nobody else may bring: modules, addresses, commands. */
export interface LocalTools {
  /** Opens the tools of an experiment of a tenant whose file stands in this folder. */
  open(definition: Value, folder: string, tenant: string): Promise<void>
  /** The experiment of a definition whose tools were opened here. */
  find(definition: Value): Experiment | undefined
  close(): Promise<void>
}

/** Those of a server: one for each. A server that others send experiments to opens none. */
export function localTools(services: Services): LocalTools {
  const tools = known.get(services) ?? createLocalTools(services)
  known.set(services, tools)
  return tools
}

const known = new WeakMap<Services, LocalTools>()

function createLocalTools(services: Services): LocalTools {
  const experiments = new Map<string, Experiment>()
  const closers: (() => Promise<void>)[] = []
  return {
    open: async (value, folder, tenant) => {
      const all = await toolboxOf(services).all(tenant)
      const definition = checkDefinition(value, { registered: all.map(({ name }) => name) })
      const { tools, close } = await toolsOf(definition, {
        kind: 'local',
        folder,
        registered: Object.fromEntries(all.map((tool) => [tool.name, tool])),
      })
      closers.push(close)
      experiments.set(JSON.stringify(value), compileExperiment(definition, { tools }))
    },
    find: (definition) => (experiments.size === 0 ? undefined : experiments.get(JSON.stringify(definition))),
    close: async () => void (await Promise.all(closers.splice(0).map((close) => close()))),
  }
}
