import { Command } from 'commander'
import { describe, expect, test } from 'vitest'
import { commands, type CommandEntry } from '../src/commands/commands.ts'
import { runCommand, testTerminal } from './support/terminal.ts'

/** The words of an example, as a shell splits them. */
function wordsOf(example: string): string[] {
  return [...example.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')
}

/** Reads the words as the command does, but does nothing. Returns the names of the commands that were called. */
async function parsed({ name, load }: CommandEntry, words: readonly string[]): Promise<readonly string[]> {
  const called: string[] = []
  const program = new Command('minutebook')
  const { terminal } = testTerminal()
  ;(await load()).define(program.command(name), terminal, () => undefined)
  const settle = (command: Command): void => {
    command.exitOverride().configureOutput({ writeErr: () => undefined, writeOut: () => undefined })
    if (command !== program) command.action(() => void called.push(command.name()))
    for (const below of command.commands) settle(below)
  }
  settle(program)
  await program.parseAsync(words, { from: 'user' })
  return called
}

describe('the example in the help of', () => {
  test.each(commands.map((command) => [command.name, command] as const))('%s can be run', async (name, command) => {
    const words = wordsOf(command.example)
    expect(words[0]).toBe(name)
    expect(await parsed(command, words)).toHaveLength(1)
    const { output } = await runCommand([name, '--help'], '/nowhere')
    expect(output).toContain(`Example:\n  minutebook ${command.example}\n`)
  })

  test('a command that it does not have would be found', async () => {
    const threads = commands.find(({ name }) => name === 'threads')!
    await expect(parsed(threads, wordsOf('threads --mark "nonsense"'))).rejects.toThrow('Allowed choices')
    await expect(parsed(threads, wordsOf('threads --nonsense'))).rejects.toThrow('unknown option')
  })
})

test('help lists the commands under what a person wants to do', async () => {
  const { output } = await runCommand(['--help'], '/nowhere')
  const headings = [...output.matchAll(/^(Look|Talk|Experiments|Operate):$/gm)].map(([, heading]) => heading)
  expect(headings).toEqual(['Look', 'Talk', 'Experiments', 'Operate'])
})
