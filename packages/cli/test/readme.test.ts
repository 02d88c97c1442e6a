import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commands } from '../src/commands/commands.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

test('the table of the README has every command, in the order of the help', () => {
  // A command may have a row for each of its uses.
  const rows = new Set([...readme.matchAll(/^\| `([a-z]+)/gm)].map(([, name]) => name))
  expect([...rows]).toEqual(commands.map(({ name }) => name))
})
