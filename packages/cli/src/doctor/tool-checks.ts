import { createMcpServers, printableLine, type Config } from '@minutebook/server'
import type { Connection } from '../connection/connection.ts'
import { toolsAt } from '../connection/remote-archive.ts'
import { counted } from '../terminal/text.ts'
import { bad, ok, type Check } from './check.ts'

/**
 * Whether the MCP servers of the settings answer, and whether the newest threads have the tools that their setups name.
 */
export async function toolChecks(connection: Connection): Promise<Check[]> {
  const { config, server } = connection
  const names = new Set(server ? await toolsAt(server) : await toolsOf(config))
  const servers = config.mcp.map(({ name }) =>
    serverCheck(name, [...names].filter((tool) => tool.startsWith(`${name}_`)).length),
  )
  return [...servers, ...(await setupChecks(connection, names))]
}

async function toolsOf({ tools, mcp }: Config): Promise<readonly string[]> {
  const servers = createMcpServers(mcp)
  try {
    return [...tools, ...(await servers.all())].map(({ name }) => name)
  } finally {
    await servers.close()
  }
}

function serverCheck(name: string, tools: number): Check {
  if (tools > 0) return ok('tools', `the MCP server ${name} has ${counted(tools, 'tool')}`)
  return bad(
    'tools',
    `the MCP server ${name} does not start, does not answer, or has no tools`,
    `Turns that need its tools fail (tool_missing). Run its command by hand, or check its address: mcp in minutebook.yaml.`,
  )
}

async function setupChecks({ archive, toolsOfThread }: Connection, names: ReadonlySet<string>): Promise<Check[]> {
  const { threads } = await archive.threads({ limit: looked })
  const missing = new Map<string, string>()
  for (const { thread } of threads)
    for (const tool of await toolsOfThread(thread)) if (!names.has(tool)) missing.set(tool, thread)
  return [...missing]
    .slice(0, most)
    .map(([tool, thread]) =>
      bad(
        'tools',
        `the setup of ${printableLine(thread)} names the tool ${printableLine(tool)}, which does not exist`,
        'Its turns fail (tool_missing). Register the tool (tools, mcp in minutebook.yaml), or save a setup without it.',
      ),
    )
}

const looked = 20
const most = 5
