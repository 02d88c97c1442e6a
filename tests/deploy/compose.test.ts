import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DCLinter } from 'dclint'
import { describe, expect, test } from 'vitest'
import { strictUpstream } from '@minutebook/testing/server'
import { readConfig } from '../../packages/server/src/index.ts'
import { gateway } from '../support/server/gateway.ts'
import { raw } from '../support/server/raw.ts'
import {
  composeOf,
  files,
  filledIn,
  folder,
  linesOf,
  newEnvironment,
  read,
  settingsOf,
  variablesIn,
} from './compose.ts'

/** Checks a file against the Compose Specification, and for slips. The order and quotes of lines are a matter of taste. */
const linter = new DCLinter({
  rules: {
    // Two services that share an image name what builds it, too.
    'no-build-and-image': 0,
    'require-quotes-in-ports': 0,
    'service-keys-order': 0,
    'services-alphabetical-order': 0,
    'top-level-properties-order': 0,
  },
  quiet: false,
  debug: false,
  exclude: [],
})
/** The types of dclint do not resolve. */
interface Report {
  readonly messages: readonly { readonly line: number; readonly rule: string; readonly message: string }[]
}
const complaintsAbout = (path: string): string[] =>
  (linter.lintFiles([path], false) as readonly Report[])
    .flatMap(({ messages }) => messages)
    .map(({ line, rule, message }) => `${line}: ${rule}: ${message}`)

describe.each(files)('%s', (file) => {
  const { services, volumes } = composeOf(file)
  const own = Object.entries(services).filter(([, { build }]) => build !== undefined)

  test('keeps to the Compose Specification', () => expect(complaintsAbout(join(folder, file))).toEqual([]))

  test('names services, volumes and files that are there', () => {
    for (const { depends_on: before = {}, volumes: places = [], build } of Object.values(services)) {
      for (const [name, { condition }] of Object.entries(before)) {
        expect(Object.keys(services)).toContain(name)
        // Our own image checks its health by itself.
        if (condition === 'service_healthy') expect(services[name]?.healthcheck ?? services[name]?.build).toBeDefined()
      }
      for (const place of places.map((volume) => volume.split(':')[0] ?? '')) {
        if (place.startsWith('./')) expect(existsSync(join(folder, place)), place).toBe(true)
        else expect(Object.keys(volumes)).toContain(place)
      }
      if (build) expect(existsSync(join(folder, build.context, build.dockerfile))).toBe(true)
    }
  })

  test('pins the version of every image', () => {
    for (const { image } of Object.values(services))
      expect(filledIn(image, {})).toMatch(/^[\w./-]+:(?:local|v?\d[\w.-]*)$/)
  })

  test('builds one image, and runs it with no more rights than it needs', () => {
    expect(new Set(own.map(([, { image }]) => image))).toEqual(new Set(['minutebook:local']))
    for (const [name, service] of own.filter(([name]) => name !== 'migrate'))
      expect(service, name).toMatchObject({
        init: true,
        read_only: true,
        tmpfs: ['/tmp'],
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        volumes: expect.arrayContaining([expect.stringMatching(/^\w+:\/data$/)]) as unknown,
      })
  })

  test('may write into each of its volumes: the image has the folder, with the user as its owner', () => {
    const [, made = ''] = /install -d -o node -g node -m 700 (.+)$/m.exec(read('Dockerfile')) ?? []
    for (const place of own.flatMap(([, { volumes: places = [] }]) => places))
      expect(made.split(' ')).toContain(place.split(':')[1])
  })

  test('opens ports to this machine alone', () => {
    const ports = Object.values(services).flatMap(({ ports: each = [] }) => each)
    expect(ports).toContain('127.0.0.1:11435:11435')
    for (const port of ports) expect(port).toMatch(/^127\.0\.0\.1:\d+:\d+$/)
  })

  test('gives an instance longer to stop than it takes', () => {
    for (const [name, service] of own.filter(([name]) => name !== 'migrate')) {
      const { drainNotice } = readConfig({ environment: settingsOf(service, variables), folder: '/' })
      expect(Number.parseInt(service.stop_grace_period ?? '', 10) * 1000, name).toBeGreaterThan(drainNotice + 35_000)
    }
  })
})

test('no file takes over what another one keeps', () => {
  const all = [...files.map(composeOf), { name: 'minutebook', volumes: { record: {} } }] // The team's file was named so.
  const kept = all.flatMap(({ name, volumes }) => Object.keys(volumes).map((volume) => `${name}_${volume}`))
  expect(new Set(kept).size).toBe(kept.length)
  expect(new Set(all.map(({ name }) => name)).size).toBe(all.length)
})

test('a misspelt key of a compose file is found', () => {
  expect(complaintsAbout(join(import.meta.dirname, 'misspelt.yaml')).join('\n')).toContain('invalid-schema')
})

const { variables, printed } = newEnvironment()

describe('.env.example', () => {
  test('has each variable of the compose files, and no other', () => {
    const used = files.flatMap((file) => variablesIn(read(file)))
    expect(Object.keys(linesOf(read('.env.example'), { commented: true })).toSorted()).toEqual(
      [...new Set(used)].toSorted(),
    )
  })

  test('shows each default as the compose files have it', () => {
    const defaults = Object.fromEntries(
      files.flatMap((file) =>
        Array.from(read(file).matchAll(/\$\{(\w+):-([^}]+)\}/g), ([, name = '', value = '']) => [name, value]),
      ),
    ) as Record<string, string>
    const shown = linesOf(Array.from(read('.env.example').matchAll(/^#(\w+=.*)$/gm), ([, line]) => line).join('\n'))
    expect(defaults).toEqual(shown)
  })

  test('is filled in by new-env.sh with secrets that differ, and keys that are printed', () => {
    expect(Object.keys(variables)).toEqual(Object.keys(linesOf(read('.env.example'))))
    for (const value of Object.values(variables)) expect(value).toMatch(/^(?:mb_)?[0-9a-f]{48,64}$/)
    expect(new Set(Object.values(variables)).size).toBe(Object.keys(variables).length)
    expect(printed).toContain(variables['APP_KEY'])
    expect(newEnvironment().variables['APP_KEY']).not.toBe(variables['APP_KEY'])
  })
})

test('one instance answers its apps by the names and the key that compose.yaml gives it, and nobody else', async () => {
  await using upstream = await strictUpstream({ answer: () => 'Ferns.' })
  const { services } = composeOf('compose.yaml')
  const { 'open-webui': webui, ollama, gateway: own } = services
  const config = readConfig({ environment: settingsOf(own, variables), folder: '/' })
  expect(config).toMatchObject({ host: '0.0.0.0', port: 11435, data: '/data', keys: [{ name: 'app', scope: 'app' }] })
  const { host: _, port: __, data: ___, ...settings } = config
  const { url } = await gateway({ ...settings, upstreams: [{ url: upstream.url }] })

  // What Open WebUI is told, but for the place of the server.
  const address = new URL(webui?.environment?.['OPENAI_API_BASE_URL'] ?? '')
  const key = filledIn(webui?.environment?.['OPENAI_API_KEY'] ?? '', variables)
  const body = JSON.stringify({ model: 'any', messages: [{ role: 'user', content: 'What grows in the shade?' }] })
  const chat = async (host: string, ...headers: readonly string[]): Promise<number> => {
    const lines = [
      `POST ${address.pathname}/chat/completions HTTP/1.1`,
      `host: ${host}`,
      'content-type: application/json',
      `content-length: ${body.length}`,
      'connection: close',
      ...headers,
    ]
    return (await raw(url, `${lines.join('\r\n')}\r\n\r\n${body}`)).status
  }
  expect(await chat(address.host, `authorization: Bearer ${key}`)).toBe(200)
  expect(await chat(address.host)).toBe(401)
  expect(await chat('attacker.example', `authorization: Bearer ${key}`)).toBe(403)
  expect([webui?.profiles, ollama?.profiles]).toEqual([['open-webui'], ['open-webui']])
})

test('without a key nothing starts', () => {
  for (const [file, name] of [
    ['compose.yaml', 'APP_KEY_SHA256'],
    ['compose.team.yaml', 'ADMIN_KEY_SHA256'],
  ] as const)
    expect(() => filledIn(read(file), { ...variables, [name]: '' })).toThrow(name)
})
