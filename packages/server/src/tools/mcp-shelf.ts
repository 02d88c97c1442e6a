import type { Tool } from 'minutebook'
import type { McpConfig } from '../config.ts'
import { mcpServer } from './mcp-server.ts'

/** The tools of all MCP servers. */
export interface McpShelf {
  all(): Promise<readonly Tool[]>
  /** Asks only servers whose tools may have such a name. */
  tool(name: string): Promise<Tool | undefined>
  close(): Promise<void>
}

export function createMcpShelf(configs: readonly McpConfig[]): McpShelf {
  const servers = configs.map(mcpServer)
  const toolsOf = async (some: typeof servers): Promise<readonly Tool[]> => (await Promise.all(some.map((server) => server.tools()))).flat()
  return {
    all: () => toolsOf(servers),
    tool: async (name) => (await toolsOf(servers.filter((server) => name.startsWith(`${server.name}_`)))).find((tool) => tool.name === name),
    close: async () => void (await Promise.all(servers.map((server) => server.close()))),
  }
}
