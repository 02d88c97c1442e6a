import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { MinutebookError } from 'minutebook'
import { defaults, readConfig, type ConfigSources } from '../../src/config/config.ts'
import { dataFolder } from '../../src/config/sources.ts'
import type { Problem } from '../../src/config/problems.ts'
import { temporaryFolder } from '../../../../tests/support/server/gateway.ts'

const sha = 'ab'.repeat(32)

/** Problems by field, of settings in a file and in the environment. */
function problemsOf(
  yaml: string,
  environment: Record<string, string> = {},
  more: Partial<ConfigSources> = {},
): Map<string, string> {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'minutebook.yaml'), yaml)
  try {
    readConfig({ path: 'minutebook.yaml', folder, environment, ...more })
    return new Map()
  } catch (error) {
    if (!MinutebookError.isInstance(error)) throw error
    expect(error.code).toBe('bad_config')
    const problems = error.details['problems'] as readonly Problem[]
    for (const { field, text } of problems) expect(error.message).toContain(field === '' ? text : `${field}: ${text}`)
    return new Map(problems.map(({ field, text }) => [field, text]))
  }
}

test('without any configuration it is this machine, its Ollama and the data folder of the user', () => {
  expect(defaults({ XDG_DATA_HOME: '/var/share' })).toEqual({
    host: '127.0.0.1',
    port: 11435,
    data: dataFolder({ XDG_DATA_HOME: '/var/share' }),
    upstreams: [{ url: 'http://127.0.0.1:11434' }],
    keys: [],
    allowHosts: [],
    allowOrigins: [],
    models: {},
    prices: {},
    policy: { preset: 'default' },
    onStoreFailure: 'refuse',
    bodyLimit: 64 * 1024 * 1024,
    threadLimit: 64 * 1024 * 1024,
    stabilise: [],
    record: true,
    policies: {},
    tools: [],
    mcp: [],
    states: [],
    webhooks: [],
    responses: 'auto',
    poolSize: 10,
    databaseTimeout: 10_000,
    slots: 10,
    queueLimit: 200,
    runLimits: { rounds: 1000 },
    callTimeout: 1_800_000,
    drainNotice: 0,
  })
  expect(readConfig({ folder: temporaryFolder(), environment: {} })).toEqual(defaults({}))
})

test.each([
  ['linux', {}, '/home/me/.local/share/minutebook'],
  ['linux', { XDG_DATA_HOME: '/srv/data' }, '/srv/data/minutebook'],
  ['linux', { XDG_DATA_HOME: 'relative' }, '/home/me/.local/share/minutebook'],
  ['darwin', {}, '/home/me/Library/Application Support/minutebook'],
  ['win32', { LOCALAPPDATA: '/local' }, '/local/minutebook'],
] as const)('on %s with %j the data folder is %s', (platform, environment, folder) => {
  expect(dataFolder(environment, platform, '/home/me')).toBe(folder)
})

test('a file says everything there is', () => {
  const folder = temporaryFolder()
  writeFileSync(
    join(folder, 'own.yaml'),
    `
host: 0.0.0.0
port: 8080
data: record
upstreams:
  - http://gpu:11434
  - { url: https://api.example/openai/v1, protocol: openai, key: sk-1, models: [small, large] }
keys: [{ name: app, sha256: "${sha.toUpperCase()}", tenant: garden }]
allowHosts: [gateway.example, "::2"]
allowOrigins: [https://app.example, "vscode-webview://*", "null"]
models: { "gemma3:4b": { num_ctx: 8192, reserve: 512, counter: o200k, profile: { systemFirstOnly: true, argumentsAs: object } } }
prices: { gpt-5-mini: { input: 0.25, cached: 0.025, output: 2 }, "claude:x": { input: 3, written: 3.75, output: 15, currency: EUR } }
policy: { preset: tiered, verbatim: 3, line: 96, share: 0.4 }
onStoreFailure: pass
bodyLimit: 2048
record: false
`,
  )
  const config = readConfig({ path: 'own.yaml', folder, environment: {} })
  expect(config).toMatchObject({
    host: '0.0.0.0',
    port: 8080,
    data: join(folder, 'record'),
    policy: { preset: 'tiered', verbatim: 3, line: 96, share: 0.4 },
    onStoreFailure: 'pass',
    bodyLimit: 2048,
    record: false,
  })
  expect(config.upstreams).toEqual([
    { url: 'http://gpu:11434' },
    { url: 'https://api.example/openai/v1', protocol: 'openai', key: 'sk-1', models: ['small', 'large'] },
  ])
  expect(config.keys).toEqual([{ name: 'app', sha256: sha, tenant: 'garden', scope: 'app' }])
  expect(config.models['gemma3:4b']).toEqual({
    num_ctx: 8192,
    reserve: 512,
    counter: 'o200k',
    profile: { systemFirstOnly: true, argumentsAs: 'object' },
  })
  expect(config.prices).toEqual({
    'gpt-5-mini': { input: 0.25, cached: 0.025, output: 2, currency: 'USD' },
    'claude:x': { input: 3, written: 3.75, output: 15, currency: 'EUR' },
  })
})

test('a file says how a team uses it', () => {
  const folder = temporaryFolder()
  writeFileSync(
    join(folder, 'minutebook.yaml'),
    `
keys: [{ name: ci, sha256: "${sha}", tenant: garden, scope: viewer }]
defaultModel: gemma3:4b
policies: { short: { preset: lastMessages, messages: 8 }, plain: firstAndRecent }
tools:
  - { name: weather, description: Tells the weather., parameters: { type: object, properties: { place: { type: string } } }, url: "https://tools.example/weather?unit=c", headers: { authorization: Bearer x }, mayRepeat: true, timeout: 5000 }
mcp:
  - { name: files, command: [files-server, --root, /srv], tools: [read] }
  - { name: web, url: http://127.0.0.1:9000/mcp, headers: { x-key: secret } }
states: [{ name: cart, tools: [add_item], schema: { type: object } }]
responses: pass
rateLimit: { requests: 600, turns: 4 }
poolSize: 20
databaseTimeout: 4000
slots: 40
queueLimit: 100
callTimeout: 60000
drainNotice: 3000
telemetry: { endpoint: http://127.0.0.1:4318/v1/traces, content: true }
`,
  )
  expect(readConfig({ path: 'minutebook.yaml', folder, environment: {} })).toMatchObject({
    keys: [{ name: 'ci', sha256: sha, tenant: 'garden', scope: 'viewer' }],
    defaultModel: 'gemma3:4b',
    policies: { short: { preset: 'lastMessages', messages: 8 }, plain: { preset: 'firstAndRecent' } },
    tools: [
      {
        name: 'weather',
        url: 'https://tools.example/weather?unit=c',
        headers: { authorization: 'Bearer x' },
        mayRepeat: true,
        timeout: 5000,
        parameters: { type: 'object', properties: { place: { type: 'string' } } },
      },
    ],
    mcp: [
      { name: 'files', command: ['files-server', '--root', '/srv'], tools: ['read'] },
      { name: 'web', url: 'http://127.0.0.1:9000/mcp', headers: { 'x-key': 'secret' } },
    ],
    states: [{ name: 'cart', tools: ['add_item'], schema: { type: 'object' } }],
    responses: 'pass',
    rateLimit: { requests: 600, turns: 4 },
    poolSize: 20,
    databaseTimeout: 4000,
    slots: 40,
    queueLimit: 100,
    callTimeout: 60_000,
    drainNotice: 3000,
    telemetry: { endpoint: 'http://127.0.0.1:4318/v1/traces', content: true },
  })
})

test('flags go before the environment, the environment before the file', () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, 'minutebook.yaml'), 'port: 1\nbodyLimit: 5000\nonStoreFailure: pass\npolicy: tiered')
  const environment = { MINUTEBOOK_PORT: '2', MINUTEBOOK_BODY_LIMIT: '6000', MINUTEBOOK_POLICY: 'firstAndRecent' }
  expect(
    readConfig({ path: 'minutebook.yaml', folder, environment, flags: { port: 3, host: undefined } }),
  ).toMatchObject({
    port: 3,
    host: '127.0.0.1',
    bodyLimit: 6000,
    onStoreFailure: 'pass',
    policy: { preset: 'firstAndRecent' },
  })
})

test('a file that nobody named is used by those who trust it, and by nobody else; and never passed over in silence', () => {
  const folder = temporaryFolder()
  expect(readConfig({ folder, environment: {} }).port).toBe(11435)
  writeFileSync(join(folder, 'minutebook.yaml'), 'port: 7')
  expect(() => readConfig({ folder, environment: {} })).toThrow(
    expect.objectContaining({
      code: 'untrusted_config',
      message: expect.stringMatching(/--config or MINUTEBOOK_CONFIG.*--no-config/) as string,
    }) as Error,
  )
  expect(() => readConfig({ folder, environment: { MINUTEBOOK_CONFIG: '' } })).toThrow(/--no-config/)
  expect(readConfig({ folder, environment: {}, path: false }).port).toBe(11435)
  expect(readConfig({ folder, environment: { MINUTEBOOK_CONFIG: 'minutebook.yaml' } }).port).toBe(7)
  expect(
    readConfig({
      folder,
      environment: {},
      trusts: ({ path, text, fields }) =>
        path === join(folder, 'minutebook.yaml') && text === 'port: 7' && fields['port'] === 7,
    }).port,
  ).toBe(7)
})

test('every setting has a variable', () => {
  const environment = {
    MINUTEBOOK_HOST: '::1',
    MINUTEBOOK_DATA: '/srv/x',
    MINUTEBOOK_DATABASE: 'postgres://db/x',
    MINUTEBOOK_UPSTREAMS: 'http://a:1, http://b:2',
    MINUTEBOOK_KEYS: `[{ name: a, sha256: "${sha}" }]`,
    MINUTEBOOK_ALLOW_HOSTS: 'one.example,two.example',
    MINUTEBOOK_ALLOW_ORIGINS: 'https://one.example',
    MINUTEBOOK_MODELS: '{"m":{"window":2048}}',
    MINUTEBOOK_STABILISE: 'tools,system',
    MINUTEBOOK_RECORD: 'no',
    MINUTEBOOK_ON_STORE_FAILURE: 'pass',
    MINUTEBOOK_DEFAULT_MODEL: 'm',
    MINUTEBOOK_POLICIES: '{ short: tiered }',
    MINUTEBOOK_TOOLS: '[{ name: t, parameters: {}, url: "http://t" }]',
    MINUTEBOOK_MCP: '[{ name: s, command: [run] }]',
    MINUTEBOOK_STATES: '[{ name: c, tools: [t] }]',
    MINUTEBOOK_RESPONSES: 'pass',
    MINUTEBOOK_RATE_LIMIT: '{ requests: 5 }',
    MINUTEBOOK_BODIES_LIMIT: '2000000',
    MINUTEBOOK_THREAD_LIMIT: '5000',
    MINUTEBOOK_RUN_LIMITS: '{ rounds: 50, tokens: 9000 }',
    MINUTEBOOK_POOL_SIZE: '7',
    MINUTEBOOK_DATABASE_TIMEOUT: '8000',
    MINUTEBOOK_PRICES: '{ m: { input: 1, output: 2 } }',
    MINUTEBOOK_SLOTS: '8',
    MINUTEBOOK_QUEUE_LIMIT: '9',
    MINUTEBOOK_CALL_TIMEOUT: '11',
    MINUTEBOOK_DRAIN_NOTICE: '10',
    MINUTEBOOK_TELEMETRY: '{ endpoint: "http://c" }',
    MINUTEBOOK_WEBHOOKS: `[{ name: w, url: "https://w.example", secret: whsec_${'A'.repeat(32)} }]`,
  }
  expect(readConfig({ folder: temporaryFolder(), environment })).toMatchObject({
    host: '::1',
    data: '/srv/x',
    database: 'postgres://db/x',
    upstreams: [{ url: 'http://a:1' }, { url: 'http://b:2' }],
    keys: [{ name: 'a', sha256: sha }],
    allowHosts: ['one.example', 'two.example'],
    allowOrigins: ['https://one.example'],
    models: { m: { window: 2048 } },
    prices: { m: { input: 1, output: 2, currency: 'USD' } },
    stabilise: ['tools', 'system'],
    record: false,
    onStoreFailure: 'pass',
    defaultModel: 'm',
    policies: { short: { preset: 'tiered' } },
    tools: [{ name: 't', parameters: {}, url: 'http://t' }],
    mcp: [{ name: 's', command: ['run'] }],
    states: [{ name: 'c', tools: ['t'] }],
    responses: 'pass',
    rateLimit: { requests: 5 },
    bodiesLimit: 2_000_000,
    threadLimit: 5000,
    runLimits: { rounds: 50, tokens: 9000 },
    poolSize: 7,
    databaseTimeout: 8000,
    slots: 8,
    queueLimit: 9,
    callTimeout: 11,
    drainNotice: 10,
    telemetry: { endpoint: 'http://c' },
    webhooks: [{ name: 'w', url: 'https://w.example', secret: `whsec_${'A'.repeat(32)}` }],
  })
  const named = Object.keys(environment).map((name) =>
    name
      .slice('MINUTEBOOK_'.length)
      .toLowerCase()
      .replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
  )
  expect(Object.keys(defaults({})).filter((field) => !named.includes(field))).toEqual(['port', 'policy', 'bodyLimit'])
})

test('the variables by which the command finds a server are not settings', () => {
  expect(
    readConfig({
      folder: temporaryFolder(),
      environment: { MINUTEBOOK_SERVER: 'https://x.example', MINUTEBOOK_KEY: 'k' },
    }),
  ).toEqual(defaults({}))
})

test('variables that Kubernetes sets for a service of our name are not ours', () => {
  const environment = {
    MINUTEBOOK_PORT: 'tcp://10.0.0.1:80',
    MINUTEBOOK_SERVICE_HOST: '10.0.0.1',
    MINUTEBOOK_PORT_80_TCP: 'tcp://10.0.0.1:80',
  }
  expect(readConfig({ folder: temporaryFolder(), environment }).port).toBe(11435)
})

describe('an error names the field, what is wrong and the fix', () => {
  test.each([
    ['port: high', 'port', /whole number from 0 to 65535/],
    ['port: 70000', 'port', /free port/],
    ['hsot: x', 'hsot', /Did you mean host\?/],
    ['wibble: x', 'wibble', /there is host, port/],
    ['upstreams: []', 'upstreams', /is empty/],
    ['upstreams: [http://a, ftp://b]', 'upstreams[1].url', /http:\/\/ or https/],
    ['upstreams: [{ url: nowhere }]', 'upstreams[0].url', /address of a server/],
    ['upstreams: [{ protocol: ollama }]', 'upstreams[0].url', /address of a server/],
    ['upstreams: [{ url: "http://me:secret@host" }]', 'upstreams[0].url', /into the field key/],
    ['upstreams: [{ url: "http://host/?a=b" }]', 'upstreams[0].url', /query/],
    ['upstreams: [{ url: "http://h", protocol: soap }]', 'upstreams[0].protocol', /ollama or openai/],
    ['upstreams: [{ url: "http://h", modles: [a] }]', 'upstreams[0].modles', /Did you mean models\?/],
    ['upstreams: [{ url: "http://h", key: "a b" }]', 'upstreams[0].key', /without blanks/],
    ['upstreams: [http://127.0.0.1:11435]', 'upstreams[0].url', /itself listens/],
    ['keys: [{ name: a, sha256: secret }]', 'keys[0].sha256', /64 hexadecimal digits/],
    ['keys: [{ sha256: "' + sha + '" }]', 'keys[0].name', /short name/],
    [`keys: [{ name: a, sha256: "${sha}" }, { name: a, sha256: "${'cd'.repeat(32)}" }]`, 'keys[1].name', /another key/],
    [`keys: [{ name: a, sha256: "${sha}" }, { name: b, sha256: "${sha}" }]`, 'keys[1].sha256', /same key/],
    [`keys: [{ name: a, sha256: "${sha}", tenant: ../up }]`, 'keys[0].tenant', /small letters/],
    [`keys: [{ name: a, sha256: "${sha}", system: perhaps }]`, 'keys[0].system', /true or false/],
    [`keys: [{ name: a, sha256: "${sha}", system: false, scope: admin }]`, 'keys[0].scope', /for chats alone/],
    [`keys: [{ name: a, sha256: "${sha}", installation: true }]`, 'keys[0].installation', /scope: admin/],
    [
      `keys: [{ name: a, sha256: "${sha}", installation: true, system: false }]`,
      'keys[0].installation',
      /scope: admin/,
    ],
    [`keys: [{ name: a, sha256: "${sha}", scope: root }]`, 'keys[0].scope', /admin or app or viewer/],
    [
      `keys: [{ name: a, sha256: "${sha}", operator: true }]`,
      'keys[0].operator',
      /there is name, sha256, tenant, scope, system, installation/,
    ],
    ['policies: { "a b": tiered }', 'policies["a b"]', /valid name of a policy/],
    ['policies: { tiered: default }', 'policies.tiered', /name of a preset/],
    ['policies: { short: { preset: default, line: 96 } }', 'policies.short.line', /belongs to the preset tiered/],
    ['policies: { short: { preset: default, share: 0.4 } }', 'policies.short.share', /belongs to the preset tiered/],
    ['policies: { short: { preset: tiered, line: 0 } }', 'policies.short.line', /1 or more/],
    ['policies: { short: { preset: tiered, share: 2 } }', 'policies.short.share', /from 0 to 1/],
    ['policies: { short: lastMessages }', 'policies.short.messages', /such as 50/],
    ['policies: { short: { preset: tiered, recal: off } }', 'policies.short.recal', /Did you mean recall\?/],
    ['tools: [{ name: t, url: http://t }]', 'tools[0].parameters', /JSON Schema/],
    ['tools: [{ name: "a b", parameters: {}, url: http://t }]', 'tools[0].name', /letters, digits/],
    ['tools: [{ name: t, parameters: {}, url: "file:///etc/passwd" }]', 'tools[0].url', /http:\/\/ or https/],
    ['tools: [{ name: t, parameters: {}, url: "http://u:p@t" }]', 'tools[0].url', /into headers/],
    [
      'tools: [{ name: t, parameters: {}, url: http://t, headers: { "a b": c } }]',
      'tools[0].headers["a b"]',
      /invalid header name/,
    ],
    [
      'tools: [{ name: t, parameters: {}, url: http://t, headers: { a: "b\\nc" } }]',
      'tools[0].headers.a',
      /without line breaks/,
    ],
    ['tools: [{ name: t, parameters: {}, url: http://t, timout: 5 }]', 'tools[0].timout', /Did you mean timeout\?/],
    [
      'tools: [{ name: t, parameters: {}, url: http://t }, { name: t, parameters: {}, url: http://u }]',
      'tools[1].name',
      /has the same name/,
    ],
    ['mcp: [{ name: s }]', 'mcp[0]', /either url or command/],
    ['mcp: [{ name: s, url: http://s, command: [run] }]', 'mcp[0]', /either url or command/],
    ['mcp: [{ name: s, command: [run], headers: { a: b } }]', 'mcp[0].headers', /not for a program/],
    ['webhooks: [{ name: w, url: "https://w", secret: plain }]', 'webhooks[0].secret', /openssl rand/],
    [`webhooks: [{ name: w, url: "ftp://w", secret: whsec_${'A'.repeat(32)} }]`, 'webhooks[0].url', /https/],
    ['states: [{ name: c, tools: [] }]', 'states[0].tools', /Name at least one/],
    [
      'tools: [{ name: t, parameters: {}, url: http://t, states: [cart] }]',
      'tools[0].states',
      /no state is called "cart"/,
    ],
    ['responses: theirs', 'responses', /auto or chats or pass/],
    ['rateLimit: { turns: 3 }', 'rateLimit.requests', /per minute and key/],
    ['rateLimit: 600', 'rateLimit', /must have requests/],
    ['rateLimit: { requests: 600, turn: 3 }', 'rateLimit.turn', /Did you mean turns\?/],
    ['poolSize: 2', 'poolSize', /3 to 1000/],
    ['databaseTimeout: 0', 'databaseTimeout', /100 to 600000/],
    ['slots: 0', 'slots', /turns at once/],
    ['queueLimit: -1', 'queueLimit', /may wait/],
    ['runLimits: { rounds: 0 }', 'runLimits.rounds', /whole number of rounds/],
    ['threadLimit: 1', 'threadLimit', /characters/],
    ['bodiesLimit: 1', 'bodiesLimit', /bytes/],
    ['drainNotice: long', 'drainNotice', /milliseconds/],
    ['telemetry: { endpoint: nowhere }', 'telemetry.endpoint', /address of a service/],
    ['allowHosts: [https://x.example]', 'allowHosts[0]', /Leave out scheme/],
    ['allowHosts: [x.example:80]', 'allowHosts[0]', /port/],
    ['allowHosts: x.example', 'allowHosts', /must be a list/],
    ['allowOrigins: [x.example]', 'allowOrigins[0]', /web origin/],
    ['allowOrigins: [https://x.example/]', 'allowOrigins[0]', /slash at the end/],
    ['allowOrigins: ["https://*"]', 'allowOrigins[0]', /web origin/],
    ['prices: { a: { input: 1 } }', 'prices.a.output', /million tokens/],
    ['prices: { a: { input: -1, output: 1 } }', 'prices.a.input', /0 or more/],
    ['prices: { a: { input: 1, output: 1, currency: euro } }', 'prices.a.currency', /EUR/],
    ['prices: { a: { input: 1, outptu: 1, output: 2 } }', 'prices.a.outptu', /Did you mean output\?/],
    ['models: { "a:b": { window: -1 } }', 'models["a:b"].window', /tokens/],
    ['models: { a: { profile: { sytemFirstOnly: true } } }', 'models.a.profile.sytemFirstOnly', /systemFirstOnly/],
    ['policy: clever', 'policy.preset', /default or lastMessages/],
    ['policy: { preset: tiered, recall: off }', 'policy.recall', /preset default/],
    ['policy: lastMessages', 'policy.messages', /such as 50/],
    ['onStoreFailure: maybe', 'onStoreFailure', /refuse or pass/],
    ['database: mysql://x', 'database', /postgres:\/\//],
    ['bodyLimit: 1', 'bodyLimit', /bytes/],
    ['record: perhaps', 'record', /true, false or always/],
    ['host: 0.0.0.0', 'host', /minutebook keys generate/],
    ['host: "::"', 'host', /no keys/],
    ['- a list', '', /settings by name/],
    ['a: [', '', /line 1/],
    ['port: 1\nport: 2', '', /line 2/],
  ])('%s', (yaml, field, text) => {
    const problems = problemsOf(yaml)
    expect([...problems.keys()]).toEqual([field])
    expect(problems.get(field)).toMatch(text)
  })

  test('all of them at once, with the variable that said it', () => {
    const problems = problemsOf('host: 0.0.0.0\nrecord: perhaps\nupstreams: [{ url: x }, { url: y }]', {
      MINUTEBOOK_PORT: 'x',
      MINUTEBOOK_HSOT: 'y',
    })
    expect([...problems.keys()]).toEqual([
      'MINUTEBOOK_HSOT',
      'port (MINUTEBOOK_PORT)',
      'upstreams[0].url',
      'upstreams[1].url',
      'record',
      'host',
    ])
  })

  test('a file that was named must be there', () => {
    expect([...problemsOf('', {}, { path: 'other.yaml' }).values()][0]).toMatch(/cannot be read \(ENOENT\)/)
    expect([...problemsOf('', { MINUTEBOOK_CONFIG: 'other.yaml' }, { path: undefined }).values()][0]).toMatch(
      /other\.yaml/,
    )
  })

  test('no value of a setting is in the error: it may be a secret', () => {
    const canary = 'canary-wxyzqvkw'
    const yaml = `upstreams: [{ url: "http://u:${canary}@host", key: "${canary} x", protocol: "${canary}" }]\nkeys: [{ name: "${canary}!", sha256: "${canary}", tenant: "${canary}!", scope: "${canary}" }]\ntools: [{ name: "${canary} x", parameters: "${canary}", url: "http://u:${canary}@t", headers: { a: "${canary}\\n" } }]\nwebhooks: [{ name: "${canary} x", url: "http://u:${canary}@t", secret: "${canary}" }]\ntelemetry: { endpoint: "${canary}" }\ndatabase: "mysql://${canary}"\nhost: ["${canary}"]`
    expect(JSON.stringify([...problemsOf(yaml, { MINUTEBOOK_PORT: canary })])).not.toContain(canary)
  })
})

test('a folder that is named in a file stands beside the file, one in a variable where one is', () => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, 'etc'))
  writeFileSync(join(folder, 'etc', 'own.yaml'), 'data: record')
  expect(readConfig({ path: 'etc/own.yaml', folder, environment: {} }).data).toBe(join(folder, 'etc', 'record'))
  expect(readConfig({ path: 'etc/own.yaml', folder, environment: { MINUTEBOOK_DATA: 'record' } }).data).toBe(
    join(folder, 'record'),
  )
})
