import { readConfig, serve } from '@minutebook/server'
import { strictUpstream } from '@minutebook/testing/server'
import { expect, test } from 'vitest'
import { pipedChat } from './support/chatting.ts'
import { dataFolder } from './support/data-folder.ts'
import { runCommand } from './support/terminal.ts'

/** What each command shows: what people may see, or the very prompt and the whole log, which only these two are for. */
const commands: readonly (readonly [args: readonly string[], hasNotes: boolean])[] = [
  [['threads'], false],
  [['show'], false],
  [['show', '--full'], false],
  [['explain'], false],
  [['explain', '--turn', '1'], false],
  [['verify', '--all'], false],
  [['doctor'], false],
  [['show', 'nowhere'], false],
  [['dump'], true],
  [['export'], true],
]

test('A6: a canary note is shown by dump and export, and by no other command, nor in a chat', async () => {
  using data = dataFolder()
  await using upstream = await strictUpstream({ answer: 'Ferns. [NOTE TO SELF: canary-wxyzqvkw]', window: 2048 })
  const config = readConfig({
    flags: { data: data.path, port: 0, upstreams: [upstream.url], policy: { preset: 'default', notes: true } },
    environment: {},
    folder: data.path,
  })
  const server = await serve(config, { log: 'silent' })
  const chat = await pipedChat(['--json'], data.path, ['What grows here?', 'And there?'])
  expect(chat.code).toBe(0)
  expect(chat.output.match(/Ferns\./g)).toHaveLength(2)
  expect(`${chat.output}${chat.errors}`).not.toMatch(/wxyzqvkw|NOTE/)
  const look = async (): Promise<void> => {
    for (const [args, hasNotes] of commands)
      for (const form of [[], ['--json']]) {
        if (args[0] === 'export' && form.length > 0) continue
        const { output, errors } = await runCommand([...args, ...form], data.path, {
          environment: { MINUTEBOOK_UPSTREAMS: upstream.url },
        })
        expect([args, form, `${output}${errors}`.length > 10, `${output}${errors}`.includes('wxyzqvkw')]).toEqual([
          args,
          form,
          true,
          hasNotes,
        ])
      }
  }
  await look()
  await server.close()
  await look()
})
