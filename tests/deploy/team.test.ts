import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readConfig, type Config } from '../../packages/server/src/index.ts'
import { root } from '../support/workshop.ts'
import { composeOf, filledIn, folder, newEnvironment, read, settingsOf, variablesIn } from './compose.ts'

const { services } = composeOf('compose.team.yaml')
const { variables } = newEnvironment()
const configOf = (name: string): Config =>
  readConfig({ environment: settingsOf(services[name], variables), folder: '/' })

const asApp = `postgres://minutebook_app:${variables['APP_PASSWORD']}@postgres/minutebook`

test.each([
  ['one', asApp],
  ['two', asApp],
  ['migrate', `postgres://minutebook_owner:${variables['OWNER_PASSWORD']}@postgres/minutebook`],
])('%s has settings that the server takes', (name, database) => {
  const config = configOf(name)
  expect(config).toMatchObject({
    host: '0.0.0.0',
    port: 11435,
    data: '/data',
    database,
    keys: [{ name: 'admin', scope: 'admin', installation: true, tenant: 'default' }],
  })
  expect(config.drainNotice).toBeGreaterThanOrEqual(2000)
})

test('without a password nothing starts', () => {
  const { MINUTEBOOK_DATABASE: database = '' } = services['one']?.environment ?? {}
  expect(() => filledIn(database, {})).toThrow('APP_PASSWORD')
  for (const value of Object.values(services['postgres']?.environment ?? {}).filter((text) =>
    text.includes('PASSWORD'),
  ))
    expect(() => filledIn(value, {})).toThrow('PASSWORD')
})

test('the proxy knows every variable of its file, and every instance', () => {
  expect(Object.keys(services['proxy']?.environment ?? {}).toSorted()).toEqual(variablesIn(read('haproxy.cfg')))
  expect(services['proxy']?.environment).toMatchObject({ MINUTEBOOK_ONE: 'one:11435', MINUTEBOOK_TWO: 'two:11435' })
})

test('haproxy, where there is one, takes the file', (context) => {
  const environment = {
    MINUTEBOOK_PROXY_ADDRESS: '127.0.0.1:1',
    MINUTEBOOK_PROXY_FOLDER: `${folder}/`,
    MINUTEBOOK_ONE: '127.0.0.1:1',
    MINUTEBOOK_TWO: '127.0.0.1:2',
  }
  const { error, status, stderr } = spawnSync('haproxy', ['-c', '-q', '-f', `${folder}/haproxy.cfg`], {
    env: { ...process.env, ...environment, PATH: `${process.env['PATH']}:/usr/sbin` },
    encoding: 'utf8',
  })
  if (error) context.skip('haproxy is not installed here')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test('every proxy waits an hour for a model that says nothing yet', () => {
  const page = readFileSync(join(root, 'docs/recipes/reverse-proxies.md'), 'utf8')
  for (const [text, setting] of [
    [read('haproxy.cfg'), 'timeout client'],
    [read('haproxy.cfg'), 'timeout server'],
    [page, 'proxy_read_timeout'],
    [page, '\\bread_timeout'],
  ] as const)
    expect(new RegExp(`${setting} +(\\S+?);?$`, 'm').exec(text)?.[1], setting).toBe('1h')
})

test.each(readdirSync(folder))('%s names files of this repository that are there', (name) => {
  const named = read(name).match(/\b(?:packages|tests|docs|deploy)\/[\w./-]*\w/g) ?? []
  // Each installation makes its own .env.
  expect(named.filter((path) => path !== 'deploy/.env' && !existsSync(join(root, path)))).toEqual([])
})

test('what the proxy says where no instance is ready is an error like ours', () => {
  const [head = '', body = ''] = read('503.http').split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1\.0 503 .*\r\n/)
  expect(head.toLowerCase()).toContain('retry-after: ')
  expect(JSON.parse(body)).toMatchObject({
    error: { code: 'no_instance', message: expect.any(String) as string, fix: expect.any(String) as string },
  })
})
