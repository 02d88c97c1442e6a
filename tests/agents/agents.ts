import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { task } from './upstream.ts'

/** How a real agent is made to use an address, and how it is started. */
export interface Agent {
  readonly name: 'pi' | 'codex' | 'opencode'
  readonly protocol: 'chat completions' | 'responses' | 'messages'
  /** Writes its settings, and returns its command. `home`: an empty folder; `url`: ends without a slash. */
  prepare(home: string, url: string): readonly [program: string, ...words: string[]]
}

/** A file of what install.sh has installed. */
function installed(agent: Agent['name'], file: string): string {
  return join(import.meta.dirname, agent, 'node_modules', file)
}

/** The window that agents believe in: they must not compact by themselves. */
const believed = 1_000_000

function pi(protocol: Agent['protocol'], api: string): Agent {
  return {
    name: 'pi',
    protocol,
    prepare: (home, url) => {
      const model = {
        id: 'm',
        name: 'm',
        reasoning: false,
        input: ['text'],
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        contextWindow: believed,
        maxTokens: 1024,
      }
      // The client of Anthropic adds /v1 itself.
      const baseUrl = protocol === 'messages' ? url : `${url}/v1`
      const provider = { baseUrl, api, apiKey: 'none', models: [model] }
      write(home, '.pi/agent/models.json', JSON.stringify({ providers: { garden: provider } }))
      return [installed('pi', '.bin/pi'), '--provider', 'garden', '--model', 'm', '-p', task]
    },
  }
}

const codex: Agent = {
  name: 'codex',
  protocol: 'responses',
  prepare: (home, url) => {
    write(
      home,
      '.codex/config.toml',
      `model = "m"
model_provider = "garden"
model_context_window = ${believed}
[model_providers.garden]
name = "garden"
base_url = "${url}/v1"
wire_api = "responses"
`,
    )
    const program = installed('codex', '.bin/codex')
    return [program, 'exec', '--skip-git-repo-check', '--sandbox', 'danger-full-access', task]
  },
}

function opencode(protocol: Agent['protocol'], npm: string): Agent {
  return {
    name: 'opencode',
    protocol,
    prepare: (home, url) => {
      const model = { name: 'm', tool_call: true, limit: { context: believed, output: 1024 } }
      const provider = { npm, options: { baseURL: `${url}/v1`, apiKey: 'none' }, models: { m: model } }
      write(
        home,
        '.config/opencode/opencode.json',
        JSON.stringify({ provider: { garden: provider }, permission: 'allow' }),
      )
      return [installed('opencode', 'opencode-linux-x64/bin/opencode'), 'run', '-m', 'garden/m', task]
    },
  }
}

export const agents: readonly Agent[] = [
  pi('chat completions', 'openai-completions'),
  pi('responses', 'openai-responses'),
  pi('messages', 'anthropic-messages'),
  codex,
  opencode('chat completions', '@ai-sdk/openai-compatible'),
  opencode('messages', '@ai-sdk/anthropic'),
]

function write(home: string, file: string, text: string): void {
  mkdirSync(join(home, file, '..'), { recursive: true })
  writeFileSync(join(home, file), text)
}
