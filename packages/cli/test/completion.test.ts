import { execFileSync, spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { runCommand } from './support/terminal.ts'

const has = (shell: string): boolean => spawnSync(shell, ['-c', 'true']).status === 0

async function scriptFor(shell: string): Promise<string> {
  const { code, output, errors } = await runCommand(['completion', shell], '/nowhere')
  expect({ code, errors }).toEqual({ code: 0, errors: '' })
  return output
}

/** What bash offers where the line ends. */
async function offered(...line: readonly string[]): Promise<string[]> {
  const words = ['minutebook', ...line].map((word) => `'${word}'`).join(' ')
  const text = `${await scriptFor('bash')}\nCOMP_WORDS=(${words})\nCOMP_CWORD=${line.length}\n_minutebook\nprintf '%s\\n' "\${COMPREPLY[@]}"`
  return execFileSync('bash', ['-u', '-c', text], { encoding: 'utf8' }).split('\n').filter(Boolean)
}

describe('bash completes', () => {
  const cases: readonly [line: readonly string[], offered: readonly string[]][] = [
    [['thr'], ['threads']],
    [['e'], ['explain', 'export', 'erase']],
    [['threads', '--l'], ['--limit']],
    [['--data', 'folder', 'sho'], ['show']],
    [['show', 'garden', '--fu'], ['--full']],
    [['show', '--data', ''], []],
    [
      ['completion', ''],
      ['bash', 'zsh', 'fish', '--help'],
    ],
    [['keys', 'cre'], ['create']],
    [['keys', 'create', '--sc'], ['--scope']],
    [
      ['keys', 'create', '--scope', ''],
      ['admin', 'app', 'viewer'],
    ],
    [['nonsense', 'thr'], ['threads']],
  ]
  test.each(cases)('%s', async (line, words) => {
    expect((await offered(...line)).toSorted()).toEqual(words.toSorted())
  })
})

test('every command that help lists is completed, in every shell', async () => {
  const { output } = await runCommand(['--help'], '/nowhere')
  const commands = Array.from(
    output.slice(output.indexOf('Look:'), output.indexOf('First steps')).matchAll(/^ {2}([a-z]+)\b/gm),
    ([, name]) => name ?? '',
  )
  expect(commands.length).toBeGreaterThan(15)
  expect(await offered('')).toEqual(expect.arrayContaining(commands))
  for (const shell of ['zsh', 'fish']) {
    const script = await scriptFor(shell)
    for (const command of commands)
      expect(script).toMatch(shell === 'zsh' ? new RegExp(`'${command}:`) : new RegExp(`-a ${command} `))
  }
})

test.each(['bash', 'zsh', 'fish'])('%s can read what it is given', async (shell) => {
  const script = await scriptFor(shell)
  if (!has(shell)) return
  const { status, stderr } = spawnSync(shell, ['-n'], { input: script, encoding: 'utf8' })
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
})

test('a shell that nobody knows is misuse', async () => {
  expect(await runCommand(['completion', 'powershell'], '/nowhere')).toMatchObject({
    code: 2,
    errors: expect.stringContaining('bash, zsh, fish') as string,
  })
})
