import { basename } from 'node:path'
import { MinutebookError } from 'minutebook'
import type { McpDefinition } from '../definition.ts'
import { fixText, sentence } from '../problem.ts'
import { mcpServer, mcpToolName, type McpServer } from './mcp-server.ts'
import { registeredTool } from './runner.ts'
import type { Runner } from './runner.ts'

/** The tools of MCP servers; each server is connected once, however many tools name it. */
export interface McpTools {
  tool(name: string, definition: McpDefinition): Promise<Runner>
  readonly close: () => Promise<void>
}

export function openMcpTools(folder: string): McpTools {
  const servers = new Map<string, McpServer>()
  const serverOf = ({ command, url, headers }: McpDefinition): McpServer => {
    const key = JSON.stringify([command, url, headers])
    const server = servers.get(key) ?? mcpServer({ name: nameOf(command?.[0], url), command, url, headers, folder })
    servers.set(key, server)
    return server
  }
  return {
    tool: async (name, definition) => {
      const server = serverOf(definition)
      const tools = await server.tools()
      if (!server.isAnswering())
        throw new MinutebookError(
          'tool_failed',
          `The MCP server of the tool "${name}" does not start or does not answer.`,
          'Try its command or address by hand.',
          { tool: name },
        )
      const wanted = definition.tool ?? name
      const found = tools.find((tool) => tool.name === mcpToolName(server.name, wanted))
      if (found) return registeredTool(found)
      const own = tools.map((tool) => tool.name.slice(mcpToolName(server.name, '').length))
      throw new MinutebookError(
        'unknown_tool',
        `The MCP server of the tool "${name}" has no tool "${wanted}".`,
        sentence(fixText({ name: wanted, known: own })),
        { tool: name },
      )
    },
    close: async () => void (await Promise.all([...servers.values()].map((server) => server.close()))),
  }
}

/** For errors. */
function nameOf(program: string | undefined, url: string | undefined): string {
  return (program === undefined ? new URL(url ?? 'http://nowhere').hostname : basename(program)).slice(0, 20)
}
