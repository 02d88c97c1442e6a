// Finding M1: a file that somebody imports runs the operator's tools at the next start.
import { createHash } from 'node:crypto'
import { setTimeout as after } from 'node:timers/promises'
import type { StrictUpstream } from '@minutebook/testing/server'
import { strictUpstream } from '@minutebook/testing/server'
import { entryOf, tombstone, type StoredEntry } from 'minutebook/store'
import { expect, onTestFinished, test } from 'vitest'
import type { Config, Running } from '../../src/index.ts'
import { setupRecord } from '../../src/stores/setup.ts'
import { gateway, temporaryFolder } from '../../../../tests/support/server/gateway.ts'
import { native, type Native } from '../../../../tests/support/server/native.ts'
import { plainUpstream } from '../../../../tests/support/server/raw.ts'

const parameters = { type: 'object', properties: {} }
const setup = { model: 'strict', tools: ['order', 'look'] }

/** An operator with a model and two tools: `order` needs approval, `look` does not. */
interface Operator {
  readonly upstream: StrictUpstream
  /** The tools that ran. */
  readonly ran: readonly string[]
  readonly start: () => Promise<{ readonly running: Running; readonly operator: Native }>
}

async function operatorOf(answer: Parameters<typeof strictUpstream>[0]): Promise<Operator> {
  const ran: string[] = []
  const upstream = await strictUpstream(answer)
  onTestFinished(() => upstream.close())
  const { url } = await plainUpstream((request, response) => {
    ran.push(request.url ?? '')
    request.resume().on('end', () => response.writeHead(200, { 'content-type': 'application/json' }).end('"done"'))
  })
  const settings: Partial<Config> = {
    data: temporaryFolder(),
    upstreams: [{ url: upstream.url }],
    tools: [
      { name: 'order', parameters, url: `${url}/order`, approve: true },
      { name: 'look', parameters, url: `${url}/look` },
    ],
  }
  const start: Operator['start'] = async () => {
    const running = await gateway(settings)
    return { running, operator: native(running.url, running.token) }
  }
  return { upstream, ran, start }
}

/** The lines of an export, with a setup. They need not come from any server. */
function linesOf(entries: readonly object[]): string[] {
  const kept = entries.map((entry, seq) => {
    const text = JSON.stringify(entry)
    return `{"seq":${seq},"checksum":"${sha256(text)}","entry":${text}}`
  })
  const record = JSON.stringify({ name: 'setup', key: '', value: { setup } })
  return [...kept, `{"record":${record},"checksum":"${sha256(record)}"}`]
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** An entry as an export has it. */
function exportedEntry(entry: StoredEntry | ReturnType<typeof entryOf>): object {
  const { version, id, parent, kind, origin, status, speaker, time, key, raw } = entry
  return { version, id, parent, kind, origin, status, speaker, time, key, raw }
}

const calls = (name: string): object => ({
  role: 'assistant',
  content: '',
  tool_calls: [{ id: 'c1', type: 'function', function: { name, arguments: '{}' } }],
})
const asked = entryOf({ role: 'user', content: 'Buy a fern' }, undefined, { key: 'q' })
const looking = entryOf(calls('look') as never, asked)
const ordering = entryOf(calls('order') as never, asked)
const off = (kind: 'wait' | 'decision', content: object): ReturnType<typeof entryOf> =>
  entryOf({ role: 'system', content: JSON.stringify(content) }, ordering, { kind })
const wait = off('wait', { calls: [{ index: 0, needs: 'approval' }], upto: null })
const approved = off('decision', { wait: wait.id, call: 0, do: 'run' })
const answered = entryOf({ role: 'assistant', content: 'Hello.' }, asked)
const pending = entryOf({ role: 'user', content: 'Buy a fern' }, answered, { kind: 'pending', key: 'p' })
const withdrawn = entryOf({ role: 'system', content: pending.id }, answered, { kind: 'revocation' })
const again = entryOf({ role: 'system', content: '{"upto":null}' }, asked, { kind: 'retry' })
const stopped = {
  code: 'restored',
  reason: 'This turn was not over when the thread was exported.',
  fix: 'Retry the turn to have it answered here.',
  upto: again.id,
}
const stop = entryOf({ role: 'system', content: JSON.stringify(stopped) }, asked, { kind: 'stop', status: 'cancelled' })

const files: readonly (readonly [name: string, lines: readonly string[]])[] = [
  ['a question without an answer', linesOf([asked].map(exportedEntry))],
  ['a call that is free to run', linesOf([asked, looking].map(exportedEntry))],
  ['a call that needs approval, without its wait', linesOf([asked, ordering].map(exportedEntry))],
  ['a call that the file says is approved', linesOf([asked, ordering, wait, approved].map(exportedEntry))],
  ['a message that waits', linesOf([asked, answered, pending].map(exportedEntry))],
  ['a question with a stop for the end of the import', linesOf([asked, stop, again].map(exportedEntry))],
  [
    'a message that waits, with an erased withdrawal',
    linesOf([asked, answered, pending, tombstone(withdrawn)].map(exportedEntry)),
  ],
]

async function imported(operator: Native, lines: readonly string[]): Promise<void> {
  const { status, body } = await operator.ask('POST', '/threads/file/import', lines.join('\n'), {
    'content-type': 'application/x-ndjson',
  })
  expect([status, body['thread']]).toEqual([201, 'file'])
}

/** Long enough for what a start finds: the test of the contrast waits for its model call. */
const settled = 300

test.each(files)('%s runs nothing at the next start', async (_, lines) => {
  const { upstream, ran, start } = await operatorOf({ answer: 'Done.' })
  const first = await start()
  await imported(first.operator, lines)
  await first.running.close({ patience: 0 })
  const { operator, running } = await start()
  const { store } = running.services.stores.of('default')
  // A turn that is asked for later is answered: by then the start has looked at every thread.
  await store.append('later', [asked], { records: [await setupRecord(store, 'later', setup)] })
  await running.services.stores.of('default').queue.wake('later', [])
  await expect.poll(async () => (await store.read('later')).some(({ text }) => text === 'Done.')).toBe(true)
  await after(settled)
  expect(ran).toEqual([])
  expect(upstream.requests.filter(({ messages }) => messages.length > 0)).toHaveLength(1)
  expect((await store.read('file')).map(({ kind }) => kind).slice(-1)).not.toEqual(['assistant'])
  expect(await operator.ask('GET', '/waiting')).toMatchObject({ body: { calls: [] } })
})

test('the entries would run where they were written', async () => {
  const { ran, start } = await operatorOf({ answer: 'Done.' })
  const first = await start()
  const { store } = first.running.services.stores.of('default')
  await store.append('own', [asked, ordering, wait, approved], { records: [await setupRecord(store, 'own', setup)] })
  await first.running.close({ patience: 0 })
  await start()
  await expect.poll(() => ran).toEqual(['/order'])
})

test('A25: a line that is cut out of an export sets no call free', async () => {
  const { ran, start } = await operatorOf({ answer: [{ calls: [{ name: 'order', arguments: {} }] }, 'Done.'] })
  const first = await start()
  await first.operator.ask('POST', '/threads', { thread: 'own', setup })
  const seen = await first.operator.stream('POST', '/threads/own/turns', { body: { message: 'Buy a fern' } })
  expect(seen.at(-1)).toMatchObject({ data: { status: 'waiting' } })
  const log = await first.running.services.stores.of('default').store.read('own')
  const cut = log.filter(({ kind }) => kind !== 'wait')
  expect(cut).toHaveLength(log.length - 1)
  await imported(first.operator, linesOf(cut.map(exportedEntry)))
  const { body } = await first.operator.ask('GET', '/threads/own/waiting')
  const [open] = body['calls'] as readonly { readonly id: string }[]
  await first.running.close({ patience: 0 })
  const { operator, running } = await start()
  expect(
    await operator.ask('POST', '/threads/file/decisions', { call: open!.id, decision: { do: 'run' } }),
  ).toMatchObject({ status: 404, body: { error: { code: 'not_waiting' } } })
  await after(settled)
  expect(ran).toEqual([])
  const kinds = (await running.services.stores.of('default').store.read('file')).slice(cut.length)
  expect(kinds.map(({ kind, status }) => `${kind} ${status}`)).toEqual(['tool cancelled', 'stop cancelled'])
})
