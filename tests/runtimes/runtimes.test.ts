// The short form of npm run test:runtimes: the packed library on this Node, and in a virtual machine without files.
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteStore } from '@minutebook/sqlite'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { packAll } from '../support/packed.ts'
import { mustRun, root } from '../support/workshop.ts'
import { bundled, inEdgeVm } from './edge.ts'
import { greeting, hello, sayHello, sown } from './hello.ts'

test('the hello world has at most 15 lines', () => {
  expect(hello.split('\n').filter((line) => !/^\s*(\/\/.*)?$/.test(line)).length).toBeLessThanOrEqual(15)
})

describe('the packed library', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'minutebook-runtimes-'))
  const home = join(scratch, 'home')

  beforeAll(async () => {
    const tarballs = await packAll(['core', 'sqlite', 'testing'], scratch)
    mkdirSync(home)
    writeFileSync(join(home, 'package.json'), '{ "private": true, "type": "module" }\n')
    await mustRun('npm', ['install', '--offline', '--no-audit', '--no-fund', ...tarballs], home)
    for (const name of ['ollama', 'zod'])
      symlinkSync(join(root, 'node_modules', name), join(home, 'node_modules', name))
    cpSync(new URL('./programs/', import.meta.url), home, { recursive: true })
  })

  afterAll(() => rmSync(scratch, { recursive: true, force: true }))

  test('says hello in Node, runs the tool, and keeps the record', async () => {
    const { outcome, requests } = await sayHello([process.execPath, '--no-warnings'], home)
    expect(outcome).toEqual({ code: 0, stdout: greeting, stderr: '' })
    expect(requests.map(({ messages }) => messages.at(-1)?.content)).toEqual(['Sow bed 3, in the shade.', sown])
    using store = sqliteStore(join(home, 'garden.db'), { readOnly: true })
    const texts = (await store.read('ann')).map(({ text }) => text)
    expect(texts).toEqual(expect.arrayContaining(['Sow bed 3, in the shade.', sown, 'Spinach is in bed 3.']))
  })

  test('makes the same prompts in an edge VM as in Node', async () => {
    const printed = await mustRun(process.execPath, ['print-edge.ts'], home)
    expect(printed).toContain('Spinach is in bed 3.')
    expect(`${await inEdgeVm(await bundled(home))}\n`).toBe(printed)
  })

  test('does not run in an edge VM if it needs a module of Node', async () => {
    writeFileSync(join(home, 'edge.ts'), `export { sqliteStore } from '@minutebook/sqlite'\n`)
    await expect(bundled(home).then(inEdgeVm)).rejects.toThrow('node:')
  })
})
