import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { placeTarballs } from '../support/packed.ts'

test('packing removes the tarballs of other versions of its packages, and no other file', () => {
  const scratch = mkdtempSync(join(tmpdir(), 'minutebook-place-'))
  onTestFinished(() => rmSync(scratch, { recursive: true, force: true }))
  const folder = join(scratch, 'packed')
  mkdirSync(folder)
  const others = [
    'minutebook-0.1.0.cdx.json',
    'minutebook-garden-0.1.0.tgz',
    'minutebook.tgz',
    'my-minutebook-0.1.0.tgz',
  ]
  const old = [
    'minutebook-0.1.0.tgz',
    'minutebook-0.2.0-beta.1.tgz',
    'minutebook-ai-sdk-0.1.0.tgz',
    'minutebook-0.2.0.tgz',
  ]
  for (const name of [...others, ...old]) writeFileSync(join(folder, name), 'old')
  const made = ['minutebook-0.2.0.tgz', 'minutebook-ai-sdk-0.2.0.tgz']
  for (const name of made) writeFileSync(join(scratch, name), 'new')

  const placed = placeTarballs(
    made.map((name) => join(scratch, name)),
    folder,
  )
  expect(placed).toEqual(made.map((name) => join(folder, name)))
  expect(placed.map((file) => readFileSync(file, 'utf8'))).toEqual(['new', 'new'])
  expect(readdirSync(folder).toSorted()).toEqual([...others, ...made].toSorted())
})
