import { apiHandler, readConfig, serve } from '@minutebook/server'
import { expect, test } from 'vitest'
import { longFolder, recordedFolder } from './support/data-folder.ts'
import { runCommand } from './support/terminal.ts'

interface Told {
  readonly found: readonly {
    readonly message: { readonly id: string; readonly number: number; readonly text: string }
    readonly lane: {
      readonly calls: readonly { readonly verdict: string; readonly turn: number }[]
      readonly without: { readonly turn: number; readonly restorations: readonly { readonly by: string }[] }
    }
  }[]
  readonly more: number
}

test('explain --about says whether the model had a message, why not, and which command would have kept it', async () => {
  using folder = await longFolder()
  const told = await runCommand(['explain', 'beds', '--about', 'bed 9 rows'], folder.path)
  expect(told).toMatchObject({ code: 0, errors: '' })
  const json = JSON.parse(
    (await runCommand(['explain', 'beds', '--about', 'bed 9 rows', '--json'], folder.path)).output,
  ) as Told
  const [{ message, lane }] = json.found as [Told['found'][number]]
  expect(message.text).toContain('bed 9 of my garden')
  expect(told.output).toContain(`#${message.number} · user · turn 9`)
  // In a pipe, all letters are on one line.
  const [, boxes] = /^turn 9 +([VCRDOX]+)$/m.exec(told.output)!
  expect(boxes).toHaveLength(lane.calls.length)
  expect(told.output).toContain(`✗ turn ${lane.without.turn} was answered without it`)
  expect(told.output).toContain(`minutebook pin beds ${message.id.slice(0, 12)}`)
  // By its number and by its id it is the same.
  for (const about of [`#${message.number}`, message.id.slice(0, 12)])
    expect((await runCommand(['explain', 'beds', '--about', about], folder.path)).output).toBe(told.output)
  const earlier = await runCommand(['explain', 'beds', '20', '--about', `#${message.number}`], folder.path)
  expect(earlier.output).toContain('✗ turn 20 was answered without it')

  const many = await runCommand(['explain', 'beds', '--about', 'garden'], folder.path)
  expect(many.output).toMatch(/\d+ more messages have these words/)
  const none = await runCommand(['explain', 'beds', '--about', 'wheelchair'], folder.path)
  expect(none).toMatchObject({ code: 1 })
  expect(none.errors).toContain('minutebook search wheelchair')

  // A running server says the same.
  const config = readConfig({ flags: { data: folder.path, port: 0 }, environment: {}, folder: folder.path })
  await using server = await serve(config, { api: apiHandler, log: 'silent' })
  expect(server.url).toMatch(/^http:/)
  expect(await runCommand(['explain', 'beds', '--about', 'bed 9 rows'], folder.path)).toEqual(told)
})

test('a message that every call had needs nothing', async () => {
  using folder = await recordedFolder(
    ['Ferns.', 'Hostas.'],
    async (book) => {
      await book.thread('garden').send('What grows in the shade?').done
      await book.thread('garden').send('And what else?').done
    },
    2048,
  )
  const { output } = await runCommand(['explain', '--about', 'shade'], folder.path)
  expect(output).toContain('✓ every call since then had it, or a part of it')
  expect(output).toContain('V whole: 1–2')
})
