import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { agents as wrappable, type AgentSetup } from '../../packages/cli/src/wrap/agents.ts'
import { task } from './upstream.ts'

/** A real agent, and the protocol that it speaks. */
export interface Agent {
  readonly name: 'pi' | 'codex' | 'opencode'
  readonly protocol: 'chat completions' | 'responses' | 'messages'
  /** Writes its settings, and returns how it is started. `home`: an empty folder; `url`: ends without a slash. */
  prepare(home: string, url: string): Start
}

export interface Start {
  readonly program: string
  readonly words: readonly string[]
  readonly environment: AgentSetup['environment']
}

const programs: Readonly<Record<Agent['name'], string>> = {
  pi: 'pi/node_modules/.bin/pi',
  codex: 'codex/node_modules/.bin/codex',
  opencode: 'opencode/node_modules/opencode-linux-x64/bin/opencode',
}

const words: Readonly<Record<Agent['name'], readonly string[]>> = {
  pi: ['-p', task],
  codex: ['exec', '--skip-git-repo-check', '--sandbox', 'danger-full-access', task],
  opencode: ['run', task],
}

/** Texts of a setup, and what they are changed to. */
type Changes = Readonly<Record<string, string>>

/** An agent as `minutebook wrap` sets it up. With `changes` it speaks a protocol for which `wrap` does not use it. */
function agent(name: Agent['name'], protocol: Agent['protocol'], changes: Changes = {}): Agent {
  return {
    name,
    protocol,
    prepare: (home, url) => {
      const target = { url, key: undefined, model: 'm', models: ['m'], args: words[name], environment: {} }
      const { environment, args, files } = wrappable[name]!.setup(target, home)
      for (const [file, text] of Object.entries(files)) writeFileSync(join(home, file), changed(text, changes))
      // Settings of the user, which are in force next to ours.
      mkdirSync(join(home, '.config/opencode'), { recursive: true })
      writeFileSync(join(home, '.config/opencode/opencode.json'), JSON.stringify({ permission: 'allow' }))
      return {
        program: join(import.meta.dirname, programs[name]),
        words: args,
        environment: Object.fromEntries(
          Object.entries(environment).map(([variable, text]) => [variable, text && changed(text, changes)]),
        ),
      }
    },
  }
}

function changed(text: string, changes: Changes): string {
  return Object.entries(changes).reduce((so, [from, to]) => {
    if (!so.includes(from)) throw new Error(`The setup of the agent has no ${from}.`)
    return so.replaceAll(from, to)
  }, text)
}

export const agents: readonly Agent[] = [
  agent('pi', 'chat completions'),
  agent('pi', 'responses', { '"openai-completions"': '"openai-responses"' }),
  // The client of Anthropic adds /v1 itself, and its protocol demands a number of tokens.
  agent('pi', 'messages', {
    '"openai-completions"': '"anthropic-messages"',
    '/v1"': '"',
    '"maxTokens": 0': '"maxTokens": 1024',
  }),
  agent('codex', 'responses'),
  agent('opencode', 'chat completions'),
  agent('opencode', 'messages', { '@ai-sdk/openai-compatible': '@ai-sdk/anthropic' }),
]
