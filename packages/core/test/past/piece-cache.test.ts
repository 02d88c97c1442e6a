import fc from 'fast-check'
import { memoryStore, type Store } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { createPieceCache } from '../../src/past/piece-cache.ts'
import type { PieceId } from '../../src/log/segments.ts'

/** A store with pieces of four bytes that say whose they are. It counts how many of them are read. */
function counted(): { readonly store: Pick<Store, 'segments'>; readonly read: () => number } {
  let pieces = 0
  const { segments } = memoryStore()
  const read: Store['segments']['read'] = async (thread, wanted) => {
    pieces += wanted.length
    return wanted.map((id) => contentOf(thread, id))
  }
  return { store: { segments: { ...segments, read } }, read: () => pieces }
}

/** Every seventh piece is gone. */
function contentOf(thread: string, { segment, piece }: PieceId): Uint8Array | undefined {
  return piece === 7 ? undefined : Uint8Array.of(thread.charCodeAt(0), segment.charCodeAt(0), piece, 0)
}

const anyPiece = fc.record({ segment: fc.constantFrom('x', 'y'), piece: fc.nat(7) })
const anyReading = fc.record({
  thread: fc.constantFrom('a', 'b', 'c'),
  erasures: fc.nat(1),
  wanted: fc.array(anyPiece, { maxLength: 6 }),
})

describe('pieces in memory', () => {
  test('are the stored ones in the order asked for, whatever was read, erased or forgotten before', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.oneof({ weight: 6, arbitrary: anyReading }, fc.constantFrom('a', 'b')), { maxLength: 20 }),
        fc.constantFrom(0, 4, 24, 1000),
        async (steps, most) => {
          const { store } = counted()
          const cache = createPieceCache(most)
          await Promise.all(
            steps.map(async (step) => {
              if (typeof step === 'string') return cache.forget(step)
              const found = await cache.read(step, step.wanted, store)
              expect(found).toEqual(step.wanted.map((id) => contentOf(step.thread, id)))
            }),
          )
        },
      ),
    )
  })

  test('are read once, until there are too many bytes or something is erased', async () => {
    const { store, read } = counted()
    const cache = createPieceCache(24)
    const pieces = (...numbers: number[]): PieceId[] => numbers.map((piece) => ({ segment: 'x', piece }))
    const reads = async (erasures: number, ...numbers: number[]): Promise<number> => {
      const before = read()
      await cache.read({ thread: 'a', erasures }, pieces(...numbers), store)
      return read() - before
    }
    expect(await reads(0, 1, 2, 3)).toBe(3)
    expect(await reads(0, 3, 1, 2)).toBe(0)
    expect(await reads(0, 4, 5, 6)).toBe(3)
    // One too many: the one that was not asked for the longest is forgotten.
    expect(await reads(0, 8)).toBe(1)
    expect(await reads(0, 1, 2, 4, 5, 6)).toBe(0)
    expect(await reads(0, 3)).toBe(1)
    expect(await reads(1, 4, 5)).toBe(2)
    cache.forget('a')
    expect(await reads(1, 4, 5)).toBe(2)
  })

  test('of the thread that was not read the longest are forgotten first', async () => {
    const { store, read } = counted()
    const cache = createPieceCache(8)
    const ask = (thread: string): Promise<unknown> =>
      cache.read({ thread, erasures: 0 }, [{ segment: 'x', piece: 1 }], store)
    for (const thread of ['a', 'b', 'a', 'c', 'a']) await ask(thread)
    expect(read()).toBe(3)
    await ask('b')
    expect(read()).toBe(4)
  })
})
