import { join } from 'node:path'
import { sqliteStore } from '@minutebook/sqlite'
import { scriptedModel } from '@minutebook/testing'
import { strictUpstream } from '@minutebook/testing/server'
import { defineTool, openBook } from 'minutebook'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { commands } from '../src/commands/commands.ts'
import { dataFolder, type DataFolder } from './support/data-folder.ts'
import { experimentFile } from './support/experiment.ts'
import { runCommand } from './support/terminal.ts'

/** Wider than the terminals here. A program that reads a pipe looks for its end. */
const long = (end: string): string => `${'words that need room '.repeat(4)}${end}`
const name = (what: string): string => `${what}-${'x'.repeat(44)}-${what}`

/** Commands that print what was recorded, and what must be in a pipe: the end of each long text. */
const cases: readonly (readonly [args: readonly string[], whole: readonly string[]])[] = [
  [['overview'], ['calls']],
  [['threads'], [name('thread'), long('question')]],
  [['calls'], [name('thread'), name('model'), long('question'), name('waiting')]],
  [
    ['search', 'room'],
    [name('thread'), long('question'), long('answer')],
  ],
  [
    ['search', '--rating', 'up'],
    [long('comment'), long('answer')],
  ],
  [
    ['show', name('thread')],
    [long('question'), long('answer'), long('argument'), `← ${name('look')}`, long('result'), long('comment')],
  ],
  [['explain', name('thread')], [long('question')]],
  [
    ['dump', name('thread')],
    [long('question'), long('result')],
  ],
  [
    ['cache', name('thread')],
    ['1.1', '1.2'],
  ],
  [['replay', name('thread'), '--window', '1000'], ['unchanged']],
  [
    ['verify', '--all'],
    [name('thread'), name('waiting')],
  ],
  [['waiting'], [name('waiting'), name('order'), long('approval')]],
  [['keys'], [name('key')]],
  [['runs'], [long('experiment')]],
  [
    ['runs', 'show', 'left'],
    [long('variable'), long('said')],
  ],
  [
    ['compare', 'left', 'right'],
    [long('other'), long('variable')],
  ],
  [
    ['run', 'FILE', '--name', 'third'],
    [long('experiment'), long('said'), long('other')],
  ],
]

/** Commands that print no text of others in a width: what they write is one value, a report, or another program. */
const others = [
  'backup',
  'serve',
  'console',
  'chat',
  'wrap',
  'decide',
  'state',
  'pin',
  'unpin',
  'rate',
  'fork',
  'export',
  'import',
  'prune',
  'erase',
  'doctor',
  'migrate',
  'completion',
]

let data: DataFolder
let file: string
let environment: Readonly<Record<string, string>>
let close: () => Promise<void>

beforeAll(async () => {
  data = dataFolder()
  const upstream = await strictUpstream({ answer: () => long('said') })
  close = () => upstream.close()
  environment = { MINUTEBOOK_UPSTREAMS: upstream.url }
  await writeThreads()
  await runCommand(['rate', name('thread'), '1', 'up', '--comment', long('comment')], data.path)
  await runCommand(['keys', 'create', name('key')], data.path)
  file = experimentFile(data.path, experiment(long('variable')))
  await runCommand(['run', file, '--name', 'left'], data.path, { environment })
  await runCommand(['run', experimentFile(data.path, experiment(long('other'))), '--name', 'right'], data.path, {
    environment,
  })
})

afterAll(async () => {
  await close()
  data[Symbol.dispose]()
})

async function writeThreads(): Promise<void> {
  const store = sqliteStore(join(data.path, 'minutebook.db'))
  const parameters = { type: 'object', properties: { text: { type: 'string' } } } as const
  const tools = [
    defineTool({ name: name('look'), description: 'Looks.', parameters, run: () => long('result') }),
    defineTool({ name: name('order'), description: 'Orders.', parameters, approve: true, run: () => 'done' }),
  ]
  const model = scriptedModel(
    [
      { text: '', calls: [{ name: name('look'), arguments: { text: long('argument') } }] },
      long('answer'),
      { text: '', calls: [{ name: name('order'), arguments: { text: long('approval') } }] },
    ],
    { model: name('model'), wire: 'ollama' },
  )
  const book = openBook({ store, model, window: 4096, journal: false, tools })
  await book.thread(name('thread')).send(long('question')).done
  await book.thread(name('waiting')).send(long('please')).done
  store.close()
}

function experiment(word: string): string {
  return `name: ${long('experiment')}
environment: { word: "${word}" }
participants: { ann: { model: strict, sees: [word] } }
limits: { rounds: 1 }
`
}

const inPipe = (args: readonly string[]): ReturnType<typeof runCommand> =>
  runCommand(
    args.map((arg) => (arg === 'FILE' ? file : arg)),
    data.path,
    { columns: 40, environment },
  )

describe('a pipe', () => {
  test.each(cases)('%j has all of what it prints', async (args, whole) => {
    const { output } = await inPipe(args)
    for (const text of whole)
      expect(
        output.split('\n').some((line) => line.includes(text)),
        text,
      ).toBe(true)
    expect(output).not.toContain('…')
  })

  test('is asked of every command', () => {
    const asked = new Set(cases.map(([[command]]) => command))
    const known = commands.map((command) => command.name)
    expect(new Set([...asked, ...others])).toEqual(new Set(known))
  })
})

describe('a terminal', () => {
  test('has texts as long as it is wide', async () => {
    const width = async (columns: number): Promise<number> => {
      const { output } = await runCommand(['explain', name('thread')], data.path, {
        tty: true,
        columns,
        environment: { NO_COLOR: '1' },
      })
      return Math.max(...output.split('\n').map((line) => line.length))
    }
    expect([await width(80), await width(140)]).toEqual([80, 140])
  })
})
