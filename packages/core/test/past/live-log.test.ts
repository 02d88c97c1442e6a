import { memoryStore, type Store } from 'minutebook'
import { describe, expect, test } from 'vitest'
import type { EntryDraft } from '../../src/log/entry.ts'
import { liveLog, wasErased, type LiveLog } from '../../src/past/live-log.ts'
import { assistant, system, user } from '@minutebook/testing'

const says = (...messages: readonly EntryDraft['message'][]): EntryDraft[] => messages.map((message) => ({ message }))
const receipt = (content: string): EntryDraft => ({ message: system(content), facts: { kind: 'receipt' } })
const texts = (log: LiveLog): string[] => log.branch().map(({ text }) => text)

async function written(log: LiveLog, ...given: Parameters<LiveLog['append']>): Promise<string[]> {
  const appended = await log.append(...given)
  return appended.ok ? appended.entries.map(({ id }) => id) : [appended.reason]
}

describe('a live log', () => {
  test('knows what it wrote, and reads what others wrote', async () => {
    const store = memoryStore()
    const [mine, other] = [liveLog(store, 't'), liveLog(store, 't')]
    await mine.append(says(user('one')))
    expect(texts(other)).toEqual([])
    await other.sync()
    await other.append(says(assistant('two')))
    await mine.sync()
    expect(texts(mine)).toEqual(['one', 'two'])
  })

  test('fills the gap that others left before what it wrote', async () => {
    const store = memoryStore()
    const [mine, other] = [liveLog(store, 't'), liveLog(store, 't')]
    await mine.append(says(user('one')))
    await other.sync()
    await other.append([{ message: user('waits'), facts: { kind: 'pending', key: 'k' } }])
    await mine.append(says(assistant('two')))
    expect(mine.entries.map(({ text }) => text)).toEqual(['one', 'waits', 'two'])
    expect(mine.entries.map(({ seq }) => seq)).toEqual([0, 1, 2])
  })

  test('is refused under a term that has passed, and where somebody else has written', async () => {
    const store = memoryStore()
    const [mine, other] = [liveLog(store, 't'), liveLog(store, 't')]
    const { term } = await store.claim('t')
    await mine.append(says(user('one')), { term })
    await other.sync()
    await other.append(says(assistant('two')))
    expect(await written(mine, says(assistant('three')), { term })).toEqual(['conflict'])
    await mine.sync()
    await store.claim('t')
    expect(await written(mine, says(assistant('three')), { term })).toEqual(['fenced'])
    expect(texts(mine)).toEqual(['one', 'two'])
  })

  test('writes one after the other, however it is asked', async () => {
    const log = liveLog(memoryStore(), 't')
    const { length } = await Promise.all([
      log.append(says(user('one'))),
      log.sync(),
      log.append(says(assistant('two'))),
      log.sync({ whole: true }),
      log.append(says(user('three'))),
    ])
    expect(length).toBe(5)
    expect(texts(log)).toEqual(['one', 'two', 'three'])
  })

  test('goes on after a write that failed', async () => {
    const store = memoryStore()
    let fails = true
    const flaky: Store = {
      ...store,
      append: (...given) => (fails ? Promise.reject(new Error('down')) : store.append(...given)),
    }
    const log = liveLog(flaky, 't')
    await expect(log.append(says(user('one')))).rejects.toThrow('down')
    fails = false
    await log.append(says(user('one')))
    expect(texts(log)).toEqual(['one'])
  })

  test('forgets what was erased by whomever when it is read again, and stands where it stood', async () => {
    const store = memoryStore()
    const log = liveLog(store, 't')
    const [one = ''] = await written(log, says(user('one'), assistant('two')))
    log.checkout(one)
    await log.sync()
    await store.erase('t')
    expect(texts(log)).toEqual(['one'])
    await log.sync()
    expect(texts(log)).toEqual([''])
    expect(log.head).toBe(one)
  })

  test('gives entries the time of its clock', async () => {
    const log = liveLog(memoryStore(), 't', {
      clock: { now: () => '2026-01-01T00:00:00Z', after: () => Promise.resolve() },
    })
    await log.append(says(user('one')))
    expect(log.entries[0]?.time).toBe('2026-01-01T00:00:00Z')
  })

  test('keeps plain JSON, not the caller’s objects', async () => {
    const log = liveLog(memoryStore(), 't')
    const message = { ...user('one'), extra: { date: new Date(0) } }
    await log.append(says(message))
    message.extra.date.setFullYear(2000)
    expect(log.entries[0]?.raw).toEqual({ ...user('one'), extra: { date: '1970-01-01T00:00:00.000Z' } })
  })
})

describe('what is checked out', () => {
  test('is the head for this holder, until it lets go', async () => {
    const log = liveLog(memoryStore(), 't')
    const [one = '', two] = await written(log, says(user('one'), assistant('two')))
    log.checkout(one)
    expect([log.head, texts(log)]).toEqual([one, ['one']])
    log.checkout()
    expect([log.head, texts(log)]).toEqual([two, ['one', 'two']])
  })

  test('is followed by what is written, on a branch of its own', async () => {
    const log = liveLog(memoryStore(), 't')
    const [one = ''] = await written(log, says(user('one'), assistant('two')))
    log.checkout(one)
    await log.append(says(assistant('three')))
    expect(texts(log)).toEqual(['one', 'three'])
    log.checkout()
    expect(texts(log)).toEqual(['one', 'three'])
  })

  test('follows what is said again, and the log does so with its receipt', async () => {
    const store = memoryStore()
    const log = liveLog(store, 't')
    const [one = ''] = await written(log, says(user('one'), assistant('A')))
    log.checkout(one)
    await log.append(says(assistant('B')))
    log.checkout(one)
    await log.append(says(assistant('A')))
    expect(texts(log)).toEqual(['one', 'A'])
    log.checkout()
    expect(texts(log)).toEqual(['one', 'B'])
    log.checkout(one)
    await log.append([...says(assistant('A')), receipt('again')])
    log.checkout()
    expect(texts(log)).toEqual(['one', 'A', 'again'])
    const other = liveLog(store, 't')
    await other.sync()
    expect(other.head).toBe(log.head)
  })
})

describe('what was erased', () => {
  test('is known by its place, and by nothing else', async () => {
    const store = memoryStore()
    const log = liveLog(store, 't')
    const [one = ''] = await written(log, says(user('one'), assistant('two')))
    await store.erase('t')
    await log.sync()
    expect(await wasErased(log, says(user('one')), { after: null })).toBe(true)
    expect(await wasErased(log, says(user('other'), user('one')), { after: null })).toBe(false)
    expect(await wasErased(log, says(assistant('two')), { after: one })).toBe(true)
    expect(await wasErased(log, says(assistant('two')))).toBe(false)
    const noted: EntryDraft = { message: system('noted'), facts: { kind: 'note' } }
    const [, hanging = ''] = await written(log, [...says(user('new')), noted])
    await store.erase('t', [hanging])
    await log.sync()
    expect(await wasErased(log, [noted])).toBe(false)
  })
})
