import { randomFillSync } from 'node:crypto'
import { entryOf, type NewEntry } from 'minutebook/store'
import { oneText } from './texts.ts'

const { seq: _, ...pattern } = entryOf({ role: 'user', content: oneText() }, undefined, {
  time: '2026-11-15T12:00:00.000Z',
})

const random = Buffer.alloc(32 * 1024)
let used = random.length

/** Any id: drawn from many at once, because to make ids is not the store's work. */
function someId(): string {
  if (used === random.length) {
    randomFillSync(random)
    used = 0
  }
  used += 32
  return random.toString('hex', used - 32, used)
}

/** An entry that follows another, about 1 KB when it is stored. */
export function makeEntry(parent: string): NewEntry {
  return { ...pattern, id: someId(), parent }
}
