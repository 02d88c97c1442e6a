// Finding M4: an agent that was started without a key of its own got the token of the installation, made an admin key for
// another tenant, and deleted a model.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { strictUpstream, type StrictUpstream } from '@minutebook/testing/server'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { dataFolder } from '../support/data-folder.ts'
import { runProcess, spawnCommand, type Spawned } from '../support/process.ts'
import { runCommand } from '../support/terminal.ts'

/** What the agent was given, and what it could do with that. */
interface Told {
  readonly pid: number
  readonly key: string
  /** In the variable that the command reads. */
  readonly users: string | undefined
  readonly name: string
  readonly scope: string
  readonly tried: readonly number[]
}

/** It says what it has, and with `--wait` ends at SIGTERM only. */
const agent = `
const { ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: key, MINUTEBOOK_KEY: users } = process.env
const ask = (method, path, body) =>
  fetch(url + path, {
    method,
    headers: { authorization: 'Bearer ' + key, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
async function main() {
  if (process.argv.includes('--wait')) {
    process.on('SIGTERM', () => process.exit(7))
    setInterval(() => {}, 1000)
  }
  const { key: name, scope } = await (await ask('GET', '/minutebook/v1')).json()
  const tried = [
    await ask('POST', '/minutebook/v1/keys', { name: 'mine', tenant: 'other', scope: 'admin' }),
    await ask('POST', '/minutebook/v1/keys', { name: 'mine', scope: 'app' }),
    await ask('GET', '/minutebook/v1/keys'),
    await ask('DELETE', '/api/delete', { model: 'first' }),
  ].map(({ status }) => status)
  console.log(JSON.stringify({ pid: process.pid, key, users, name, scope, tried }))
}
main()
`

const data = dataFolder()
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
const keys = `[{ name: app, sha256: ${sha256('of-the-app')} }, { name: boss, scope: admin, sha256: ${sha256('of-the-boss')} }]`
const config = join(data.path, 'minutebook.yaml')
const PATH = [data.path, dirname(process.execPath), '/usr/bin', '/bin'].join(':')
let upstream: StrictUpstream
let serving: Spawned
let url: string

beforeAll(async () => {
  upstream = await strictUpstream({ models: ['first'], window: 8192 })
  writeFileSync(config, `upstreams: [{ url: "${upstream.url}" }]\nkeys: ${keys}\n`)
  writeFileSync(join(data.path, 'claude'), `#!${process.execPath}\n${agent}`, { mode: 0o755 })
  writeFileSync(join(data.path, 'package.json'), '{ "type": "commonjs" }')
  serving = spawnCommand(['serve', '--port', '0', '--config', config, '--json'], data.path)
  url = (JSON.parse(await serving.shows('\n')) as { url: string }).url
})
afterAll(async () => {
  serving.child.kill('SIGTERM')
  await serving.ended
  await upstream.close()
  data[Symbol.dispose]()
})

const toldBy = (output: string): Told => JSON.parse(output.split('\n')[0]!) as Told

async function wrapped(environment: Readonly<Record<string, string>> = {}): Promise<Told> {
  const { output, errors } = await runProcess(['wrap', 'claude'], data.path, { PATH, ...environment })
  expect(output, errors).not.toBe('')
  return toldBy(output)
}

/** An agent that runs until it is ended. */
async function waiting(): Promise<Spawned & { readonly told: Told }> {
  const spawned = spawnCommand(['wrap', 'claude', '--', '--wait'], data.path, { PATH })
  return { ...spawned, told: toldBy(await spawned.shows('\n')) }
}

const statusWith = async ({ key }: Told): Promise<number> =>
  (await fetch(`${url}/minutebook/v1`, { headers: { authorization: `Bearer ${key}` } })).status

test('an agent gets no key of an admin, but one that can do no more than an app and ends with it', async () => {
  const [bare, admin] = [await wrapped(), await wrapped({ MINUTEBOOK_KEY: 'of-the-boss', MINUTEBOOK_SERVER: url })]
  for (const told of [bare, admin]) {
    expect(told).toMatchObject({ scope: 'app', tried: [403, 403, 403, 403] })
    expect(told.users).toBeUndefined()
    expect(await statusWith(told)).toBe(401)
  }
  expect(bare.name).toMatch(/^wrap-[\w.-]+-[0-9a-f]{10}$/)
  expect([admin.name, admin.key === bare.key]).toEqual([bare.name, false])
})

test('agents at once have keys of one name; each ends with its own agent, however that ends', async () => {
  const [one, two, three] = await Promise.all([waiting(), waiting(), waiting()])
  expect(new Set([one, two, three].map(({ told }) => told.name)).size).toBe(1)
  one.child.kill('SIGTERM')
  expect(await one.ended).toBe(7)
  expect(await Promise.all([one, two, three].map(({ told }) => statusWith(told)))).toEqual([401, 200, 200])
  process.kill(two.told.pid, 'SIGKILL')
  expect(await two.ended).toBe(137)
  expect(await Promise.all([two, three].map(({ told }) => statusWith(told)))).toEqual([401, 200])
  // Nothing can be done at the end of a command that is killed: its key ends by itself, and bothers no other run.
  three.child.kill('SIGKILL')
  process.kill(three.told.pid, 'SIGKILL')
  expect(await three.ended).toBe('SIGKILL')
  expect((await wrapped()).name).toBe(three.told.name)
  const { output } = await runCommand(['keys', '--json'], data.path)
  const listed = (JSON.parse(output) as { keys: readonly { name: string; revoked?: string; expires?: string }[] }).keys
  const left = listed.filter(({ name, revoked }) => name === three.told.name && revoked === undefined)
  expect(left).toEqual([expect.objectContaining({ expires: expect.stringMatching(/^\d{4}-/) as string })])
  await runCommand(['keys', 'revoke', three.told.name], data.path)
  expect(await statusWith(three.told)).toBe(401)
})

test('the key of a gateway that was started for the agent is revoked before that ends', async () => {
  using own = dataFolder()
  const { output } = await runProcess(['wrap', 'claude', '--config', config], own.path, { PATH })
  const { name, scope, tried } = toldBy(output)
  expect({ scope, tried }).toEqual({ scope: 'app', tried: [403, 403, 403, 403] })
  const listed = await runCommand(['keys', '--json', '--config', config], own.path)
  expect(JSON.parse(listed.output)).toMatchObject({
    keys: [{ name: 'app' }, { name: 'boss' }, { name, revoked: expect.any(String) as string }],
  })
})
