import { memoryStore, MinutebookError, openBook, type Model } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { assistant, user, words } from '@minutebook/testing'
import { relayBook, said } from '../../../../tests/support/relays.ts'

const long = (count: number): string => Array.from({ length: count }, () => 'storm').join(' ')
const messages = [
  ...Array.from({ length: 12 }, (_, turn) => [
    user(`Question ${turn} ${long(40)}`),
    assistant(`Answer ${turn} ${long(40)}`),
  ]).flat(),
  user('And now?'),
]

describe('a prompt that a server refuses as longer than its window', () => {
  test('is fitted into the window that it told: the question is recorded once, and nothing says that it was stopped', async () => {
    const thread = relayBook({ window: 32_768, windowSource: 'assumed' }).thread('t')
    const first = await thread.relay(messages, { id: 'once' })
    expect(first.mode).toBe('unchanged')
    const second = await first.refit({ window: 400, prompt: 990 }, { window: 400 })
    expect(second).toMatchObject({ mode: 'rewritten', question: { id: first.question.id } })
    expect(second.prediction.predicted).toBeLessThanOrEqual(400)
    const { receipt } = await second.answer(said('Calm.'))
    expect(receipt).toMatchObject({ outcome: 'stop', windowSource: 'refusal', key: 'once' })
    const entries = await thread.entries()
    expect(entries.filter(({ kind }) => kind === 'user')).toHaveLength(13)
    expect(entries.filter(({ kind }) => kind === 'stop')).toEqual([])
    expect((await thread.receipts()).map(({ outcome, windowSource, told }) => [outcome, windowSource, told])).toEqual([
      ['refused', 'assumed', { window: 400, prompt: 990 }],
      ['stop', 'refusal', undefined],
    ])
    expect(await thread.verify()).toMatchObject({ ok: true, prompts: 2, underivable: 0 })
    await expect(first.answer(said('Late.'))).rejects.toMatchObject({ code: 'relay_over' })
    // The same request again finds its answer.
    expect((await thread.relay(messages, { id: 'once' })).answered).toMatchObject({ text: 'Calm.' })
  })

  test('is no prompt that a cache could hold: what is reused is counted from the one before', async () => {
    const thread = relayBook({ window: 32_768, windowSource: 'assumed' }).thread('t')
    await (await thread.relay(messages.slice(0, 3))).answer(said(String(messages[3]!.content)))
    const before = await thread.relay(messages.slice(0, 5))
    await before.refit({ window: 300 }, { window: 300 })
    const again = await thread.relay(messages.slice(0, 5))
    const previous = await again.previous()
    expect(previous).toEqual(await before.previous())
    expect(previous).toMatchObject({ receipt: { outcome: 'stop' }, change: { added: expect.any(Number) as number } })
  })

  test('is counted as the server counted it, so that it fits at the second try', async () => {
    const thread = relayBook({ window: 1200 }).thread('t')
    const first = await thread.relay(messages)
    const { predicted } = first.prediction
    const second = await first.refit({ window: 1200, prompt: predicted * 2 }, { window: 1200 })
    expect(second.prediction.uncalibrated * 2).toBeLessThanOrEqual(1200)
  })

  test('that nothing fits into is refused with an error, and recorded as stopped', async () => {
    const thread = relayBook({ window: 32_768, windowSource: 'assumed' }).thread('t')
    const first = await thread.relay([user(long(500))])
    await expect(first.refit({ window: 8 }, { window: 8 })).rejects.toMatchObject({ code: 'context_overflow' })
    expect((await thread.entries()).map(({ kind }) => kind)).toEqual(expect.arrayContaining(['receipt', 'stop']))
  })
})

describe('a turn whose prompt is refused as longer than the window', () => {
  /** A model that takes at most `window` words, and says so. */
  function small(window: number, told: object = { window }): Model & { readonly calls: number[] } {
    const calls: number[] = []
    const model = async function* ({ messages: prompt }: Parameters<Model>[0]): ReturnType<Model> {
      const size = prompt.reduce((sum, { content }) => sum + words.count(String(content)), 0)
      calls.push(size)
      if (size > window) throw new MinutebookError('context_overflow', 'Too long.', '', { told })
      yield {
        type: 'end',
        message: { role: 'assistant', content: `Answer ${calls.length} ${long(30)}` },
        finish: 'stop',
      }
    } as Model
    return Object.assign(model, { calls })
  }

  async function talk(
    model: Model,
    turns: number,
  ): Promise<{
    readonly statuses: readonly string[]
    readonly outcomes: readonly string[]
    readonly kinds: readonly string[]
  }> {
    const thread = openBook({
      store: memoryStore(),
      model,
      window: 2000,
      windowSource: 'assumed',
      counter: words,
    }).thread('t')
    const statuses: string[] = []
    for (let turn = 0; turn < turns; turn++)
      statuses.push((await thread.send(`Question ${turn} ${long(30)}`).done).status)
    expect(await thread.verify()).toMatchObject({ ok: true, underivable: 0 })
    return {
      statuses,
      outcomes: (await thread.receipts()).map(({ outcome }) => outcome),
      kinds: (await thread.entries()).map(({ kind }) => kind),
    }
  }

  test('goes on in the window that the server told', async () => {
    const { statuses, outcomes, kinds } = await talk(small(300), 6)
    expect(statuses).toEqual(Array(6).fill('complete'))
    expect(outcomes.filter((outcome) => outcome === 'refused').length).toBeGreaterThan(0)
    expect([kinds.filter((kind) => kind === 'user').length, kinds.includes('stop')]).toEqual([6, false])
  })

  test('fails if the server does not say how large its window is, or refuses again', async () => {
    expect((await talk(small(300, {}), 6)).statuses).toContain('failed')
    expect((await talk(small(300, { window: 1900 }), 6)).statuses).toContain('failed')
  })
})
