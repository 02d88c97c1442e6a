import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { readConfig, serve } from '@minutebook/server'
import { sqliteStore } from '@minutebook/sqlite'
import { strictUpstream, type UpstreamAnswer } from '@minutebook/testing/server'
import { describe, expect, onTestFinished, test } from 'vitest'
import { native, type Native } from '../../../tests/support/server/native.ts'
import { plainUpstream } from '../../../tests/support/server/raw.ts'
import { waitingThread } from '../../../tests/support/waiting-thread.ts'
import { dataFolder } from './support/data-folder.ts'
import { runCommand, type Ran } from './support/terminal.ts'

interface Shop {
  readonly operator: Native
  /** The bodies that the tool got. */
  readonly ordered: readonly string[]
  readonly run: (...args: readonly string[]) => Promise<Ran>
  /** Sends a message to a thread whose turn then waits. Returns the ids of the open calls. */
  readonly ask: (thread: string) => Promise<readonly string[]>
}

/** A server with a tool that needs approval, and one that a person answers. */
async function shop(answer: readonly (string | UpstreamAnswer)[]): Promise<Shop> {
  const ordered: string[] = []
  const tool = await plainUpstream((request, response) => {
    let text = ''
    request.on('data', (piece: Buffer) => (text += piece.toString()))
    request.on('end', () => {
      ordered.push(text)
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"ordered":true}')
    })
  })
  const upstream = await strictUpstream({ answer: [...answer] })
  const data = dataFolder()
  const parameters = { type: 'object', properties: { item: { type: 'string' } } }
  const tools = [
    { name: 'order', parameters, url: tool.url, approve: true },
    { name: 'colour', parameters },
  ]
  const server = await serve(
    readConfig({
      flags: { data: data.path, port: 0, tools, defaultModel: 'strict', upstreams: [{ url: upstream.url }] },
      environment: {},
    }),
    { log: 'silent' },
  )
  onTestFinished(async () => {
    await server.close()
    await upstream.close()
    data[Symbol.dispose]()
  })
  const operator = native(server.url, server.token)
  return {
    operator,
    ordered,
    run: (...args) => runCommand(args, data.path),
    ask: async (thread) => {
      await operator.ask('POST', '/threads', { thread, setup: { tools: ['order', 'colour'] } })
      const seen = await operator.stream('POST', `/threads/${thread}/turns`, { body: { message: 'A fern, please' } })
      return (seen.at(-1)!.data['waiting'] as { readonly id: string }[]).map(({ id }) => id)
    },
  }
}

const order: UpstreamAnswer = { calls: [{ name: 'order', arguments: { item: 'fern' } }] }
const colour: UpstreamAnswer = { calls: [{ name: 'colour', arguments: { item: 'fern' } }] }
const short = (id: string): string => `${id.slice(0, 8)}.${id.split('.')[1]}`

describe('minutebook decide', () => {
  test('runs a call that the list names, and shows how the turn goes on', async () => {
    const { ordered, run, ask } = await shop([order, 'It comes on Friday.'])
    const [id] = await ask('shop')
    const listed = await run('waiting')
    expect(listed.output).toMatch(new RegExp(`${short(id!).replace('.', '\\.')} +shop +approval .* order `))
    expect(listed.output.trimEnd().split('\n').at(-1)).toMatch(/^Decide with: minutebook decide CALL/)
    expect(await run('decide', short(id!), '--run', '--by', 'ann')).toEqual({
      code: 0,
      output: '← order     {"ordered":true}\nmodel       It comes on Friday.\n',
      errors: '✓ Allowed: order {"item":"fern"}\n',
    })
    expect(ordered).toHaveLength(1)
    expect((await run('waiting')).output).toBe('No tool call waits for a decision.\n')
    for (const thread of [[], ['--thread', 'shop']])
      expect(await run('decide', short(id!), '--refuse', ...thread)).toMatchObject({
        code: 1,
        errors:
          '✗ Local token (for ann) has decided about this call before (just now): run it. The first decision counts.\n',
      })
    expect(await run('decide', 'abcd', '--run')).toMatchObject({
      code: 1,
      errors: expect.stringContaining('minutebook waiting') as string,
    })
    expect((await run('export', 'shop')).output).toContain('"speaker":"ann"')
  })

  test('runs it with other arguments, and refuses it with a reason', async () => {
    const { ordered, run, ask } = await shop([order, 'Ordered.', order, 'As you wish.'])
    const [first] = await ask('one')
    expect(await run('decide', first!, '--run', '--input', '{"item":"moss"}')).toMatchObject({ code: 0 })
    expect(ordered).toEqual([expect.stringContaining('moss')])
    const [second] = await ask('two')
    const refused = await run('decide', second!.slice(0, 6), '--refuse', 'Too dear.')
    expect(refused).toMatchObject({ code: 0, errors: expect.stringContaining('✓ Refused: order') as string })
    expect(refused.output).toMatch(/\(refused: Too dear\.\)[\s\S]*As you wish\./)
    expect(ordered).toHaveLength(1)
  })

  test('answers with a text or a value, as JSON if asked', async () => {
    const { run, ask } = await shop([colour, 'Green, then.', colour, 'Both.'])
    const [first] = await ask('one')
    const told = await run('decide', first!, '--answer', 'green', '--json')
    expect(JSON.parse(told.output)).toMatchObject({ thread: 'one', status: 'complete' })
    const [second] = await ask('two')
    expect((await run('decide', second!, '--output', '["green","red"]')).output).toContain('["green","red"]')
  })

  test('says what else the turn waits for', async () => {
    const { run, ask } = await shop([{ calls: [...order.calls!, ...colour.calls!] }, 'Done.'])
    const [one, other] = await ask('shop')
    expect(await run('decide', one!.slice(0, 8), '--run')).toMatchObject({
      code: 2,
      errors: expect.stringMatching(/Several calls.*\n.*\.1 {2}shop {2}colour.*\n.*\.0 {2}shop {2}order/) as string,
    })
    const half = await run('decide', short(one!), '--run')
    expect(half).toMatchObject({ code: 0 })
    expect(half.errors).toContain(
      `The turn waits for 1 more decision:\n  ${short(other!)}  answer  colour {"item":"fern"}`,
    )
    expect((await run('decide', short(other!), '--answer', 'green')).output).toContain('Done.')
  })

  test('needs the thread if a copy has the same call', async () => {
    const { run, ask } = await shop([order, 'Ordered.'])
    const [id] = await ask('shop')
    expect(await run('fork', 'shop', '--as', 'copy')).toMatchObject({ code: 0 })
    expect(await run('decide', id!, '--run')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('--thread') as string,
    })
    expect((await run('decide', short(id!), '--run', '--thread', 'copy')).output).toContain('Ordered.')
    expect((await run('waiting')).output).toMatch(/ shop +approval/)
  })

  test('a decision that does not fit is refused with a fix', async () => {
    const { run, ask, ordered } = await shop([order])
    const [id] = await ask('shop')
    const wrongs: readonly [args: readonly string[], says: RegExp][] = [
      [[], /Pass --run, --refuse, --answer or --output/],
      [['--answer', 'made up'], /waits for approval/],
      [['--run', '--input', '{'], /--input is not JSON/],
      [['--refuse', '--input', '{}'], /--input is only for --run/],
      [['--run', '--refuse'], /cannot be used with/],
    ]
    for (const [args, says] of wrongs)
      expect(await run('decide', id!, ...args)).toMatchObject({
        code: 2,
        errors: expect.stringMatching(says) as string,
      })
    expect(await run('decide', id!, '--run', '--thread', 'nowhere')).toMatchObject({ code: 1 })
    expect(ordered).toEqual([])
  })
})

describe('without a server of the record', () => {
  test('decide says that one must run, and opens no record', async () => {
    using data = dataFolder()
    expect(await runCommand(['decide', 'abcd', '--run'], data.path)).toMatchObject({
      code: 1,
      errors: expect.stringMatching(/No server is running.*minutebook serve/s) as string,
    })
    expect(await runCommand(['decide', 'abcd', '--run', '--data', 'chat.db'], data.path)).toMatchObject({
      code: 1,
      errors: expect.stringContaining('only reads files') as string,
    })
  })

  test('waiting says if there are more than the limit', async () => {
    using data = dataFolder()
    const store = sqliteStore(join(data.path, 'minutebook.db'))
    for (const thread of ['one', 'two', 'three']) await waitingThread(store, thread)
    store.close()
    const few = await runCommand(['waiting', '--limit', '2'], data.path)
    const [, after] = /There are more: minutebook waiting --after (\S+)\n$/.exec(few.output) ?? []
    const rest = await runCommand(['waiting', '--after', after!], data.path)
    expect(rest.output).toContain('one')
    expect(rest.output).not.toContain('three')
    expect((await runCommand(['waiting', '--limit', '3'], data.path)).output).not.toContain('There are more')
    const flags = ['--data', data.path, '--no-config']
    const { output } = await runCommand(['waiting', '--limit', '2', ...flags], '/nowhere')
    expect(output).toContain(`Decide with: minutebook decide CALL ${flags.join(' ')} and --run`)
    expect(output).toContain(`There are more: minutebook waiting --after ${after} ${flags.join(' ')}\n`)
    const { errors } = await runCommand(['decide', 'abcd', '--run', ...flags], '/nowhere')
    expect(errors).toContain(`Start one with: minutebook serve ${flags.join(' ')}.`)
    expect(JSON.parse((await runCommand(['waiting', '--limit', '1', '--json'], data.path)).output)).toMatchObject({
      calls: [{ needs: 'approval' }],
      next: expect.any(String) as string,
    })
  })
})

/** A server that lists one call, and answers a decision about it in its own way. */
async function listing(status: number, type: string, body: string): Promise<string> {
  const call = {
    id: `${'ab'.repeat(32)}.0`,
    thread: 'shop',
    needs: 'approval',
    call: { name: 'order', arguments: '{}' },
  }
  const server = createServer((request, response) => {
    request.resume()
    if (request.method === 'POST') response.writeHead(status, { 'content-type': type }).end(body)
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ calls: [call] }))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('the second who decides is told who was first', async () => {
  const decided = { decision: { do: 'refuse', reason: 'Too dear.' }, by: 'ann', time: new Date().toISOString() }
  const error = { code: 'already_decided', message: 'There is a decision.', fix: 'Look.', decided }
  const url = await listing(409, 'application/json', JSON.stringify({ error }))
  expect(await runCommand(['decide', 'abab', '--run', '--server', url], '/nowhere')).toMatchObject({
    code: 1,
    errors:
      '✗ ann has decided about this call before (just now): refuse it ("Too dear."). The first decision counts.\n',
  })
})

test('a connection that breaks after the decision is not taken for the end', async () => {
  const url = await listing(202, 'text/event-stream', 'event: text\ndata: {"offset":0,"text":"It "}\n\n')
  expect(await runCommand(['decide', 'abab', '--run', '--server', url], '/nowhere')).toMatchObject({
    code: 1,
    errors: expect.stringMatching(/The decision is recorded, but.*minutebook show shop/s) as string,
  })
})
