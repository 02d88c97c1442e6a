import { symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { strictUpstream } from '@minutebook/testing/server'
import { expect, test } from 'vitest'
import { dataFolder } from './support/data-folder.ts'
import { experimentFile } from './support/experiment.ts'
import { runCommand } from './support/terminal.ts'

const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)
const showing = (image: string): string => `name: garden
participants: { ann: { model: strict } }
rounds: [{ ask: What is it?, images: ["${image}"] }]
limits: { rounds: 1 }
`

test('a participant is shown the image that is next to the file', async () => {
  using data = dataFolder()
  await using upstream = await strictUpstream({ answer: 'A bed.' })
  const file = experimentFile(data.path, showing('bed.png'))
  writeFileSync(join(dirname(file), 'bed.png'), pixel)
  const ran = await runCommand(['run', file, '--name', 'one'], data.path, {
    environment: { MINUTEBOOK_UPSTREAMS: upstream.url },
  })
  expect(ran).toMatchObject({ errors: '' })
  const [asked] = upstream.requests.filter(({ path }) => path === '/api/chat')
  expect(asked?.messages.at(-1)).toMatchObject({ images: [pixel.toString('base64')] })
  expect(JSON.stringify(asked?.messages.at(-1))).toContain('What is it?')
})

test.each([
  ['../secret.png', 'cannot be read'],
  ['outside.png', 'is not in the folder of the experiment'],
  ['text.png', 'is not an image that models read'],
  ['large.png', 'is too large'],
  ['none.png', 'cannot be read'],
])('%s is refused: it %s', async (name, why) => {
  using data = dataFolder()
  using other = dataFolder()
  const file = experimentFile(data.path, showing(name))
  const here = dirname(file)
  writeFileSync(join(other.path, 'secret.png'), pixel)
  symlinkSync(join(other.path, 'secret.png'), join(here, 'outside.png'))
  writeFileSync(join(here, 'text.png'), 'a password')
  writeFileSync(join(here, 'large.png'), Buffer.concat([pixel, Buffer.alloc(500_000)]))
  const { code, errors } = await runCommand(['run', file, '--check'], data.path)
  expect(code).toBeGreaterThan(0)
  expect(errors).toContain(`The image ${name} ${why}.`)
})
