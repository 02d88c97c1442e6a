import { checkDefinition, compileExperiment, mcpServer, mcpToolName, toolsOf } from '@minutebook/experiment'
import type { Experiment, Value } from '@minutebook/experiment/run'
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { askUser, MinutebookError, type Tool, type ToolContext } from 'minutebook'
import type { Config, McpConfig } from '../config/config.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { Spans } from '../telemetry/telemetry.ts'
import { httpTool } from './http-tool.ts'

/**
 * The tools that the operator has registered, and `ask_user`, which needs no address. The names of those from MCP servers
 * begin with the name of the server.
 */
export interface Toolbox {
  /** Every tool that is available now, for threads of a tenant. An MCP server that does not answer has none. */
  all(tenant: string): Promise<readonly Tool[]>
  /** The tools of these names, in this order, for threads of a tenant, and the names that are missing. */
  take(names: readonly string[], tenant: string): Promise<TakenTools>
  /** Throws `unknown_tool` if nothing is registered under one of the names. */
  check(names: readonly string[], tenant: string): Promise<void>
  close(): Promise<void>
}

export interface TakenTools {
  readonly tools: readonly Tool[]
  readonly missing: readonly MissingTool[]
}

/** A tool that was named and is not there. */
export interface MissingTool {
  readonly tool: string
  /** The MCP server that may have it, and does not answer; undefined if nothing is registered under the name. */
  readonly server?: string | undefined
}

/** What a toolbox needs. */
export interface ToolServices {
  readonly config: Pick<Config, 'tools' | 'mcp' | 'states'>
  readonly metrics: Metrics
  readonly spans: Spans
}

/** The toolbox of a server. */
export function createToolbox({ config, metrics, spans }: ToolServices): Toolbox {
  const mcp = createMcpServers(config.mcp)
  const watched = (tools: readonly Tool[], tenant: string): readonly Tool[] =>
    tools.map((tool) => observed(tool, { metrics, spans, tenant }))
  const makeOwn = (tenant: string): readonly Tool[] => {
    const tools = config.tools.map((tool) => httpTool(tool, tenant, config.states))
    return watched(tools.some(({ name }) => name === askUser.name) ? tools : [...tools, askUser], tenant)
  }
  const made = new LRUCache<string, readonly Tool[]>({ max: mostTenants })
  /** The same objects each time: a thread that is opened with the same tools again is held by its book. */
  const own = (tenant: string): readonly Tool[] => {
    const tools = made.get(tenant) ?? makeOwn(tenant)
    made.set(tenant, tools)
    return tools
  }
  const take = async (names: readonly string[], tenant: string): Promise<TakenTools> => {
    const wanted = [...new Set(names)]
    const known = own(tenant)
    const found = await Promise.all(
      wanted.map(async (name) => {
        const tool = known.find((each) => each.name === name)
        return tool ? [tool] : watched([(await mcp.tool(name)) ?? []].flat(), tenant)
      }),
    )
    const missing = wanted
      .filter((_, index) => found[index]?.length === 0)
      .map((tool): MissingTool => ({ tool, server: mcp.silent(tool) }))
    return { tools: found.flat(), missing }
  }
  return {
    all: async (tenant) => [...own(tenant), ...watched(await mcp.all(), tenant)],
    take,
    check: async (names, tenant) => {
      const { missing } = await take(names, tenant)
      if (missing.length > 0)
        throw new MinutebookError(
          'unknown_tool',
          `No tool is registered under ${missing.map(({ tool }) => JSON.stringify(tool.slice(0, longestName))).join(', ')}, or its MCP server does not answer.`,
          'List the tools to see which ones exist.',
        )
    },
    close: () => mcp.close(),
  }
}

/** Tenants whose tools are kept. */
const mostTenants = 256

/** Characters of a name that an error repeats. */
const longestName = 64

/** The tools of all MCP servers. */
export interface McpServers {
  all(): Promise<readonly Tool[]>
  /** Asks only servers whose tools may have such a name. */
  tool(name: string): Promise<Tool | undefined>
  /** The server that may have a tool of such a name, and did not answer the last time. */
  silent(name: string): string | undefined
  close(): Promise<void>
}

/**
 * @example
 * const add = await createMcpServers(config.mcp).tool('calculator_add')
 */
export function createMcpServers(configs: readonly McpConfig[]): McpServers {
  const servers = configs.map(mcpServer)
  const toolsOf = async (some: typeof servers): Promise<readonly Tool[]> =>
    (await Promise.all(some.map((server) => server.tools()))).flat().map(withApproval)
  const toApprove = new Set(
    configs.flatMap(({ name, approve = [] }) =>
      approve === true ? [] : approve.map((tool) => mcpToolName(name, tool)),
    ),
  )
  const wholly = configs.filter(({ approve }) => approve === true)
  const withApproval = (tool: Tool): Tool =>
    toApprove.has(tool.name) || wholly.some(({ name }) => mayHave(name, tool.name)) ? { ...tool, approve: true } : tool
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

/** A tool whose runs are counted and logged. Two tenants never have the same idempotency key. */
function observed(
  tool: Tool,
  { metrics, spans, tenant }: Pick<ToolServices, 'metrics' | 'spans'> & { readonly tenant: string },
): Tool {
  const { run } = tool
  if (!run) return tool
  return {
    ...tool,
    run: async (input, given) => {
      const context = { ...given, idempotencyKey: keyOfTenant(tenant, given.idempotencyKey) }
      const span = spans.tool({
        tool: tool.name,
        tenant,
        thread: context.thread,
        turn: spans.isOn ? await turnOf(context) : undefined,
        call: context.call.id,
        input: () => input,
      })
      try {
        const result = await run.call(tool, input, context)
        metrics.toolRan('complete')
        span.end({ result: () => result })
        return result
      } catch (error) {
        metrics.toolRan('failed')
        span.end({ error: MinutebookError.isInstance(error) ? error.code : 'tool_failed' })
        throw error
      }
    },
  }
}

/** The core knows no tenants. Threads of two tenants may have the same name and the same messages. */
function keyOfTenant(tenant: string, key: string): string {
  return createHash('sha256')
    .update(JSON.stringify([tenant, key]))
    .digest('hex')
}

/** The id of the question in whose turn the tool is called. */
async function turnOf({ entries }: ToolContext): Promise<string | undefined> {
  return (await entries()).findLast(({ kind }) => kind === 'user')?.id
}

/**
 * Experiments of the user who runs this process, with tools that no other user may bring: modules, addresses, commands.
 */
export interface LocalTools {
  /** Opens the tools of a tenant's experiment whose file is in this folder. */
  open(definition: Value, folder: string, tenant: string): Promise<void>
  /** The experiment of a definition whose tools were opened here. */
  find(definition: Value): Experiment | undefined
  close(): Promise<void>
}

/** A server that gets experiments from others opens none. */
export function createLocalTools(toolbox: Toolbox): LocalTools {
  const experiments = new Map<string, Experiment>()
  const closers: (() => Promise<void>)[] = []
  return {
    open: async (value, folder, tenant) => {
      const all = await toolbox.all(tenant)
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
