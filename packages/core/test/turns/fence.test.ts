import { memoryStore } from 'minutebook'
import type { AppendResult } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import type { EntryDraft } from '../../src/log/entry.ts'
import { liveLog } from '../../src/log/log.ts'
import { system, user } from '@minutebook/testing'
import { refreshOrThrowFenced, appendOrThrowFenced } from '../../src/turns/stop-turn.ts'

const standing = { head: null, length: 0, term: 1, erasures: 0 }

describe('what was written', () => {
  test('is given', async () => {
    expect(await appendOrThrowFenced(Promise.resolve<AppendResult>({ ok: true, entries: [], standing }))).toEqual([])
  })

  test.each(['conflict', 'fenced', 'absent'] as const)('or else is somebody else’s affair: %s', async (reason) => {
    await expect(
      appendOrThrowFenced(Promise.resolve<AppendResult>({ ok: false, reason, standing })),
    ).rejects.toMatchObject({
      code: 'fenced',
      details: { reason },
    })
  })
})

describe('a runner that reads on', () => {
  test.each<[string, EntryDraft, boolean]>([
    ['a message that waits', { message: user('w'), facts: { kind: 'pending', key: 'k' } }, true],
    ['what was taken back', { message: system('id'), facts: { kind: 'revocation' } }, true],
    ['a question', { message: user('?') }, false],
    ['a receipt', { message: system('{}'), facts: { kind: 'receipt' } }, false],
    ['a stop', { message: system('{}'), facts: { kind: 'stop' } }, false],
  ])('finds %s', async (_, draft, goesOn) => {
    const store = memoryStore()
    const [mine, other] = [liveLog(store, 't'), liveLog(store, 't')]
    await mine.append([{ message: user('one') }])
    await other.sync()
    await other.append([draft])
    const reading = refreshOrThrowFenced({ log: mine, refresh: () => mine.sync() })
    if (goesOn) expect(await reading).toBeUndefined()
    else await expect(reading).rejects.toMatchObject({ code: 'fenced' })
  })

  test('finds that the thread was removed', async () => {
    const store = memoryStore()
    const mine = liveLog(store, 't')
    const [asked] = await appendOrThrowFenced(mine.append([{ message: user('one') }]))
    mine.checkout(asked!.id)
    await store.remove('t')
    await expect(refreshOrThrowFenced({ log: mine, refresh: () => mine.sync() })).rejects.toMatchObject({
      code: 'fenced',
      details: { reason: 'removed' },
    })
    expect([mine.head, mine.position.next]).toEqual([null, { do: 'rest' }])
  })
})
