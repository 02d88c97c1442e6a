import { statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { strictUpstream } from '@minutebook/testing/server'
import type { Message } from 'minutebook'
import { paths, post } from './gateway/support/post.ts'
import { gateway, temporaryFolder } from '../../../tests/support/server/gateway.ts'

/** STORAGE_TURNS=200 for the figure of the record. */
const turns = Number(process.env['STORAGE_TURNS'] ?? 40)
/** What the second half of a conversation may take of the first. */
const most = 1.1

/** The most bytes that the first checkpoint of such a conversation takes. */
const firstCheckpoint = 12_288

/** How a client sends a conversation again: what it adds, leaves out or changes. */
const clients: readonly (readonly [
  name: string,
  sent: (messages: readonly Message[], turn: number) => readonly Message[],
])[] = [
  ['sends everything again', (messages) => messages],
  [
    'has the time in its system message',
    (messages, turn) => [
      {
        role: 'system',
        content: `You are a lighthouse keeper. It is ${new Date(1_767_225_600_000 + turn * 61_000).toISOString()}.`,
      },
      ...messages,
    ],
  ],
  ['sends the last 20 messages', (messages) => messages.slice(-20)],
  ['strips thinking', (messages) => messages.map(({ role, content }) => ({ role, content }))],
]
const windows = [
  ['unchanged', 1_000_000],
  ['rewritten', 512],
] as const

describe.each(['ollama', 'openai'] as const)(`what ${turns} turns of %s take of the file`, (wire) => {
  describe.each(windows)('%s', (path, window) => {
    test.each(clients)('grows evenly where the client %s', async (name, sent) => {
      const data = temporaryFolder()
      const upstream = await strictUpstream({
        answer: ({ messages }) => ({
          reasoning: 'Let me think of the lamp, and of the sea. ',
          text: `To ${numberIn(messages)}: the lamp is lit, and the ships are safe tonight.`,
        }),
      })
      onTestFinished(() => upstream.close())
      const settings = { data, upstreams: [{ url: upstream.url }], models: { strict: { window, reserve: 100 } } }
      const history: Message[] = []
      const converse = async (from: number, to: number): Promise<Taken> => {
        const running = await gateway(settings)
        for (let turn = from; turn < to; turn++) {
          history.push({
            role: 'user',
            content: `Question ${String(turn).padStart(4, '0')}. What of the lamp, the sea and the ships tonight?`,
          })
          const { status, json } = await post(running.url, paths[wire], {
            model: 'strict',
            stream: false,
            messages: sent(history, turn),
          })
          expect(status).toBe(200)
          history.push(answerIn(json))
        }
        await running.close()
        return taken(join(data, 'minutebook.db'))
      }
      const half = await converse(0, turns / 2)
      const all = await converse(turns / 2, turns)
      const ratio = (all.entries - half.entries) / half.entries
      console.log(
        `${wire}, ${path}, ${name}: entries of turns 1–${turns / 2} ${half.entries} bytes, of ${turns / 2 + 1}–${turns} ${all.entries - half.entries} (× ${ratio.toFixed(3)}); snapshots ${half.snapshots}, then ${all.snapshots}; file ${half.file}, then ${all.file}`,
      )
      expect(all).toMatchObject({ threads: 1, questions: turns, answers: turns, receipts: turns })
      expect(all.paths).toContain(path)
      expect(ratio).toBeLessThanOrEqual(most)
      // Kept next to the log: not more with every turn. The first checkpoint may come in the second half.
      expect(all.snapshots - half.snapshots).toBeLessThanOrEqual(Math.max(half.snapshots, firstCheckpoint))
    })
  })
})

/** What is in a file. */
interface Taken {
  /** Bytes of all entries and records, those by which threads are found too. */
  readonly entries: number
  readonly snapshots: number
  readonly file: number
  readonly threads: number
  readonly questions: number
  readonly answers: number
  readonly receipts: number
  readonly paths: readonly string[]
}

function taken(file: string): Taken {
  using database = new DatabaseSync(file, { readOnly: true })
  const number = (text: string): number => Number(database.prepare(text).get()?.['n'])
  const own = `from entry join thread on thread.number = entry.thread where thread.name not like '"minutebook:%'`
  const kind = (name: string): number =>
    number(`select count(*) as n ${own} and entry.payload ->> '$.kind' = '${name}'`)
  return {
    entries:
      number(
        'select sum(length(cast(payload as blob)) + length(id) + length(checksum) + coalesce(length(key), 0)) as n from entry',
      ) +
      number('select sum(length(thread) + length(name) + length(key) + length(cast(value as blob))) as n from record'),
    snapshots: number('select coalesce(sum(length(cast(value as blob))), 0) as n from snapshot'),
    file: statSync(file).size,
    threads: number(`select count(distinct entry.thread) as n ${own}`),
    questions: kind('user'),
    answers: kind('assistant'),
    receipts: kind('receipt'),
    paths: database
      .prepare(
        `select distinct instr(payload, 'unchanged') > 0 as came ${own} and entry.payload ->> '$.kind' = 'receipt'`,
      )
      .all()
      .map(({ came }) => (came === 1 ? 'unchanged' : 'rewritten')),
  }
}

function numberIn(messages: readonly Message[]): string {
  return String(messages.at(-1)?.content).slice(9, 13)
}

function answerIn(json: unknown): Message {
  const { message, choices } = json as {
    readonly message?: Message
    readonly choices?: readonly { readonly message: Message }[]
  }
  return message ?? choices![0]!.message
}
