import { MinutebookError, type Tool } from 'minutebook'
import type { Services } from '../services.ts'
import { httpTool } from './http-tool.ts'
import { createMcpShelf } from './mcp-shelf.ts'
import { observed } from './observed-tool.ts'

/** The tools that the operator has registered. The names of those from MCP servers begin with the name of the server. */
export interface Toolbox {
  /** Every one that can be had now: an MCP server that does not answer has none. */
  all(): Promise<readonly Tool[]>
  /** These of them, in this order, for threads of a tenant. Names that nothing is registered under are passed over. */
  take(names: readonly string[], tenant?: string): Promise<readonly Tool[]>
  /** Throws `unknown_tool` where nothing is registered under one of the names. */
  check(names: readonly string[]): Promise<void>
  close(): Promise<void>
}

/** The toolbox of a server: one for each. */
export function toolboxOf(services: Services): Toolbox {
  const known = boxes.get(services) ?? createToolbox(services)
  boxes.set(services, known)
  return known
}

const boxes = new WeakMap<Services, Toolbox>()

function createToolbox({ config, metrics, spans }: Services): Toolbox {
  const own = config.tools.map(httpTool)
  const mcp = createMcpShelf(config.mcp)
  const watched = (tools: readonly Tool[], tenant?: string): readonly Tool[] => tools.map((tool) => observed(tool, { metrics, spans, tenant }))
  const take = async (names: readonly string[], tenant?: string): Promise<readonly Tool[]> => {
    const found = await Promise.all([...new Set(names)].map(async (name) => own.find((tool) => tool.name === name) ?? mcp.tool(name)))
    return watched(found.filter((tool) => tool !== undefined), tenant)
  }
  return {
    all: async () => watched([...own, ...(await mcp.all())]),
    take,
    check: async (names) => {
      const found = new Set((await take(names)).map(({ name }) => name))
      const missing = names.find((name) => !found.has(name))
      if (missing !== undefined) throw new MinutebookError('unknown_tool', 'No tool is registered under one of these names, or its MCP server does not answer; list the tools to see which there are.')
    },
    close: () => mcp.close(),
  }
}
