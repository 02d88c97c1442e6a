import { printableLine } from '@minutebook/server'
import { Argument } from 'commander'
import { MinutebookError } from 'minutebook'
import { tellFailure } from '../terminal/failure.ts'
import { type Agent, agents } from '../wrap/agents.ts'
import { readArguments } from '../wrap/arguments.ts'
import { printAgent, printVariables } from '../wrap/print.ts'
import type { AgentOptions } from '../wrap/target.ts'
import { wrapAgent } from '../wrap/wrap.ts'
import { type DefineCommand, serverCommand } from './command.ts'

interface Options extends AgentOptions {
  readonly print?: boolean
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  serverCommand(command)
    // Its choices are for help and completion. Another word gets an answer that says more.
    .addArgument(new Argument('[agent]', 'the agent').choices(names).argParser((word) => word))
    .argument('[args...]', 'what the agent is called with, after --')
    .option('--model <name>', 'the model (default: the first one that the gateway lists)')
    .option('--upstream <url>', 'URL of the model server, if no gateway is running')
    .option('--print', 'print the lines for a shell that do the same, and start nothing; without an agent: for others')
    .addHelpText('after', examples)
    .action(async (name: string | undefined, words: readonly string[], options: Options) => {
      try {
        if (name === undefined && options.print === true) return setExitCode(await printVariables(terminal, options))
        const agent = agentNamed(name)
        const args = readArguments(words, agent)
        const call = { name: name ?? '', agent, args }
        setExitCode(await (options.print === true ? printAgent : wrapAgent)(terminal, call, options))
      } catch (error) {
        setExitCode(tellFailure(terminal, error, false))
      }
    })
}

const names = Object.keys(agents)

function agentNamed(name = ''): Agent {
  const agent = names.includes(name) ? agents[name] : undefined
  if (agent) return agent
  const known = `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`
  throw new MinutebookError(
    'unknown_agent',
    name === ''
      ? `No agent is named. wrap knows ${known}.`
      : `wrap does not know ${printableLine(name)}, only ${known}.`,
    'For any other client, set the address of its model server. To print variables that many clients read: minutebook wrap --print',
  )
}

const examples = `
The agent uses the gateway for this one run; its own settings stay as they are.
  minutebook wrap codex
  minutebook wrap pi --model qwen3:8b -- -p "What does this program do?"
  minutebook wrap --print opencode
For other clients, the variables that many of them read:
  minutebook wrap --print`
