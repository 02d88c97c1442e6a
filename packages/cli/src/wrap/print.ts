import type { Terminal } from '../terminal/terminal.ts'
import { flagsFor, shellQuoted } from '../terminal/text.ts'
import type { AgentSetup } from './agents.ts'
import { type AgentCall, type AgentOptions, gatewayFor, targetOf } from './target.ts'

/** Prints the lines for a shell that do what `wrapAgent` does. They name the gateway that runs, or the one that `serve` would start. */
export async function printAgent(terminal: Terminal, call: AgentCall, options: AgentOptions): Promise<number> {
  const gateway = await gatewayFor(terminal, options, 'silent')
  const { own, config } = gateway
  try {
    const target = await targetOf(terminal, call, gateway, options)
    const needsKey = target.key !== undefined
    const url = own ? `http://127.0.0.1:${config.port}` : target.url
    const key = needsKey ? blanks.key : undefined
    if (own) terminal.print(`# In another terminal: ${serveLine(call, options)}`)
    if (needsKey && (terminal.environment['MINUTEBOOK_KEY'] ?? '') === '')
      terminal.print('# MINUTEBOOK_KEY must be a key of the gateway: minutebook keys create agent --scope app')
    const setup = call.agent.setup({ ...target, url, key }, blanks.folder)
    for (const line of shellLines(call.name, setup)) terminal.print(line)
    return 0
  } finally {
    await own?.close({ patience: 0 })
  }
}

/** The command that starts such a gateway as `wrap` has. */
function serveLine({ name }: AgentCall, { upstream, data }: AgentOptions): string {
  return `${name === 'codex' ? 'MINUTEBOOK_RECORD=always ' : ''}minutebook serve${flagsFor({ upstream, data })}`
}

/** Marks a place of a setup for a value that only the shell knows: characters that Unicode keeps for such use. */
export const blanks = { folder: '\uFDD0', key: '\uFDD1' } as const

/** The lines for a shell that start an agent as `wrap` would. */
export function shellLines(program: string, { environment, args, files }: AgentSetup): string[] {
  const set = Object.entries(environment).filter(([name, value]) => value !== blanks.key || name !== 'MINUTEBOOK_KEY')
  return [
    ...set.map(([name, value]) => (value === undefined ? `unset ${name}` : `export ${name}=${inShell(value)}`)),
    ...(Object.keys(files).length > 0 ? ['folder=$(mktemp -d)'] : []),
    ...Object.entries(files).map(([name, text]) => `cat > "$folder"/${name} <<'END'\n${text}END`),
    [program, ...args.map((arg) => inShell(arg))].join(' '),
  ]
}

function inShell(text: string): string {
  const variables: Readonly<Record<string, string>> = {
    [blanks.folder]: '"$folder"',
    [blanks.key]: '"$MINUTEBOOK_KEY"',
  }
  return (
    text
      .split(/([\uFDD0\uFDD1])/)
      .map((piece) => variables[piece] ?? (piece === '' || /^[\w@%+=:,./-]+$/.test(piece) ? piece : shellQuoted(piece)))
      .join('') || "''"
  )
}
