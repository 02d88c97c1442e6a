import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * Writes programs with the names of agents, which find the gateway as the real ones do: codex by its flags, opencode by
 * its variable, pi by its extension, claude by its variables. They ask one question and print what they got. Returns the
 * PATH that has them.
 *
 * Their own flags: `--exit <code>` ends with it; `--wait` prints "waiting", and then each signal that it gets, until
 * SIGTERM ends it with 7.
 */
export function fakeAgents(folder: string, names: readonly string[]): string {
  const bin = join(folder, 'bin')
  mkdirSync(bin, { recursive: true })
  for (const name of names) {
    writeFileSync(join(bin, name), `#!${process.execPath}\n${source}`)
    chmodSync(join(bin, name), 0o755)
  }
  writeFileSync(join(bin, 'package.json'), '{ "type": "commonjs" }')
  return [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(':')
}

const source = `
const { basename } = require('node:path')
const args = process.argv.slice(2)
const after = (flag) => args[args.indexOf(flag) + 1]
const { env } = process
const key = (name) => env[name] ?? name
const found = {
  codex: () => ({
    url: /base_url = "([^"]+)"/.exec(args.join(' '))[1] + '/responses',
    model: JSON.parse(/^model=(.+)$/m.exec(args.join('\\n'))[1]),
    key: args.join(' ').includes('env_key') ? env.MINUTEBOOK_KEY : undefined,
    body: { input: 'What grows?', store: false },
  }),
  opencode: () => {
    const { model, provider } = JSON.parse(env.OPENCODE_CONFIG_CONTENT)
    const { options } = provider.minutebook
    const [, name] = /^\\{env:(.+)\\}$/.exec(options.apiKey) ?? []
    return chat(options.baseURL, model.replace('minutebook/', ''), name ? env[name] : options.apiKey)
  },
  pi: async () => {
    let given
    const { default: extension } = await import(after('--extension'))
    extension({ registerProvider: (name, provider) => (given = provider) })
    return chat(given.baseUrl, after('--model'), key(given.apiKey))
  },
  claude: () => ({
    url: env.ANTHROPIC_BASE_URL + '/v1/messages',
    model: env.ANTHROPIC_MODEL,
    key: env.ANTHROPIC_AUTH_TOKEN,
    body: { max_tokens: 100, messages: [{ role: 'user', content: 'What grows?' }] },
  }),
}
function chat(base, model, key) {
  return { url: base + '/chat/completions', model, key, body: { messages: [{ role: 'user', content: 'What grows?' }] } }
}
async function main() {
  if (args.includes('--exit')) process.exit(Number(after('--exit')))
  if (args.includes('--wait')) {
    for (const signal of ['SIGINT', 'SIGHUP', 'SIGTERM'])
      process.on(signal, () => {
        console.log(signal)
        if (signal === 'SIGTERM') process.exit(7)
      })
    setInterval(() => {}, 1000)
    return console.log('waiting')
  }
  const { url, model, key, body } = await found[basename(process.argv[1])]()
  const headers = { 'content-type': 'application/json', 'anthropic-version': '2023-06-01' }
  if (key) headers.authorization = 'Bearer ' + key
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify({ model, ...body }) })
  console.log(JSON.stringify({ status: response.status, text: await response.text(), model, args }))
}
main()
`
