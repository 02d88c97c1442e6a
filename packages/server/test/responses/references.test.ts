import { memoryStore, type Store } from 'minutebook'
import { expect, test } from 'vitest'
import { withReferences } from '../../src/responses/references.ts'

/** A store that counts the queries for records, and how many of them ran at once. */
function counted(): { readonly store: Store; readonly asked: { queries: number; atOnce: number } } {
  const store = memoryStore()
  const asked = { queries: 0, atOnce: 0 }
  let running = 0
  const find: Store['records']['find'] = async (...given) => {
    asked.queries++
    asked.atOnce = Math.max(asked.atOnce, ++running)
    try {
      return await store.records.find(...given)
    } finally {
      running--
    }
  }
  return { store: { ...store, records: { ...store.records, find } }, asked }
}

function references(count: number): object[] {
  return Array.from({ length: count }, (_, index) => ({ type: 'item_reference', id: `item_${index}` }))
}

test('of the references of a request, none is looked up after one that does not exist', async () => {
  const { store, asked } = counted()
  const refused = withReferences({ input: references(1000) }, { store, owner: 'ann' }, 'garden')
  await expect(refused).rejects.toMatchObject({ details: { refusal: { status: 404, param: 'input[0].id' } } })
  expect(asked).toEqual({ queries: 1, atOnce: 1 })
})

test('more than a thousand references are refused before any is looked up', async () => {
  const { store, asked } = counted()
  const input = [{ role: 'user', content: 'Hello' }, ...references(1001)]
  await expect(withReferences({ input }, { store, owner: 'ann' }, 'garden')).rejects.toMatchObject({
    details: { refusal: { status: 400, param: 'input' } },
  })
  expect(asked).toEqual({ queries: 0, atOnce: 0 })
})
