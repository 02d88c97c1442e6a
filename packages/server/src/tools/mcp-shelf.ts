import { mcpServer, mcpToolName } from '@minutebook/experiment'
import type { Tool } from 'minutebook'
import type { McpConfig } from '../config.ts'

/** The tools of all MCP servers. */
export interface McpShelf {
  all(): Promise<readonly Tool[]>
  /** Asks only servers whose tools may have such a name. */
  tool(name: string): Promise<Tool | undefined>
  /** The server that may have a tool of such a name, and did not answer when it was last asked. */
  silent(name: string): string | undefined
  close(): Promise<void>
}

/**
 * @example
 * const add = await createMcpShelf(config.mcp).tool('calculator_add')
 */
export function createMcpShelf(configs: readonly McpConfig[]): McpShelf {
  const servers = configs.map(mcpServer)
  const toolsOf = async (some: typeof servers): Promise<readonly Tool[]> =>
    (await Promise.all(some.map((server) => server.tools()))).flat()
  return {
    all: () => toolsOf(servers),
    tool: async (name) =>
      (await toolsOf(servers.filter((server) => mayHave(server.name, name)))).find((tool) => tool.name === name),
    silent: (name) => servers.find((server) => mayHave(server.name, name) && !server.isAnswering())?.name,
    close: async () => void (await Promise.all(servers.map((server) => server.close()))),
  }
}

function mayHave(server: string, tool: string): boolean {
  return tool.startsWith(mcpToolName(server, ''))
}
