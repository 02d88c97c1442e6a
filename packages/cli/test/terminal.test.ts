import { describe, expect, test } from 'vitest'
import { ago, commandText, counted, databaseHost, figure, shellQuoted } from '../src/terminal/text.ts'
import { callText } from '../src/runs/words.ts'
import { createProgress } from '../src/terminal/live.ts'
import { requestLog } from '../src/commands/serve.ts'
import { createRequestLog, type TurnLine } from '../../server/src/telemetry/request-log.ts'
import { testTerminal } from './support/terminal.ts'

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('progress', () => {
  async function told(tty: boolean, rounds: readonly number[]): Promise<string> {
    const { terminal, errors } = testTerminal({ tty })
    let time = 0
    const progress = createProgress(terminal, 'Exporting garden', 'entries', () => time)
    for (const [done, round] of rounds.entries()) {
      time += round
      progress.at(done + 1, 4)
    }
    progress.end()
    await settled()
    return errors()
  }

  test.each([
    ['of quick work is none', true, [100, 100, 100, 99], ''],
    [
      'of long work is one line that is taken away',
      true,
      [600, 50, 60],
      '\r\u001b[2KExporting garden: 1 of 4 (25%) entries\r\u001b[2KExporting garden: 3 of 4 (75%) entries\r\u001b[2K',
    ],
    ['is for terminals only', false, [600, 600], ''],
  ] as const)('%s', async (_, tty, rounds, text) => expect(await told(tty, rounds)).toBe(text))
})

describe('the log of a server that somebody watches', () => {
  const lines: readonly [name: string, line: object, shown: string][] = [
    [
      'a chat',
      {
        method: 'POST',
        route: '/api/chat',
        status: 200,
        ms: 1234,
        thread: 'garden',
        mode: 'unchanged',
        tokens: 1200,
        read: 1150,
        truncated: 'no',
      },
      '  POST /api/chat · 200 · 1.2 s · unchanged · sent ≈ 1,200 tokens · server read 1,150 · garden\n',
    ],
    [
      'a cut prompt',
      { method: 'POST', route: '/api/chat', status: 200, ms: 0, thread: 'garden', truncated: 'yes' },
      '  POST /api/chat · 200 · 0.0 s · garden · the upstream truncated the prompt\n',
    ],
    ['a health check', { method: 'GET', route: '/readyz', status: 503, ms: 3, code: 'not_ready' }, ''],
    ['what passes through', { method: 'GET', route: '/api/*', status: 200, ms: 3 }, ''],
    [
      'a refusal',
      { method: 'GET', route: 'other', status: 404, ms: 1, code: 'no_such_path' },
      '  GET other · 404 · 0.0 s · no_such_path\n',
    ],
    ['a warning', { msg: 'The store went away.', code: 'store_closed' }, 'The store went away. (store_closed)\n'],
    [
      'a hostile thread',
      { method: 'POST', route: '/api/chat', status: 200, ms: 0, thread: '\u001b[2J' },
      '  POST /api/chat · 200 · 0.0 s · \\u{1b}[2J\n',
    ],
  ]
  test.each(lines)('%s', async (_, line, shown) => {
    const { terminal, errors } = testTerminal({ tty: true, environment: { NO_COLOR: '1' } })
    requestLog(terminal)?.write(JSON.stringify(line))
    await settled()
    expect(errors()).toBe(shown)
  })

  const turn = { tenant: 'default', thread: 'garden', turn: 'a1' }
  test.each<[name: string, line: TurnLine, shown: string]>([
    [
      'a turn that the server ran by itself',
      { ...turn, status: 'complete', ms: 4100, model: 'gemma3', tokens: 3268 },
      '  turn · complete · 4.1 s · gemma3 · 3,268 tokens · garden\n',
    ],
    [
      'a turn that failed',
      { ...turn, status: 'failed', ms: 500, code: 'model_error' },
      '  turn · failed · 0.5 s · garden · model_error\n',
    ],
  ])('%s, as the server writes it', async (_, line, shown) => {
    const { terminal, errors } = testTerminal({ tty: true, environment: { NO_COLOR: '1' } })
    createRequestLog(requestLog(terminal)).turn(line)
    await settled()
    expect(errors()).toBe(shown)
  })

  test('is JSON for programs', () => expect(requestLog(testTerminal().terminal)).toBeUndefined())
})

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [1234567.4, '1,234,567'],
])('%d is written %s', (value, text) => expect(figure(value)).toBe(text))

test('one entry, two entries', () =>
  expect([counted(1, 'entry', 'entries'), counted(2, 'entry', 'entries'), counted(0, 'turn')]).toEqual([
    '1 entry',
    '2 entries',
    '0 turns',
  ]))

test.each([
  ['2026-01-01T00:00:00Z', 30, 'just now'],
  ['2026-01-01T00:00:00Z', 3 * 60, '3 min ago'],
  ['2026-01-01T00:00:00Z', 5 * 3600, '5 h ago'],
  ['2026-01-01T00:00:00Z', 86_400, '1 day ago'],
  ['2026-01-01T00:00:00Z', 40 * 86_400, '2026-01-01'],
  ['2026-01-01T00:00:00Z', -60, 'in the future'],
  ['never', 0, '–'],
  [null, 0, '–'],
])('%s, %d seconds later, was %s', (time, seconds, text) =>
  expect(ago(time, Date.UTC(2026, 0, 1) + seconds * 1000)).toBe(text),
)

describe('a command to type leads to the same record', () => {
  test.each([
    [{}, 'minutebook threads --limit 5'],
    [{ data: 'my folder' }, "minutebook threads --limit 5 --data 'my folder'"],
    [{ data: 'chat.db' }, 'minutebook threads chat.db --limit 5'],
    [{ config: 'own.yaml', server: 'http://a' }, 'minutebook threads --limit 5 --config own.yaml --server http://a'],
    [{ config: false as const }, 'minutebook threads --limit 5 --no-config'],
    [{ database: 'postgres://h/d' }, 'minutebook threads --limit 5 --database postgres://h/d'],
    [{ database: 'postgres://me:secret@h/d' }, "minutebook threads --limit 5 --database 'postgres://…'"],
  ])('%j', (flags, command) => {
    expect(commandText('threads --limit 5', flags, true)).toBe(command)
  })

  test.each([
    ['postgres://u:s3cret@db/garden', 'postgres://…', 'db'],
    ['postgres://u:s3cret@/garden?host=/run/postgresql', 'postgres://…', 'a local socket'],
    ['postgres://db/garden?user=u&password=s3cret', 'postgres://…', 'db'],
    ['postgres://u@db:5433/garden', 'postgres://u@db:5433/garden', 'db:5433'],
  ])('never says the password of %s', (database, shown, host) => {
    expect(commandText('keys create <name>', { database })).toBe(
      `minutebook keys create <name> --database ${shown === database ? shown : shellQuoted(shown)}`,
    )
    expect(databaseHost(database)).toBe(host)
  })

  test('of a file, too, if its name cannot follow that of the command', () => {
    expect(commandText('serve', { data: 'chat.db' })).toBe('minutebook serve --data chat.db')
  })
})

test('names of arguments cannot control the terminal', () => {
  const text = callText({ tool: 'buy', input: { '\u001b]0;owned\u0007\u001b[2J': 1 }, status: 'refused' })
  // oxlint-disable-next-line no-control-regex
  expect(text).not.toMatch(/[\0-\x1f]/)
})
