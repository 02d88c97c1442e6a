import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { parse } from 'yaml'
import { z } from 'zod'
import { readConfig } from '../src/index.ts'

const folder = fileURLToPath(new URL('../../../deploy/', import.meta.url))
const read = (name: string): string => readFileSync(`${folder}${name}`, 'utf8')

/** As much of the format as we use; anything else is a slip of the pen. */
const texts = z.record(z.string(), z.string())
const condition = z.enum(['service_started', 'service_healthy', 'service_completed_successfully'])
const service = z.strictObject({
  build: z.strictObject({ context: z.string(), dockerfile: z.string() }).optional(),
  image: z.string(),
  environment: texts,
  command: z.array(z.string()).optional(),
  extra_hosts: z.array(z.string().regex(/^[\w.-]+:[\w.-]+$/)).optional(),
  depends_on: z.record(z.string(), z.strictObject({ condition })).optional(),
  volumes: z.array(z.string().regex(/^[\w./-]+:\/[\w./-]+(?::ro)?$/)).optional(),
  ports: z.array(z.string().regex(/^127\.0\.0\.1:\d+:\d+$/)).optional(),
  healthcheck: z
    .strictObject({ test: z.array(z.string()), interval: z.string(), timeout: z.string(), retries: z.number() })
    .optional(),
  stop_grace_period: z
    .string()
    .regex(/^\d+s$/)
    .optional(),
  restart: z.enum(['unless-stopped', 'on-failure']),
  read_only: z.boolean().optional(),
  cap_drop: z.array(z.string()).optional(),
  security_opt: z.array(z.string()).optional(),
})
const file = z.strictObject({
  name: z.string(),
  'x-instance': z.unknown(),
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.strictObject({})),
})

const compose = file.parse(parse(read('compose.yaml'), { merge: true }))
const { services } = compose

/** What compose makes of a text: `${A:-b}` and `${A:?why}`. */
function filledIn(text: string, given: Readonly<Record<string, string>>): string {
  return text.replaceAll(
    /\$\{(\w+)(?::([-?])([^}]*))?\}/g,
    (_, name: string, kind: string | undefined, other: string) => given[name] ?? (kind === '-' ? other : fail(name)),
  )
}

function fail(name: string): never {
  throw new Error(`${name} is not set.`)
}

const given = {
  POSTGRES_PASSWORD: 'superuser',
  OWNER_PASSWORD: 'owner',
  APP_PASSWORD: 'app',
  ADMIN_KEY_SHA256: 'a'.repeat(64),
}

/** What the Dockerfile sets, and compose beside it. */
function environmentOf(name: string): Record<string, string> {
  const own = Object.entries(services[name]?.environment ?? {}).map(([variable, value]) => [
    variable,
    filledIn(value, given),
  ])
  const image = Array.from(read('Dockerfile').matchAll(/(MINUTEBOOK_\w+)=(\S+)/g), ([, variable = '', value = '']) => [
    variable,
    value,
  ])
  return Object.fromEntries([...image, ...own]) as Record<string, string>
}

const asApp = 'postgres://minutebook_app:app@postgres/minutebook'

test.each([
  ['one', asApp],
  ['two', asApp],
  ['migrate', 'postgres://minutebook_owner:owner@postgres/minutebook'],
])('%s has settings that the server takes', (name, database) => {
  const config = readConfig({ environment: environmentOf(name), folder: '/' })
  expect(config).toMatchObject({
    host: '0.0.0.0',
    port: 11435,
    data: '/data',
    database,
    keys: [{ name: 'admin', scope: 'admin', installation: true, tenant: 'default' }],
  })
  expect(config.drainNotice).toBeGreaterThanOrEqual(2000)
})

test('an instance has longer to stop than it takes', () => {
  const { drainNotice } = readConfig({ environment: environmentOf('one'), folder: '/' })
  for (const name of ['one', 'two'])
    expect(Number.parseInt(services[name]?.stop_grace_period ?? '', 10) * 1000).toBeGreaterThan(
      drainNotice + 30_000 + 5000,
    )
})

test('without a password or a key nothing starts', () => {
  const { MINUTEBOOK_DATABASE: database = '', MINUTEBOOK_KEYS: keys = '' } = services['one']?.environment ?? {}
  expect(() => filledIn(database, {})).toThrow('APP_PASSWORD')
  for (const value of Object.values(services['postgres']?.environment ?? {}).filter((text) =>
    text.includes('PASSWORD'),
  ))
    expect(() => filledIn(value, {})).toThrow('PASSWORD')
  expect(() => filledIn(keys, {})).toThrow('ADMIN_KEY_SHA256')
})

test('whatever is named is there: services, volumes, files', () => {
  for (const { depends_on: before = {}, volumes = [], build } of Object.values(services)) {
    for (const name of Object.keys(before)) expect(Object.keys(services)).toContain(name)
    for (const place of volumes.map((volume) => volume.split(':')[0] ?? '')) {
      if (place.startsWith('./')) expect(existsSync(folder + place.slice(2))).toBe(true)
      else expect(Object.keys(compose.volumes)).toContain(place)
    }
    if (build) expect(existsSync(`${folder}${build.context}/${build.dockerfile}`)).toBe(true)
  }
  for (const [, sources = ''] of read('Dockerfile').matchAll(/^COPY (?!--from)(.+) \S+$/gm))
    for (const source of sources.split(' ')) expect(existsSync(`${folder}../${source}`), source).toBe(true)
})

test('the proxy knows every variable of its file, and every instance', () => {
  const used = new Set(Array.from(read('haproxy.cfg').matchAll(/\$\{(\w+)\}/g), ([, name]) => name))
  expect(new Set(Object.keys(services['proxy']?.environment ?? {}))).toEqual(used)
  expect([services['proxy']?.environment['MINUTEBOOK_ONE'], services['proxy']?.environment['MINUTEBOOK_TWO']]).toEqual([
    'one:11435',
    'two:11435',
  ])
})

test('haproxy, where there is one, takes the file', (context) => {
  const environment = {
    MINUTEBOOK_PROXY_ADDRESS: '127.0.0.1:1',
    MINUTEBOOK_PROXY_FOLDER: folder,
    MINUTEBOOK_ONE: '127.0.0.1:1',
    MINUTEBOOK_TWO: '127.0.0.1:2',
  }
  const { error, status, stderr } = spawnSync('haproxy', ['-c', '-q', '-f', `${folder}haproxy.cfg`], {
    env: { ...process.env, ...environment, PATH: `${process.env['PATH']}:/usr/sbin` },
    encoding: 'utf8',
  })
  if (error) context.skip('haproxy is not installed here')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test('what the proxy says where no instance is ready is an error like ours', () => {
  const [head = '', body = ''] = read('503.http').split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.0 503 .*\r\n/)
  expect(head.toLowerCase()).toContain('retry-after: ')
  expect(JSON.parse(body)).toMatchObject({
    error: { code: 'no_instance', message: expect.any(String) as string, fix: expect.any(String) as string },
  })
})
