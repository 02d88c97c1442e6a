import { serverFor } from '../connection/connection.ts'
import { configOf } from '../connection/location.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { flagsFor, shellWord } from '../terminal/text.ts'
import type { AgentSetup } from './agents.ts'
import { type AgentCall, type AgentOptions, gatewayFor, needsKey, targetOf } from './target.ts'

/** Prints the lines for a shell that do what `wrapAgent` does. They name the gateway that runs, or the one that `serve` would start. */
export async function printAgent(terminal: Terminal, call: AgentCall, options: AgentOptions): Promise<number> {
  const gateway = await gatewayFor(terminal, options, 'silent')
  const { own, config } = gateway
  try {
    const target = await targetOf(terminal, call, gateway, options)
    const isKeyed = target.key !== undefined
    const url = own ? `http://127.0.0.1:${config.port}` : target.url
    const key = isKeyed ? blanks.key : undefined
    if (own) terminal.print(`# In another terminal: ${serveLine(terminal, call.name, options)}`)
    if (isKeyed) askForKey(terminal)
    const setup = call.agent.setup({ ...target, url, key }, blanks.folder)
    for (const line of shellLines(call.name, setup)) terminal.print(line)
    return 0
  } finally {
    await own?.close({ patience: 0 })
  }
}

/** Prints the variables with which many clients are told where their model server is. */
export async function printVariables(terminal: Terminal, options: AgentOptions): Promise<number> {
  const config = await configOf(terminal, options)
  const running = await serverFor(terminal, options, config)
  const url = running?.url ?? `http://127.0.0.1:${config.port}`
  if (!running) terminal.print(`# In another terminal: ${serveLine(terminal, '', options)}`)
  const addresses = { OPENAI_BASE_URL: `${url}/v1`, ANTHROPIC_BASE_URL: url, OLLAMA_HOST: url }
  const isKeyed = running ? await needsKey(url) : config.keys.length > 0
  const keys = isKeyed ? { OPENAI_API_KEY: blanks.key, ANTHROPIC_AUTH_TOKEN: blanks.key } : {}
  if (isKeyed) askForKey(terminal)
  for (const line of variableLines({ ...addresses, ...keys })) terminal.print(line)
  return 0
}

function askForKey(terminal: Terminal): void {
  if ((terminal.environment['MINUTEBOOK_KEY'] ?? '') === '')
    terminal.print(
      `# MINUTEBOOK_KEY must be a key of the gateway: ${terminal.command('keys create agent --scope app')}`,
    )
}

/** The command that starts such a gateway as `wrap` has. */
function serveLine({ command }: Terminal, agent: string, { upstream }: AgentOptions): string {
  return `${agent === 'codex' ? 'MINUTEBOOK_RECORD=always ' : ''}${command('serve')}${flagsFor({ upstream })}`
}

/** Marks a place of a setup for a value that only the shell knows: characters that Unicode keeps for such use. */
export const blanks = { folder: '\uFDD0', key: '\uFDD1' } as const

/** The lines for a shell that start an agent as `wrap` would. */
export function shellLines(program: string, { environment, args, files }: AgentSetup): string[] {
  const set = Object.entries(environment).filter(([name, value]) => value !== blanks.key || name !== 'MINUTEBOOK_KEY')
  return [
    ...variableLines(Object.fromEntries(set)),
    ...(Object.keys(files).length > 0 ? ['folder=$(mktemp -d)'] : []),
    ...Object.entries(files).map(([name, text]) => `cat > "$folder"/${name} <<'END'\n${text}END`),
    [program, ...args.map((arg) => inShell(arg))].join(' '),
  ]
}

function variableLines(environment: AgentSetup['environment']): string[] {
  return Object.entries(environment).map(([name, value]) =>
    value === undefined ? `unset ${name}` : `export ${name}=${inShell(value)}`,
  )
}

function inShell(text: string): string {
  const variables: Readonly<Record<string, string>> = {
    [blanks.folder]: '"$folder"',
    [blanks.key]: '"$MINUTEBOOK_KEY"',
  }
  return (
    text
      .split(/([\uFDD0\uFDD1])/)
      .map((piece) => variables[piece] ?? (piece === '' ? '' : shellWord(piece)))
      .join('') || "''"
  )
}
