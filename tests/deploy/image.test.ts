import { execFileSync, spawn } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { gateway } from '../support/server/gateway.ts'
import { root } from '../support/workshop.ts'
import { composeOf, folder, read, settingsOf } from './compose.ts'

/** The instructions of the Dockerfile, in order, each with its text. */
const instructions = Array.from(
  read('Dockerfile').matchAll(/^([A-Z]+) (.+)$/gm),
  ([, name = '', text = '']) => [name, text] as const,
)
const lastOf = (name: string): string => instructions.findLast(([each]) => each === name)?.[1] ?? ''

test('the image is of a fixed version of Node, one that our packages take', () => {
  const [, version = ''] = /^NODE=(\d+\.\d+\.\d+)-\w+-slim$/.exec(lastOf('ARG')) ?? []
  expect(Number.parseFloat(version)).toBeGreaterThanOrEqual(24)
  for (const [, text] of instructions.filter(([name]) => name === 'FROM')) expect(text).toMatch(/^node:\$\{NODE\}/)
})

test('the image does not run as root, and keeps its record where its user may write', () => {
  expect(lastOf('USER')).toMatch(/^[1-9]\d*:[1-9]\d*$/)
  const { MINUTEBOOK_DATA: data = '' } = settingsOf(undefined, {})
  expect(lastOf('VOLUME')).toBe(data)
  expect(read('Dockerfile')).toContain(`install -d -o node -g node -m 700 ${data}`)
  // No step after the change of user would need root.
  const steps = instructions.map(([name]) => name)
  expect(steps.slice(steps.lastIndexOf('USER'))).not.toContain('RUN')
})

test('the image opens the port that it listens on, and that compose opens', () => {
  const { MINUTEBOOK_PORT: port, MINUTEBOOK_HOST: host } = settingsOf(undefined, {})
  expect([lastOf('EXPOSE'), host]).toEqual([port, '0.0.0.0'])
  expect(composeOf('compose.yaml').services['gateway']?.ports).toEqual([`127.0.0.1:${port}:${port}`])
})

test('the process gets signals itself: no shell is between', () => {
  expect(JSON.parse(lastOf('ENTRYPOINT'))).toEqual(['minutebook'])
  expect(JSON.parse(lastOf('CMD'))).toEqual(['serve'])
  // The link leads to a script with this line, and env becomes node.
  expect(readFileSync(join(root, 'packages/cli/src/main.ts'), 'utf8')).toMatch(/^#!\/usr\/bin\/env node\n/)
  expect(read('Dockerfile')).toContain('chmod 755 packages/cli/dist/main.js')
})

test('its check of health says whether a server is ready', async () => {
  const [, command = '[]'] = /CMD (\[.+\])$/.exec(lastOf('HEALTHCHECK')) ?? []
  const [program, ...args] = JSON.parse(command) as string[]
  expect(program).toBe('node')
  const { url } = await gateway()
  const codeAt = (port: string): Promise<number | null> =>
    new Promise((resolve) => {
      const child = spawn(process.execPath, args, { env: { MINUTEBOOK_PORT: port }, stdio: 'ignore' })
      child.once('exit', resolve)
    })
  expect(await codeAt(new URL(url).port)).toBe(0)
  expect(await codeAt('1')).toBe(1)
})

test('copies files that are there, and every package.json that npm ci asks for', () => {
  const copied = instructions
    .filter(([name, text]) => name === 'COPY' && !text.startsWith('--from'))
    .flatMap(([, text]) => text.split(' ').slice(0, -1))
  for (const source of copied) expect(existsSync(join(root, source)), source).toBe(true)
  const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] }
  for (const file of globSync(
    workspaces.map((each) => `${each}/package.json`),
    { cwd: root },
  ))
    expect(
      copied.some((source) => file === source || file.startsWith(`${source}/`)),
      file,
    ).toBe(true)
})

test('has the command and the packages of ours that it depends on, and no other', () => {
  const manifests = globSync('packages/*/package.json', { cwd: root }).map((file) => ({
    folder: file.split('/')[1] ?? '',
    ...(JSON.parse(readFileSync(join(root, file), 'utf8')) as { name: string; dependencies?: Record<string, string> }),
  }))
  const needed = new Set<string>()
  const need = (name: string): void => {
    const found = manifests.find((each) => each.name === name)
    if (!found || needed.has(found.folder)) return
    needed.add(found.folder)
    for (const other of Object.keys(found.dependencies ?? {})) need(other)
  }
  need('@minutebook/cli')
  const copied = Array.from(
    read('Dockerfile').matchAll(/^COPY --from=build \S+\/packages(?:\/(\w+))? /gm),
    ([, one]) => one,
  )
  expect(copied).toEqual([...needed].toSorted())
})

test('leaves what was built or installed here out of the image', () => {
  const ignored = read('Dockerfile.dockerignore').trim().split('\n')
  for (const name of ['node_modules', 'dist', '.git', '.env']) expect(ignored).toContain(`**/${name}`)
  expect(execFileSync('git', ['check-ignore', join(folder, '.env')], { cwd: root, encoding: 'utf8' })).not.toBe('')
})
