import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { task } from './upstream.ts'

/** How a real agent is made to use an address, and how it is started. */
export interface Agent {
  readonly name: string
  readonly protocol: 'chat completions' | 'responses'
  /** Writes its settings, and returns its command. `home`: an empty folder; `url`: ends without a slash. */
  prepare(home: string, url: string): readonly [program: string, ...words: string[]]
}

const bin = join(import.meta.dirname, 'node_modules', '.bin')

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
      const provider = { baseUrl: `${url}/v1`, api, apiKey: 'none', models: [model] }
      write(home, '.pi/agent/models.json', JSON.stringify({ providers: { garden: provider } }))
      return [join(bin, 'pi'), '--provider', 'garden', '--model', 'm', '-p', task]
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
    return [join(bin, 'codex'), 'exec', '--skip-git-repo-check', '--sandbox', 'danger-full-access', task]
  },
}

const opencode: Agent = {
  name: 'opencode',
  protocol: 'chat completions',
  prepare: (home, url) => {
    const model = { name: 'm', tool_call: true, limit: { context: believed, output: 1024 } }
    const provider = { npm: '@ai-sdk/openai-compatible', options: { baseURL: `${url}/v1` }, models: { m: model } }
    write(
      home,
      '.config/opencode/opencode.json',
      JSON.stringify({ provider: { garden: provider }, permission: 'allow' }),
    )
    return [join(bin, '../opencode-linux-x64/bin/opencode'), 'run', '-m', 'garden/m', task]
  },
}

export const agents: readonly Agent[] = [
  pi('chat completions', 'openai-completions'),
  pi('responses', 'openai-responses'),
  codex,
  opencode,
]

function write(home: string, file: string, text: string): void {
  mkdirSync(join(home, file, '..'), { recursive: true })
  writeFileSync(join(home, file), text)
}
