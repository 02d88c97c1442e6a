import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { root } from '../tests/support/workshop.ts'

const folder = fileURLToPath(new URL('.', import.meta.url))
const index = readFileSync(`${folder}README.md`, 'utf8')
const examples = readdirSync(folder, { withFileTypes: true })
  .filter((found) => found.isDirectory() && found.name !== 'node_modules')
  .map(({ name }) => name)

test('the index has a line for each example, and no other', () => {
  const listed = Array.from(index.matchAll(/^\| \[([\w-]+)\]\(\1\/README\.md\) \|/gm), ([, name = '']) => name)
  expect(listed.toSorted()).toEqual(examples.toSorted())
})

test.each(examples)('%s: its page says how to run it and what to see, and names files that are there', (name) => {
  const page = readFileSync(`${folder}${name}/README.md`, 'utf8')
  expect(page).toMatch(/^## Run it/m)
  expect(page).toMatch(/^## What you (?:should )?see$|^```text$/m)
  const commands = Array.from(page.matchAll(/^```sh\n([^]*?)^```$/gm), ([, block = '']) => block).join('')
  const files = Array.from(commands.matchAll(/\bexamples\/[\w./-]+/g), ([file]) => file)
  for (const file of files) expect(existsSync(`${root}${file}`), file).toBe(true)
  const links = Array.from(page.matchAll(/\]\((?!https?:)([^#\s]+?)\)(?=[\s,.;:)]|$)/gm), ([, link = '']) => link)
  for (const link of links) expect(existsSync(`${folder}${name}/${link}`), link).toBe(true)
})
