/** The agents that `minutebook wrap` knows, and what each of them needs to use a gateway. Nothing here does anything. */

/** What an agent is to use. */
export interface AgentTarget {
  /** The gateway, without a slash at the end. */
  readonly url: string
  /** The key of the gateway. Undefined if it needs none. */
  readonly key: string | undefined
  /** Undefined: the agent chooses, as it does without us. Only an agent with `hasOwnModel` can do that. */
  readonly model: string | undefined
  /** The models that the gateway lists. */
  readonly models: readonly string[]
  /** What the user wants the agent to be called with, without its flag for the model. */
  readonly args: readonly string[]
  /** The environment of the user. */
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** What is set for one process of an agent. The user's own settings stay as they are. */
export interface AgentSetup {
  /** Variables to set. Undefined: to remove. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly args: readonly string[]
  /** Texts by the names of their files in the folder. */
  readonly files: Readonly<Record<string, string>>
}

export interface Agent {
  /** The command that installs it. */
  readonly install: string
  /** Its own flags that name a model. */
  readonly modelFlags: readonly string[]
  /** Its own flags with which it would use another address. */
  readonly bypassFlags: readonly string[]
  /** Settings with which it would, and its own flags that set one. */
  readonly bypassSettings?: { readonly flags: readonly string[]; readonly names: RegExp }
  /** Whether it knows a model by this name without the gateway, and has a login for it. */
  readonly hasOwnModel?: (model: string) => boolean
  /** The path that the upstream itself must serve, if the gateway does not make other requests of it. */
  readonly upstreamPath?: string
  /** Whether it asks the server not to keep its chats (`store: false`). */
  readonly asksNotToStore?: boolean
  /** `folder`: where the files will be. It is gone when the agent has ended. */
  setup(target: AgentTarget, folder: string): AgentSetup
}

/** Larger than any window: the gateway fits the chats, so the agent does not need to shorten them. */
const window = 1_000_000

/** Tokens that opencode asks for in each answer, because it always asks for some. */
const answerTokens = 8192

/** The variable that has the key of the gateway. Agents are told its name, so the key is in no file. */
const keyVariable = 'MINUTEBOOK_KEY'

const codex: Agent = {
  install: 'npm install --global @openai/codex',
  modelFlags: ['-m', '--model'],
  bypassFlags: ['--oss', '--local-provider'],
  bypassSettings: { flags: ['-c', '--config'], names: /^\s*model_providers?\b/ },
  asksNotToStore: true,
  setup: ({ url, key, model, args }) => {
    const provider = [
      'name = "Minutebook"',
      `base_url = ${quoted(`${url}/v1`)}`,
      'wire_api = "responses"',
      ...(key === undefined ? [] : [`env_key = "${keyVariable}"`]),
    ]
    const settings = [
      'model_provider="minutebook"',
      `model_providers.minutebook={ ${provider.join(', ')} }`,
      ...(model === undefined ? [] : [`model=${quoted(model)}`]),
      `model_context_window=${window}`,
    ]
    return {
      environment: keyIn(key),
      args: [...settings.flatMap((setting) => ['-c', setting]), ...args],
      files: {},
    }
  },
}

const opencode: Agent = {
  install: 'npm install --global opencode-ai',
  modelFlags: ['-m', '--model'],
  bypassFlags: ['--attach'],
  setup: ({ url, key, model, models, args, environment }) => {
    const provider = {
      name: 'Minutebook',
      npm: '@ai-sdk/openai-compatible',
      options: { baseURL: `${url}/v1`, apiKey: key === undefined ? 'none' : `{env:${keyVariable}}` },
      models: Object.fromEntries(
        models.map((name) => [
          name,
          {
            name,
            tool_call: true,
            attachment: true,
            modalities: { input: ['text', 'image'], output: ['text'] },
            limit: { context: window, output: answerTokens },
          },
        ]),
      ),
    }
    const chosen = model === undefined ? {} : { model: `minutebook/${model}`, small_model: `minutebook/${model}` }
    const own = settingsIn(environment[contentVariable])
    const content = { ...own, ...chosen, provider: { ...Object(own['provider']), minutebook: provider } }
    return { environment: { ...keyIn(key), [contentVariable]: JSON.stringify(content) }, args, files: {} }
  },
}

const contentVariable = 'OPENCODE_CONFIG_CONTENT'

/** Settings that the user has in the variable already. Those that opencode could not read either count as none. */
function settingsIn(content = '{}'): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(content)) as Readonly<Record<string, unknown>>
  } catch {
    return {}
  }
}

const pi: Agent = {
  install: 'npm install --global @mariozechner/pi-coding-agent',
  modelFlags: ['--model'],
  bypassFlags: ['--provider', '--api-key'],
  setup: ({ url, key, model, models, args }, folder) => {
    const provider = {
      name: 'Minutebook',
      baseUrl: `${url}/v1`,
      api: 'openai-completions',
      apiKey: key === undefined ? 'none' : keyVariable,
      models: models.map((id) => ({
        id,
        name: id,
        reasoning: false,
        input: ['text', 'image'],
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        contextWindow: window,
        // 0: it does not ask for a number of tokens, and the gateway reserves what it is set to.
        maxTokens: 0,
      })),
    }
    const extension = `export default (pi) => pi.registerProvider('minutebook', ${JSON.stringify(provider, null, 2)})\n`
    const chosen = ['--provider', 'minutebook', ...(model === undefined ? [] : ['--model', model])]
    return {
      environment: keyIn(key),
      args: ['--extension', `${folder}/minutebook.js`, ...chosen, ...args],
      files: { 'minutebook.js': extension },
    }
  },
}

const claude: Agent = {
  install: 'npm install --global @anthropic-ai/claude-code',
  modelFlags: ['--model'],
  bypassFlags: [],
  hasOwnModel: (model) => /^(?:claude|opus|sonnet|haiku|default$|best$)/.test(model),
  upstreamPath: '/v1/messages',
  setup: ({ url, key, model, args }) => ({
    environment: {
      ANTHROPIC_BASE_URL: url,
      // Each of these would make it use another address.
      CLAUDE_CODE_USE_BEDROCK: undefined,
      CLAUDE_CODE_USE_VERTEX: undefined,
      CLAUDE_CODE_USE_FOUNDRY: undefined,
      ...(key !== undefined && { ANTHROPIC_AUTH_TOKEN: key, ANTHROPIC_API_KEY: undefined }),
      ...(model !== undefined && !claude.hasOwnModel?.(model) && modelOfClaude(model, key)),
    },
    args: model === undefined || !claude.hasOwnModel?.(model) ? args : ['--model', model, ...args],
    files: {},
  }),
}

/** For a model that is not Anthropic's: it takes part for all of theirs, and the login for theirs is not sent to it. */
function modelOfClaude(model: string, key = 'none'): AgentSetup['environment'] {
  return {
    ANTHROPIC_MODEL: model,
    ANTHROPIC_DEFAULT_OPUS_MODEL: model,
    ANTHROPIC_DEFAULT_SONNET_MODEL: model,
    ANTHROPIC_DEFAULT_HAIKU_MODEL: model,
    CLAUDE_CODE_SUBAGENT_MODEL: model,
    ANTHROPIC_AUTH_TOKEN: key,
    ANTHROPIC_API_KEY: undefined,
  }
}

export const agents: Readonly<Record<string, Agent>> = { codex, opencode, pi, claude }

function keyIn(key: string | undefined): AgentSetup['environment'] {
  return key === undefined ? {} : { [keyVariable]: key }
}

/** A text of TOML: those of JSON are, too. */
function quoted(text: string): string {
  return JSON.stringify(text)
}
