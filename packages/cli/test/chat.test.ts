import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { words } from '@minutebook/testing'
import { strictUpstream } from '@minutebook/testing/server'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { pipedChat, typedChat } from './support/chatting.ts'
import { dataFolder } from './support/data-folder.ts'
import { runCommand } from './support/terminal.ts'

const bar = /▕.+▏ [\d,]+ of [\d,]+ .+/

async function threadsIn(data: string): Promise<readonly { readonly thread: string; readonly entries: number }[]> {
  const { output } = await runCommand(['threads', '--json'], data)
  return (JSON.parse(output) as { threads: { thread: string; entries: number }[] }).threads
}

describe('one message', () => {
  test('is answered on the standard output, with the budget beside it, and is on record', async () => {
    using data = dataFolder()
    await using upstream = await strictUpstream({ answer: 'Ferns and hostas.', window: 2048 })
    const { code, output, errors } = await pipedChat(
      ['--upstream', upstream.url, 'What', 'grows', 'in the shade?'],
      data.path,
      [],
    )
    expect({ code, output }).toEqual({ code: 0, output: 'Ferns and hostas.\n' })
    expect(errors).toMatch(bar)
    expect(upstream.requests.at(-1)?.messages).toEqual([{ role: 'user', content: 'What grows in the shade?' }])
    expect(await threadsIn(data.path)).toMatchObject([{ title: 'What grows in the shade?', model: 'strict' }])
  })

  test('is one line of JSON for programs', async () => {
    using data = dataFolder()
    await using upstream = await strictUpstream({ answer: 'Ferns.', window: 2048 })
    const { output } = await pipedChat(['--upstream', upstream.url, '--json', 'hi'], data.path, [])
    expect(JSON.parse(output)).toMatchObject({
      outcome: 'answered',
      model: 'strict',
      text: 'Ferns.',
      usage: { prompt: 1, completion: 1 },
      budget: { window: 2048 },
    })
    expect(Object.keys(JSON.parse(output) as object)).toEqual([
      'outcome',
      'thread',
      'turn',
      'model',
      'text',
      'usage',
      'budget',
    ])
  })

  test("goes to an upstream of OpenAI's protocol as well", async () => {
    using data = dataFolder()
    await using upstream = await strictUpstream({ answer: 'Ferns.', window: 2048 })
    const config = join(data.path, 'minutebook.yaml')
    writeFileSync(config, `upstreams:\n  - url: ${upstream.url}/v1\n    protocol: openai\n`)
    expect(await pipedChat(['--config', config, 'hi'], data.path, [])).toMatchObject({
      code: 0,
      output: 'Ferns.\n',
      errors: expect.stringMatching(bar) as string,
    })
    expect(upstream.requests.at(-1)?.path).toBe('/v1/chat/completions')
  })

  test('needs no key of the gateway, and the upstream never sees the token', async () => {
    using data = dataFolder()
    await using upstream = await strictUpstream({ answer: 'Ferns.', window: 2048 })
    const config = join(data.path, 'minutebook.yaml')
    const keyed = `upstreams:\n  - url: ${upstream.url}\nkeys:\n  - name: app\n    sha256: ${'ab'.repeat(32)}\n`
    for (const text of [`upstreams:\n  - url: ${upstream.url}\n`, keyed]) {
      writeFileSync(config, text)
      expect(await pipedChat(['--config', config, 'hi'], data.path, [])).toMatchObject({ code: 0, output: 'Ferns.\n' })
    }
    expect(upstream.requests.filter(({ path }) => path === '/api/chat')).toHaveLength(2)
    expect(upstream.requests.filter(({ headers }) => headers['authorization'] !== undefined)).toEqual([])
  })

  test('that fails says so', async () => {
    using data = dataFolder()
    await using upstream = await strictUpstream({ failWith: 500, errorText: 'out of \u001b[31mmemory' })
    const { code, errors } = await pipedChat(['--upstream', upstream.url, 'hi'], data.path, [])
    expect(code).toBe(1)
    expect(errors).toContain('out of \\u{1b}[31mmemory')
  })

  test('to an upstream that is not there says what to do', async () => {
    using data = dataFolder()
    const { code, errors } = await pipedChat(['--upstream', 'http://127.0.0.1:9', 'hi'], data.path, [])
    expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining('minutebook doctor') as string })
  })
})

describe('a conversation', () => {
  test('stays on one thread, can be looked into, left and gone on with', async () => {
    using data = dataFolder()
    await using upstream = await strictUpstream({
      answer: (request) => `Answer to ${request.messages.length} messages.`,
      window: 2048,
      models: ['strict', 'other'],
    })
    const { code, output } = await pipedChat(['--upstream', upstream.url, '--system', 'Be brief.'], data.path, [
      'one',
      'two \\',
      'on two lines',
      '/explain',
      '/dump 1',
      '/show',
      '/model',
      '/model other',
      '/nonsense',
      '/new',
      'three',
      '/threads',
    ])
    expect(code).toBe(0)
    expect(output).toContain('Answer to 2 messages.')
    expect(output).toContain('Answer to 4 messages.')
    expect(output).toMatch(/exchange +entries +verdict/)
    expect(output).toContain('--- SYSTEM ---\nBe brief.')
    expect(output).toContain('● strict\n  other\n')
    expect(output).toContain('There is no command /nonsense.')
    expect(upstream.requests.filter(({ path }) => path === '/api/chat').map(({ messages }) => messages.length)).toEqual(
      [2, 4, 2],
    )
    expect(upstream.requests.at(-1)?.json).toMatchObject({ model: 'other' })
    const [newest, first] = await threadsIn(data.path)
    expect(output).toContain(newest?.thread)
    const again = await pipedChat(['--upstream', upstream.url, '--thread', first!.thread, 'four'], data.path, [])
    expect(again.output).toBe('Answer to 6 messages.\n')
    expect(await threadsIn(data.path)).toHaveLength(2)
    expect((await runCommand(['verify', '--all'], data.path)).code).toBe(0)
  })

  test('that outgrows the window goes on, turn after turn', async () => {
    using data = dataFolder()
    await using upstream = await strictUpstream({
      answer: 'Beans, and more beans in the second row.',
      window: 512,
      counter: words,
      onOverflow: 'refuse',
    })
    const lines = Array.from(
      { length: 40 },
      (_, index) => `What does bed ${index + 1} of my garden need, with ${index + 1} rows of beans in it?`,
    )
    const { code, errors } = await pipedChat(['--upstream', upstream.url], data.path, lines)
    expect(code).toBe(0)
    expect(errors.split('\n').filter((line) => bar.test(line))).toHaveLength(40)
    expect(errors).toMatch(/ O \d+ | outline \d+/)
    expect(await threadsIn(data.path)).toHaveLength(1)
    const { output } = await runCommand(['explain'], data.path)
    expect(output).toContain('rewritten')
    expect(output).toMatch(/omitted|outlined|digested/)
    const {
      threads: [verified],
    } = JSON.parse((await runCommand(['verify', '--json'], data.path)).output) as { threads: object[] }
    expect(verified).toMatchObject({ ok: true, prompts: 40, underivable: 0 })
  })

  test('survives an answer that broke off', async () => {
    using data = dataFolder()
    await using upstream = await strictUpstream({ answer: 'A long answer of many words.', window: 2048 })
    upstream.next({ errorAfter: 3, errorText: 'the engine stopped' })
    const { code, output, errors } = await pipedChat(['--upstream', upstream.url], data.path, ['one', 'two'])
    expect(code).toBe(1)
    expect(errors).toContain('the engine stopped')
    expect(output).toContain('A long answer of many words.\n')
    expect(await threadsIn(data.path)).toHaveLength(1)
    expect((await runCommand(['verify'], data.path)).code).toBe(0)
  })
})

describe('at a terminal', () => {
  const ctrlC = '\u0003'

  test.each(['xterm', 'dumb'])(
    '%s: a paste is one message, Ctrl-C stops the answer, and again leaves',
    async (term) => {
      vi.stubEnv('TERM', term)
      onTestFinished(() => void vi.unstubAllEnvs())
      using data = dataFolder()
      await using upstream = await strictUpstream({ answer: 'word '.repeat(2000), window: 8192, delay: 5 })
      upstream.next({ answer: 'Two lines, I see.' })
      const chat = typedChat(['--upstream', upstream.url], data.path)
      await chat.shows('/help')
      chat.type('\u001b[200~one\ntwo\u001b[201~')
      chat.type('\r')
      await chat.shows('Two lines, I see.')
      await chat.shows('of 8,192')
      expect(upstream.requests.at(-1)?.messages).toEqual([{ role: 'user', content: 'one\ntwo' }])
      chat.type('go on\r')
      await chat.shows('word word word')
      chat.type(ctrlC)
      await chat.shows('(stopped)')
      await upstream.requests.at(-1)?.closed
      expect(upstream.requests.at(-1)?.aborted).toBe(true)
      upstream.next({ answer: 'Here I am.' })
      chat.type('still there?\r')
      await chat.shows('Here I am.')
      await chat.shows('of 8,192')
      // Until the prompt is there, Ctrl-C would stop the answer that has just ended.
      await chat.shows('> ')
      chat.type('half a line')
      chat.type(ctrlC)
      chat.type(ctrlC)
      expect(await chat.ended).toBe(0)
      const { output } = await runCommand(['show', '--json'], data.path)
      const { entries } = JSON.parse(output) as { entries: { kind: string; text: string; status: string }[] }
      expect(entries.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
        'user complete',
        'assistant complete',
        'user complete',
        'assistant cancelled',
        'stop cancelled',
        'user complete',
        'assistant complete',
      ])
      expect(await threadsIn(data.path)).toHaveLength(1)
    },
  )

  test('Ctrl-D leaves, and colours are off the wire when the model sends some', async () => {
    using data = dataFolder()
    await using upstream = await strictUpstream({ answer: 'Look: \u001b[31mred\u001b[0m', window: 2048 })
    const chat = typedChat(['--upstream', upstream.url], data.path)
    await chat.shows('/help')
    chat.type('hi\r')
    await chat.shows('\\u{1b}[31mred')
    await chat.shows('reserve')
    chat.type('\u0004')
    expect(await chat.ended).toBe(0)
  })
})
