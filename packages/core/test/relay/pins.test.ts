import { memoryStore, type Message, type Thread } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { assistant, user } from '@minutebook/testing'
import { relayBook, said } from '../../../../tests/support/relays.ts'

const fact = 'Lena sits in a wheelchair.'

describe('a relay whose client no longer sends a pinned message', () => {
  test('gets a prompt that has it, and passes unchanged again after it is unpinned', async () => {
    const store = memoryStore()
    const open = (): Thread => relayBook({ checkpointEvery: 2 }, store).thread('t')
    const kept: Message[] = [user(fact)]
    const ask = async (last: number): Promise<{ readonly mode: string; readonly has: boolean }> => {
      const relay = await open().relay(kept.slice(-last))
      const has = JSON.stringify(relay.messages).includes(fact)
      await relay.answer(said(`Answer ${kept.length}.`))
      kept.push(assistant(`Answer ${kept.length}.`), user(`Question ${kept.length}?`))
      return { mode: relay.mode, has }
    }
    for (let turn = 0; turn < 8; turn++) expect(await ask(5)).toMatchObject({ mode: 'unchanged', has: turn < 3 })
    const id = (await store.read('t')).find(({ text }) => text === fact)!.id
    await open().pin(id)
    for (let turn = 0; turn < 6; turn++) expect(await ask(5)).toEqual({ mode: 'rewritten', has: true })
    expect(await ask(99)).toEqual({ mode: 'unchanged', has: true })
    await open().unpin(id)
    expect(await ask(5)).toEqual({ mode: 'unchanged', has: false })
    expect(await open().verify()).toMatchObject({ ok: true, problems: [] })
  })
})
