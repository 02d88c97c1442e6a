import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { user } from '@minutebook/testing'
import { strictUpstream } from '@minutebook/testing/server'
import type { Store } from 'minutebook'
import { smallDisk } from '../../support/postgres/small-disk.ts'
import { paths, post, type Posted } from '../../../packages/server/test/gateway/support/post.ts'
import { gateway } from '../../support/server/gateway.ts'

const wires = ['ollama', 'openai'] as const
const ends = { ollama: '"done":true', openai: '[DONE]' } as const
const models = { strict: { window: 1_000_000 } }

describe.each(wires)('a file on a disk without room, for chats of %s', (wire) => {
  const ask = (url: string, question: string, stream = true): Promise<Posted> =>
    post(url, paths[wire], { model: 'strict', stream, messages: [user(question)] })

  test('is answered 503, keeps all that looked complete, and goes on when there is room', async (context) => {
    const disk = smallDisk(context, 3)
    const upstream = await strictUpstream({
      answer: ({ messages }) => `I heard ${String(messages.at(-1)?.content).slice(0, 12)}`,
    })
    onTestFinished(() => upstream.close())
    const running = await gateway({ data: join(disk.folder, 'data'), upstreams: [{ url: upstream.url }], models })
    const { store, book } = running.services.stores.of('default')
    const [whole, failed]: [Posted[], Posted[]] = [[], []]
    for (let count = 0; failed.length < 4 && count < 500; count++) {
      const asked = await ask(
        running.url,
        `${String(count).padStart(6, '0')} ${randomBytes(9000).toString('base64')}`,
        count % 2 === 0,
      )
      ;(asked.status === 200 && !asked.text.includes('"error"') ? whole : failed).push(asked)
    }
    const refused = failed.filter(({ status }) => status !== 200)
    expect(refused.length).toBeGreaterThan(0)
    expect(refused.map(({ status, headers }) => [status, headers['retry-after']])).toEqual(
      refused.map(() => [503, '1']),
    )
    expect(refused.filter(({ text }) => !text.includes('The disk of the store is full'))).toEqual([])
    const ready = async (): Promise<unknown> => (await fetch(`${running.url}/readyz`)).json()
    expect(await ready()).toMatchObject({ ready: false, code: 'store_full' })
    expect(failed.filter(({ text }) => text.includes(ends[wire]))).toEqual([])
    expect(await answersOf(store, whole)).toEqual(whole.map(() => ['user', 'assistant']))

    disk.resize(16)
    expect(await ready()).toEqual({ ready: true })
    for (let count = 0; count < 6; count++) whole.push(await ask(running.url, `later ${count}`, count % 2 === 0))
    expect(whole.slice(-6).map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200))
    expect(await answersOf(store, whole)).toEqual(whole.map(() => ['user', 'assistant']))
    for (const { headers } of whole) expect(await book.thread(threadOf(headers)).verify()).toMatchObject({ ok: true })
    console.log(
      `${wire}: ${whole.length - 6} chats filled the disk, ${failed.length} failed (${refused.length} before the call), 6 of 6 went through when there was room`,
    )
  })

  test('that fills up while an answer comes: the stream ends with an error, or goes on unrecorded where the settings say so', async (context) => {
    const disk = smallDisk(context, 3)
    const upstream = await strictUpstream({
      answer: Array.from({ length: 60 }, () => ({ text: randomBytes(900_000).toString('base64') })),
    })
    onTestFinished(() => upstream.close())
    const settings = { upstreams: [{ url: upstream.url }], models }
    const strict = await gateway({ data: join(disk.folder, 'strict'), ...settings })
    let last = await ask(strict.url, 'How?')
    for (let count = 0; last.text.includes(ends[wire]) && count < 20; count++)
      last = await ask(strict.url, `How ${count}?`)
    expect([last.status, last.text.includes('could not be recorded')]).toEqual([200, true])
    expect(strict.services.metrics.text()).toContain('minutebook_unrecorded_total 1\n')
    disk.resize(4)
    const mild = await gateway({ data: join(disk.folder, 'mild'), onStoreFailure: 'pass', ...settings })
    for (
      let count = 0;
      !mild.services.metrics.text().includes('minutebook_unrecorded_total 1\n') && count < 20;
      count++
    ) {
      const { status, text } = await ask(mild.url, `How ${count}?`)
      expect([status, text.includes(ends[wire])]).toEqual([200, true])
    }
    expect(mild.services.metrics.text()).toContain('minutebook_unrecorded_total 1\n')
  })
})

/** What is on record of each chat. */
async function answersOf(store: Store, chats: readonly Posted[]): Promise<string[][]> {
  const logs = await Promise.all(chats.map(({ headers }) => store.read(threadOf(headers))))
  return logs.map((log) =>
    log
      .filter(({ kind, status }) => (kind === 'user' || kind === 'assistant') && status === 'complete')
      .map(({ kind }) => kind),
  )
}

function threadOf(headers: Posted['headers']): string {
  return String(headers['minutebook-thread'])
}
