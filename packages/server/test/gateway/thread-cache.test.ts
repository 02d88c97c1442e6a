import { memoryStore, openBook } from 'minutebook'
import { expect, test } from 'vitest'
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
  const weights = (): (number | undefined)[] => ['a', 'b', 'c'].map((id) => cache.weight('default', id))
  open(cache, 'a', 40)
  open(cache, 'b', 40)
  expect(weights()).toEqual([160, 160, undefined])
  open(cache, 'c', 40)
  expect(weights()).toEqual([undefined, 160, 160])
  open(cache, 'a', 101)
  expect(weights()).toEqual([undefined, 160, 160])
  open(cache, 'b', 101)
  expect(weights()).toEqual([undefined, undefined, 160])
})
