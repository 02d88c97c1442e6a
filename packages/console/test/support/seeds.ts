import { DatabaseSync } from 'node:sqlite'
import { sqliteStore } from '@minutebook/sqlite'
import { memoryStore, openBook, type Entry, type Store, type ThreadOptions } from 'minutebook'
import type { Clock } from 'minutebook/clock'
import { entryOf, payloadOf, sha256, type NewEntry, type StoredEntry } from 'minutebook/store'
import { scriptedModel, type ScriptedLine } from '@minutebook/testing'

/** A question, and what the model says to it: several lines where tools run in between. */
export type Said = readonly [question: string, ...lines: ScriptedLine[]]

/** The log of a conversation that was really run, with its receipts; made in memory, and so at once. */
export async function recordedLog(
  turns: readonly Said[],
  options: ThreadOptions & { readonly from?: string; readonly name?: string } = {},
): Promise<readonly StoredEntry[]> {
  const { from = '2026-11-15T09:00:00.000Z', name = 'strict', ...rest } = options
  const store = memoryStore()
  const model = scriptedModel(
    turns.flatMap(([, ...lines]) => lines),
    { model: name, wire: 'ollama' },
  )
  const book = openBook({ store, model, window: 4096, clock: ticking(from), ...rest })
  const thread = book.thread('seed')
  for (const [question] of turns) await thread.send(question).done
  return store.read('seed')
}

/** Puts a log into a store, all at once. */
export async function copyInto(store: Store, thread: string, log: readonly NewEntry[]): Promise<void> {
  const appended = await store.append(thread, log)
  if (!appended.ok) throw new Error(`The seed of ${thread} was refused: ${appended.reason}.`)
}

/** A thread of so many entries, as another program would hand it over: questions and answers without receipts. */
export function longLog(entries: number): readonly Entry[] {
  const log: Entry[] = []
  const first = Date.parse('2026-11-01T00:00:00.000Z')
  for (let seq = 0; seq < entries; seq++) {
    const message =
      seq % 2 === 0
        ? { role: 'user', content: `Question ${seq / 2 + 1}: what grows in bed ${seq % 40}?` }
        : { role: 'assistant', content: answerOf(seq) }
    log.push(entryOf(message, log.at(-1), { time: new Date(first + seq * 60_000).toISOString() }))
  }
  return log
}

/** What a store of many threads holds: short ones, with some that failed or broke off among them. */
function briefLog(number: number, time: string): readonly Entry[] {
  const question = entryOf({ role: 'user', content: `${subjects[number % subjects.length]} ${number}` }, undefined, {
    time,
  })
  if (number % 97 === 0)
    return [question, entryOf({ role: 'assistant', content: 'I was about to' }, question, { time, status: 'partial' })]
  return [question, entryOf({ role: 'assistant', content: answerOf(number) }, question, { time })]
}

/**
 * Writes so many threads into the file of a store that nobody has open: thread-0 is the oldest. Takes seconds, since
 * all is one transaction.
 */
export function manyThreads(file: string, count: number, last = '2026-11-15T12:00:00.000Z'): void {
  sqliteStore(file).close()
  const database = new DatabaseSync(file)
  const thread = database.prepare(
    'insert into thread (name, head, length, written) values (?, ?, ?, ?) returning number',
  )
  const entry = database.prepare(
    'insert into entry (thread, seq, id, parent, chained, payload, checksum) values (?, ?, ?, ?, 1, ?, ?) returning number',
  )
  const written = database.prepare('update thread set written = ? where number = ?')
  const end = Date.parse(last)
  database.exec('begin')
  let newest = 0
  for (let index = 0; index < count; index++) {
    const log = briefLog(index, new Date(end - (count - 1 - index) * 60_000).toISOString())
    const { number } = thread.get(JSON.stringify(`thread-${index}`), log.at(-1)!.id, log.length, null) as {
      number: number
    }
    for (const [seq, each] of log.entries()) {
      const { seq: _, ...unplaced } = each
      const payload = payloadOf(unplaced)
      const checksum = sha256(payload)
      newest = Number(
        (entry.get(number, seq, each.id, seq === 0 ? null : seq - 1, payload, checksum) as { number: number }).number,
      )
    }
    written.run(newest, number)
  }
  // Words of these are not looked for: the index begins behind them.
  database.prepare('update indexed set number = ?').run(newest)
  database.exec('commit')
  database.close()
}

/**
 * Writes figures into the file of a store that nobody has open: so many calls in the hours before now, of five models
 * and ten keys. Of each hundredth thread of `manyThreads` it says that the server cut its newest prompt.
 */
export function manyCalls(file: string, calls: number, threads: number): void {
  const database = new DatabaseSync(file)
  const hour = Math.floor(Date.now() / 3_600_000)
  const rows = Math.min(30 * 24 * 50, calls)
  const columns = database
    .prepare("select name from pragma_table_info('figure') where name not in ('hour', 'key', 'model')")
    .all()
    .map(({ name }) => String(name))
  const tokens = Math.ceil((700 * calls) / rows)
  const values = columns.map((column) => (column === 'calls' ? '?' : /tokens/.test(column) ? tokens : 1))
  const figure = database.prepare(
    `insert into figure (hour, key, model, ${columns.join(', ')}) values (?, ?, ?, ${values.join(', ')})`,
  )
  const record = database.prepare(
    'insert into record (thread, name, key, value, version, written) values (?, ?, ?, ?, 1, ?)',
  )
  database.exec('begin')
  for (let row = 0; row < rows; row++) {
    const [key, model] = [JSON.stringify(`key-${row % 10}`), JSON.stringify(`model-${Math.floor(row / 10) % 5}`)]
    const share = Math.floor(calls / rows) + (row < calls % rows ? 1 : 0)
    figure.run(hour - Math.floor(row / 50), key, model, share)
  }
  for (let thread = 0; thread < threads; thread += 100) {
    const value = { hour: hour - (thread % 20), model: 'model-1', owner: 'key-1', entry: 'c02d11' }
    record.run(JSON.stringify(`thread-${thread}`), '"problem"', '"cut"', JSON.stringify(value), thread + 1)
  }
  database.exec('commit')
  database.close()
}

const subjects = [
  'What grows in the shade?',
  'When are beans sown?',
  'Who has the key of the shed?',
  'How deep do tulips go?',
  'Which roses climb?',
  'Is the pond frozen?',
  'What eats the lettuce?',
]

function answerOf(number: number): string {
  return `Bed ${number % 40} has ferns, and ${(number * 7) % 90} tulips under them. Water it on ${['Monday', 'Tuesday', 'Friday'][number % 3]}.`
}

/** Twenty seconds later each time. */
export function ticking(from: string): Clock {
  let now = Date.parse(from)
  return { now: () => new Date((now += 20_000)).toISOString(), after: () => new Promise(() => undefined) }
}
