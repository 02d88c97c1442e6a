import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { ChatModel } from '../../../bench/answers/chat-model.ts'
import { recordedModel, refusing } from '../../../docs/first-hour/recorded-model.ts'
import { createSteady } from '../../../docs/first-hour/steady.ts'
import { createTranscript, difference } from '../../../docs/first-hour/transcript.ts'

const page = readFileSync(new URL('../../../docs/first-hour.md', import.meta.url), 'utf8')

test('the page has every command in it, and nothing of the machine that wrote it', () => {
  for (const command of ['serve', 'chat', 'threads', 'show', 'explain', 'dump', 'doctor', 'verify'])
    expect(page).toContain(`\n$ minutebook ${command}`)
  expect(page).not.toMatch(/\/(?:tmp|home|root|Users|private|var)\//)
  expect(
    [...page.matchAll(/127\.0\.0\.1:(\d+)/g)]
      .map(([, port]) => port)
      .filter((port) => port !== '11434' && port !== '11435'),
  ).toEqual([])
})

test.each([
  [
    'another number',
    'a\n```console\n$ threads\nx  12 entries\n```',
    'a\n```console\n$ threads\nx  9 entries\n```',
    undefined,
  ],
  [
    'another word of the model',
    '```console words\n$ chat\n> hi\nsum\n```',
    '```console words\n$ chat\n> hi\nfar far\n```',
    undefined,
  ],
  [
    'another word of ours',
    '```console\n$ threads\nthread\n```',
    '```console\n$ threads\nthreads\n```',
    '- thread\n+ threads',
  ],
  [
    'another command',
    '```console words\n$ chat\nx\n```',
    '```console words\n$ chat --json\nx\n```',
    '- $ chat\n+ $ chat --json',
  ],
  ['a sentence that is gone', 'a\nb', 'a', '- b\n+ (nothing)'],
] as const)('a page that differs by %s is told from one that does not', (_name, before, after, found) => {
  expect(difference(before, after)).toBe(found)
})

test('what differs from run to run is made the same, and what belongs together stays so', () => {
  const run = (port: number, thread: string, id: string): string => {
    const steady = createSteady({
      gatewayPort: port,
      enginePort: port + 1,
      folders: new Map([[`/somewhere/${port}`, '~']]),
    })
    return steady(
      `http://127.0.0.1:${port} → :${port + 1} (process ${port})\n${thread} ${id} ${thread}\n/somewhere/${port}/record · 0.${port % 10} s · ${thread.replace('a', 'b')}`,
    )
  }
  const [one, other] = [
    run(40_001, '20261115-152840758-aaaaaaaaaa', 'ab'.repeat(32)),
    run(50_002, '20270101-000000000-aaaaaaaa00', 'cd'.repeat(32)),
  ]
  expect(one).toBe(other)
  const [, first, , again, last] = /\n(\S+) (\S+) (\S+)\n.* (\S+)$/.exec(one) ?? []
  expect(again).toBe(first)
  expect(last).not.toBe(first)
})

test('a command that does not show what it must ends the story', () => {
  const transcript = createTranscript((text) => text)
  expect(() => transcript.command('minutebook explain', '✗ nothing', { expect: [/✓/] })).toThrow(
    'minutebook explain does not show',
  )
})

test('what the model once answered it answers again without the model, and nothing else', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'recording-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'recording.json')
  const asked: string[] = []
  const model: ChatModel = {
    answer: (messages) => {
      asked.push(messages.at(-1)?.content ?? '')
      return Promise.resolve({ text: 'In Prague.', promptTokens: 4, answerTokens: 3, finish: 'stop', dropped: 0 })
    },
  }
  const where = [{ role: 'user', content: 'Where?' }] as const
  const recording = recordedModel(model, file)
  const answer = await recording.model.answer(where, 16)
  expect(await recording.model.answer(where, 16)).toEqual(answer)
  expect(asked).toEqual(['Where?'])
  recording.save()

  const [pieces, replay] = [[] as string[], recordedModel(refusing, file).model]
  expect(await replay.answer(where, 16, (piece) => pieces.push(piece))).toEqual(answer)
  expect(pieces.join('')).toBe('In Prague.')
  await expect(replay.answer([{ role: 'user', content: 'When?' }], 16)).rejects.toThrow('"When?" is not recorded')
  await expect(replay.answer(where, 17)).rejects.toThrow('is not recorded')
})
