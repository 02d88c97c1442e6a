import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { commands } from '../src/commands/commands.ts'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')

test('the README names every command, in the order of the help', () => {
  const lists = [...readme.matchAll(/^- \*\*[^*]+:\*\* (`[a-z]+`(?:, `[a-z]+`)*)$/gm)].map(([, names = '']) => names)
  expect(lists.join(', ').replaceAll('`', '').split(', ')).toEqual(commands.map(({ name }) => name))
})
