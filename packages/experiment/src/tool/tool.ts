import { MinutebookError, type Tool } from 'minutebook'
import type { Definition, HttpDefinition, McpDefinition, ToolDefinition } from '../definition.ts'
import { fixText, sentence } from '../problem.ts'
import { httpTool } from './http-tool.ts'
import { openMcpTools, type McpTools } from './mcp-tool.ts'
import { moduleTool } from './module-tool.ts'
import { registeredTool } from './runner.ts'
import type { Runner, Runners } from './runner.ts'

/** Where an experiment runs, which decides what its tools may be. */
export type Place = LocalPlace | ServerPlace

/** On the machine of the experiment's author: it may do what the author may. */
export interface LocalPlace {
  readonly kind: 'local'
  /** The folder of the experiment's file. */
  readonly folder: string
  readonly registered?: RegisteredTools | undefined
  /** The values of `${NAME}` in headers. Default: the environment variables of the process. */
  readonly variables?: Readonly<Record<string, string | undefined>> | undefined
  readonly fetch?: typeof globalThis.fetch | undefined
}

/** On a server that others send experiments to: of tools that are run it has those that its operator registered. */
export interface ServerPlace {
  readonly kind: 'server'
  readonly registered: RegisteredTools
}

/** Tools that a program offers to experiments, by their names. */
export type RegisteredTools = Readonly<Record<string, Tool>>

/** The runners of an experiment's tools, until they are closed. */
export interface Toolset {
  readonly tools: Runners
  readonly close: () => Promise<void>
}

/**
 * Finds the runners of an experiment's tools. Throws `tool_not_allowed` for what a place does not allow.
 *
 * @example
 * const { tools, close } = await toolsOf(definition, { kind: 'local', folder: dirname(file) })
 * const experiment = compileExperiment(definition, { tools })
 */
export async function toolsOf(definition: Definition, place: Place): Promise<Toolset> {
  if (place.kind === 'server') refuseOwn(definition)
  const mcp = openMcpTools(place.kind === 'local' ? place.folder : '.')
  try {
    const found = await Promise.all(
      wantedIn(definition).map(async ([name, tool]) => [name, await runnerOf(name, tool, place, mcp)] as const),
    )
    return {
      tools: Object.fromEntries(found.flatMap(([name, runner]) => (runner ? [[name, runner]] : []))),
      close: mcp.close,
    }
  } catch (error) {
    await mcp.close()
    throw error
  }
}

/** The tools that it defines, and those that participants name as they are registered. */
function wantedIn({ tools = {}, participants }: Definition): (readonly [string, ToolDefinition])[] {
  const named = Object.values(participants)
    .flatMap(({ tools: some = [] }) => some)
    .filter((name) => !Object.hasOwn(tools, name))
  return [...Object.entries(tools), ...[...new Set(named)].map((name) => [name, { use: name }] as const)]
}

async function runnerOf(
  name: string,
  { module, http, mcp, use }: ToolDefinition,
  place: Place,
  servers: McpTools,
): Promise<Runner | undefined> {
  if (use !== undefined) return registeredTool(registeredIn(place.registered ?? {}, name, use))
  if (place.kind === 'server') return undefined
  if (module !== undefined) return moduleTool(name, module, place.folder)
  if (http) return httpTool(name, filledIn(name, http, place), place.fetch ?? globalThis.fetch)
  return mcp && servers.tool(name, filledIn(name, mcp, place))
}

/** The sender of an experiment decides neither which code a server runs nor which addresses it calls. */
function refuseOwn({ tools = {} }: Definition): void {
  const refused = Object.entries(tools).flatMap(([name, tool]) => {
    const what = kinds.find(([field]) => tool[field] !== undefined)?.[1]
    return what === undefined ? [] : [{ name, what }]
  })
  if (refused.length === 0) return
  const text = refused.map(({ name, what }) => `The tool "${name}" is ${what}.`).join(' ')
  throw new MinutebookError(
    'tool_not_allowed',
    text,
    'A server runs only tools that its operator has registered: have it registered there and write "use: its name", make it of expressions, or run the experiment on your own machine.',
    { tools: refused.map(({ name }) => name) },
  )
}

const kinds = [
  ['module', 'a module'],
  ['http', 'an address'],
  ['mcp', 'an MCP server of its own'],
] as const

function registeredIn(registered: RegisteredTools, name: string, use: string): Tool {
  const found = Object.hasOwn(registered, use) ? registered[use] : undefined
  if (found) return found
  throw new MinutebookError(
    'unknown_tool',
    `The tool "${name}" uses "${use}", and nothing is registered under that name.`,
    sentence(fixText({ name: use, known: Object.keys(registered) })),
    { tool: name, use },
  )
}

/** Headers with the values of variables: the definition is recorded, and these are not. */
function filledIn<T extends HttpDefinition | McpDefinition>(
  tool: string,
  definition: T,
  { variables = process.env }: LocalPlace,
): T {
  if (!definition.headers) return definition
  const filled = Object.entries(definition.headers).map(
    ([name, value]) =>
      [
        name,
        value.replace(/\$\{([A-Za-z_][A-Za-z0-9_]{0,99})\}/g, (_, variable: string) => {
          const found = variables[variable]
          if (found === undefined)
            throw new MinutebookError(
              'missing_variable',
              `The tool "${tool}" needs the variable ${variable} for its header ${name}.`,
              'Set it before the run.',
              { tool, variable },
            )
          return found
        }),
      ] as const,
  )
  return { ...definition, headers: Object.fromEntries(filled) }
}
