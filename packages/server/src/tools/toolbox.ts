import { MinutebookError, type Tool } from 'minutebook'
import type { Services } from '../services.ts'
import { httpTool } from './http-tool.ts'
import { createMcpShelf } from './mcp-shelf.ts'
import { observed } from './observed-tool.ts'

/**
 * The tools that the operator has registered. The names of those from MCP servers begin with the name of the server.
 */
export interface Toolbox {
  /** Every one that can be had now, for threads of a tenant: an MCP server that does not answer has none. */
  all(tenant: string): Promise<readonly Tool[]>
  /** These of them, in this order, for threads of a tenant; and of the others which they are. */
  take(names: readonly string[], tenant: string): Promise<Taken>
  /** Throws `unknown_tool` where nothing is registered under one of the names. */
  check(names: readonly string[], tenant: string): Promise<void>
  close(): Promise<void>
}

export interface Taken {
  readonly tools: readonly Tool[]
  readonly missing: readonly MissingTool[]
}

/** A tool that was named and is not there. */
export interface MissingTool {
  readonly tool: string
  /** The MCP server that may have it, and does not answer; undefined where nothing is registered under the name. */
  readonly server?: string | undefined
}

/** The toolbox of a server: one for each. */
export function toolboxOf(services: Services): Toolbox {
  const known = boxes.get(services) ?? createToolbox(services)
  boxes.set(services, known)
  return known
}

const boxes = new WeakMap<Services, Toolbox>()

function createToolbox({ config, metrics, spans }: Services): Toolbox {
  const own = (tenant: string): readonly Tool[] => config.tools.map((tool) => httpTool(tool, tenant))
  const mcp = createMcpShelf(config.mcp)
  const watched = (tools: readonly Tool[], tenant: string): readonly Tool[] =>
    tools.map((tool) => observed(tool, { metrics, spans, tenant }))
  const take = async (names: readonly string[], tenant: string): Promise<Taken> => {
    const wanted = [...new Set(names)]
    const known = own(tenant)
    const found = await Promise.all(
      wanted.map(async (name) => known.find((tool) => tool.name === name) ?? mcp.tool(name)),
    )
    const missing = wanted
      .filter((_, index) => !found[index])
      .map((tool): MissingTool => ({ tool, server: mcp.silent(tool) }))
    return {
      tools: watched(
        found.filter((tool) => tool !== undefined),
        tenant,
      ),
      missing,
    }
  }
  return {
    all: async (tenant) => watched([...own(tenant), ...(await mcp.all())], tenant),
    take,
    check: async (names, tenant) => {
      const { missing } = await take(names, tenant)
      if (missing.length > 0)
        throw new MinutebookError(
          'unknown_tool',
          'No tool is registered under one of these names, or its MCP server does not answer.',
          'List the tools to see which there are.',
        )
    },
    close: () => mcp.close(),
  }
}
