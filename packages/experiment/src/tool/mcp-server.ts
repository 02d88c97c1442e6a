import type { Client, Tool as McpTool, Transport } from '@modelcontextprotocol/client'
import { MinutebookError, type Tool, type ToolContext } from 'minutebook'
import { isFields } from '../plain-value.ts'

/** The address of an MCP server, and which of its tools are used. */
export interface McpSettings {
  readonly name: string
  readonly url?: string | undefined
  /** A program and its arguments, in place of an address. */
  readonly command?: readonly string[] | undefined
  /** The folder in which the program is started. Default: that of this process. */
  readonly folder?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Which of its tools are used, by their own names. Default: all. */
  readonly tools?: readonly string[] | undefined
  /** For all of them. Default: what the server says of each. */
  readonly mayRepeat?: boolean | undefined
}

/** An MCP server. It is connected at its first use, and again after the connection was lost. */
export interface McpServer {
  readonly name: string
  /** Its tools, under names that begin with the server's own; as they were last known while it does not answer. */
  tools(): Promise<readonly Tool[]>
  /** Whether it listed its tools the last time. */
  isAnswering(): boolean
  close(): Promise<void>
}

/**
 * @example
 * const files = mcpServer({ name: 'files', command: ['npx', 'some-server', '/srv/files'] })
 */
export function mcpServer(config: McpSettings): McpServer {
  let connection: Promise<Client> | undefined
  let known: { readonly tools: readonly Tool[]; readonly until: number; readonly isAnswering: boolean } = {
    tools: [],
    until: 0,
    isAnswering: true,
  }
  // A connection takes a while to close. Another one may be open by then.
  const forget = (lost: Promise<Client>): void => {
    if (connection === lost) connection = undefined
  }
  const connected = (): Promise<Client> => {
    if (connection) return connection
    const own = connect(config, () => forget(own))
    own.catch(() => forget(own))
    connection = own
    return own
  }
  const call: McpCall = async (name, input, { signal, idempotencyKey, term }) => {
    const own = connected()
    const client = await own.catch(() => {
      throw serverFailedError(config.name, 'it cannot be reached')
    })
    const result = await client
      .callTool(
        {
          name,
          arguments: Object(input) as Record<string, unknown>,
          _meta: { 'minutebook/idempotency-key': idempotencyKey, 'minutebook/term': term },
        },
        { signal, timeout: longestRun },
      )
      .catch(async (error: unknown) => {
        // If the connection broke, the next call makes another one.
        if (!signal.aborted && !isAnswer(error)) await drop(own)
        throw serverFailedError(config.name, 'it broke off, refused the call or did not answer in time')
      })
    const text = resultText(result.content, result.structuredContent)
    if (result.isError) throw new MinutebookError('tool_failed', text, '', { server: config.name })
    return text
  }
  const drop = async (own: Promise<Client>): Promise<void> => {
    forget(own)
    await own.then((client) => client.close()).catch(() => undefined)
  }
  const list = async (own: Promise<Client>): Promise<readonly Tool[]> => {
    const { tools } = await (await own).listTools(undefined, { timeout: longestList })
    return tools.filter(({ name }) => config.tools?.includes(name) ?? true).map((tool) => toolOf(config, tool, call))
  }
  return {
    name: config.name,
    tools: async () => {
      if (known.until > Date.now()) return known.tools
      const own = connected()
      const found = await list(own).catch(async () => {
        await drop(own)
        return undefined
      })
      known = found
        ? { tools: found, until: Date.now() + fresh, isAnswering: true }
        : { tools: known.tools, until: Date.now() + again, isAnswering: false }
      return known.tools
    },
    isAnswering: () => known.isAnswering,
    close: async () => {
      if (connection) await drop(connection)
    },
  }
}

/** Milliseconds. */
const longestRun = 120_000
const longestList = 10_000
/** A program that `npx` starts is downloaded first. */
const longestStart = 60_000
const fresh = 60_000
const again = 5000

/** Loads the library of MCP here, because it is large and most processes have no server of tools. */
async function connect(config: McpSettings, onLost: () => void): Promise<Client> {
  const { Client } = await import('@modelcontextprotocol/client')
  const client = new Client({ name: 'minutebook', version: '0.1.0' })
  client.onclose = onLost
  await client.connect(await transportOf(config), { timeout: longestStart })
  return client
}

async function transportOf({ url, command = [], headers = {}, folder }: McpSettings): Promise<Transport> {
  // No redirect is followed: the operator decides where requests go.
  if (url !== undefined) {
    const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/client')
    return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers, redirect: 'error' } })
  }
  const [program = '', ...rest] = command
  const { StdioClientTransport } = await import('@modelcontextprotocol/client/stdio')
  return new StdioClientTransport({
    command: program,
    args: rest,
    stderr: 'ignore',
    ...(folder !== undefined && { cwd: folder }),
  })
}

/** Calls a tool by its own name. The server is told which call and which run it is in `_meta`. */
type McpCall = (name: string, input: unknown, context: ToolContext) => Promise<string>

function toolOf(
  { name: server, mayRepeat }: McpSettings,
  { name, description, inputSchema, annotations }: McpTool,
  call: McpCall,
): Tool {
  return {
    name: mcpToolName(server, name),
    ...(description !== undefined && { description }),
    parameters: inputSchema,
    mayRepeat: mayRepeat ?? (annotations?.readOnlyHint === true || annotations?.idempotentHint === true),
    run: (input, context) => call(name, input, context),
  }
}

/** As models and servers take it. */
export function mcpToolName(server: string, tool: string): string {
  return `${server}_${tool}`.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, 64)
}

/** The server has spoken, and the connection is sound. */
function isAnswer(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && typeof error.code === 'number'
}

function serverFailedError(server: string, why: string): MinutebookError {
  return new MinutebookError(
    'tool_failed',
    `The tool server ${server} failed: ${why}.`,
    'Try it later, or go on without it.',
    { server },
  )
}

/** What an MCP tool answered, as text for the model: its texts, and of anything else only that it was there. */
function resultText(content: readonly unknown[] = [], structured?: unknown): string {
  const texts = content.map(textOf)
  if (texts.length > 0) return texts.join('\n')
  return structured === undefined ? '' : JSON.stringify(structured)
}

function textOf(part: unknown): string {
  const { type, text, resource } = isFields(part) ? part : {}
  if (typeof text === 'string') return text
  const embedded = isFields(resource) ? resource['text'] : undefined
  return typeof embedded === 'string' ? embedded : `[${typeof type === 'string' ? type : 'part'} left out]`
}
