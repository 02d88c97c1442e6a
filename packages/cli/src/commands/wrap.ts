import { Argument } from 'commander'
import { tellFailure } from '../terminal/failure.ts'
import { agents } from '../wrap/agents.ts'
import { readArguments } from '../wrap/arguments.ts'
import { printAgent } from '../wrap/print.ts'
import type { AgentOptions } from '../wrap/target.ts'
import { wrapAgent } from '../wrap/wrap.ts'
import { type DefineCommand, serverCommand } from './command.ts'

interface Options extends AgentOptions {
  readonly print?: boolean
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  serverCommand(command)
    .addArgument(new Argument('<agent>', 'the agent').choices(Object.keys(agents)))
    .argument('[args...]', 'what the agent is called with, after --')
    .option('--model <name>', 'the model (default: the first one that the gateway lists)')
    .option('--upstream <url>', 'URL of the model server, if no gateway is running')
    .option('--print', 'print the lines for a shell that do the same, and start nothing')
    .addHelpText('after', examples)
    .action(async (name: string, words: readonly string[], options: Options) => {
      try {
        const agent = agents[name]!
        const args = readArguments(words, agent)
        setExitCode(await (options.print === true ? printAgent : wrapAgent)(terminal, { name, agent, args }, options))
      } catch (error) {
        setExitCode(tellFailure(terminal, error, false))
      }
    })
}

const examples = `
The agent uses the gateway for this one run; its own settings stay as they are.
  minutebook wrap codex
  minutebook wrap pi --model qwen3:8b -- -p "What does this program do?"
  minutebook wrap --print opencode`
