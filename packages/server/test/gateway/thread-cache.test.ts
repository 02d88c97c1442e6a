import { user } from '@minutebook/testing'
import { memoryStore, openBook } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { createThreadCache, namedModel, type CachedThread, type ThreadCache } from '../../src/gateway/thread-cache.ts'
import { weightOf } from '../../src/stores/thread-weight.ts'

const book = openBook({ store: memoryStore() })
const model = namedModel('m', 'ollama')

function open(cache: ThreadCache, id: string, characters = 0, signature = 'same'): CachedThread {
  return cache.open(book, 'default', id, { options: { model }, signature, size: { characters, entries: 0 } })
}

test('a thread that is opened again in the same way is the same one', () => {
  const cache = createThreadCache()
  const { thread } = open(cache, 'a')
  expect(open(cache, 'a').thread).toBe(thread)
  expect(open(cache, 'a', 0, 'other').thread).not.toBe(thread)
})

test('the threads that were opened last stay, as many as there may be', () => {
  const cache = createThreadCache({ threads: 2, bytes: 1000 })
  const [a, b] = [open(cache, 'a').thread, open(cache, 'b').thread]
  expect(open(cache, 'a').thread).toBe(a)
  open(cache, 'c')
  expect(open(cache, 'a').thread).toBe(a)
  expect(open(cache, 'b').thread).not.toBe(b)
})

test('so do those that fit into the memory; one that is too large by itself pushes out none', () => {
  const cache = createThreadCache({ threads: 10, bytes: weightOf({ characters: 100, entries: 0 }) })
  const [a, b] = [open(cache, 'a', 40).thread, open(cache, 'b', 40).thread]
  expect([open(cache, 'a').thread, open(cache, 'b').thread]).toEqual([a, b])
  const c = open(cache, 'c', 40).thread
  const large = open(cache, 'a', 101).thread
  expect(large).not.toBe(a)
  expect(open(cache, 'a', 101).thread).not.toBe(large)
  expect(open(cache, 'b').thread).toBe(b)
  expect(open(cache, 'c').thread).toBe(c)
  open(cache, 'b', 101)
  expect(open(cache, 'b').thread).not.toBe(b)
  expect(open(cache, 'c').thread).toBe(c)
})

describe('a thread that holds much, of which a client sends little', () => {
  const text = 'The lamp is lit. '.repeat(100)
  const signatures = ['same', 'other'] as const

  /** What `weight` says of a thread for each signature. */
  function weights(cache: ThreadCache, id: string): boolean[] {
    return signatures.map((signature) => (cache.weight('default', id, { signature }) ?? 0) > 4 * text.length)
  }

  test('has no known weight until it is read, and none for other options: with these, it is read again', async () => {
    const cache = createThreadCache()
    await open(cache, 'long').thread.relay([user(text)])
    const again = createThreadCache()
    const read = async (signature: string): Promise<boolean[]> => {
      const { thread } = open(again, 'long', 1, signature)
      for (const each of signatures) expect(again.weight('default', 'long', { signature: each })).toBe(undefined)
      await thread.relay([user('And?')], { alone: true })
      return weights(again, 'long')
    }
    expect(await read('same')).toEqual([true, false])
    expect(await read('other')).toEqual([false, true])
  })

  test('takes its place in the cache, with other options too', async () => {
    const cache = createThreadCache({ threads: 10, bytes: 1 << 20 })
    const half = (1 << 20) / weightOf({ characters: 1, entries: 0 }) / 2
    await open(cache, 'a').thread.relay([user('x'.repeat(half))])
    const { thread } = open(cache, 'a', 1, 'other')
    open(cache, 'b', half)
    expect(open(cache, 'a', 1, 'other').thread).not.toBe(thread)
  })
})
