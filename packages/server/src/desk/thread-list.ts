import { MinutebookError, type Store } from 'minutebook'
import type { DeskPage, ThreadList, ThreadSummary } from '../desk.ts'
import { isReserved } from '../lineage/directory.ts'
import { settingsIn } from './counters.ts'

/** A page of the threads of people: those that the gateway keeps for itself are passed over. */
export async function listThreads(store: Store, { limit = 100, after }: DeskPage = {}): Promise<ThreadList> {
  if (!Number.isInteger(limit) || limit < 1 || limit > 1000) throw new MinutebookError('invalid_limit', 'A page cannot have so many threads; pass a whole number from 1 to 1000.')
  const found: string[] = []
  let place = placeFrom(after)
  for (;;) {
    const { threads, next } = await store.list({ limit: pageSize, ...(place.after !== '' && { after: place.after }) })
    for (const [index, { thread }] of threads.entries()) {
      if (index < place.skip || isReserved(thread)) continue
      if (found.length === limit) return { threads: await summaries(store, found), next: `${index}.${place.after}` }
      found.push(thread)
    }
    if (next === undefined) return { threads: await summaries(store, found) }
    place = { skip: 0, after: next }
  }
}

const pageSize = 200

/** Where a page begins: the store's own page, and how many of its threads came before. */
function placeFrom(after = '0.'): { readonly skip: number; readonly after: string } {
  const dot = after.indexOf('.')
  const skip = Number(after.slice(0, Math.max(0, dot)))
  if (dot < 1 || !Number.isSafeInteger(skip)) throw new MinutebookError('invalid_page', 'There is no such page; pass the `next` of the page before.')
  return { skip, after: after.slice(dot + 1) }
}

function summaries(store: Store, threads: readonly string[]): Promise<ThreadSummary[]> {
  return Promise.all(threads.map((thread) => summaryOf(store, thread)))
}

/** From the first and the newest entries: a long thread costs no more than a short one. */
export async function summaryOf(store: Store, thread: string): Promise<ThreadSummary> {
  const [first, newest, { length }] = await Promise.all([store.read(thread, { from: 0, to: few }), store.read(thread, { last: few }), store.standing(thread)])
  const { model } = settingsIn([...first, ...newest])
  return {
    thread,
    title: titleOf(first.find(({ kind, status }) => kind === 'user' && status !== 'erased')?.text),
    model: typeof model === 'string' ? model : null,
    entries: length,
    time: newest.findLast(({ time }) => time !== undefined)?.time ?? null,
  }
}

const few = 8
const longestTitle = 120

function titleOf(text: string | undefined): string | null {
  const letters = Array.from((text ?? '').slice(0, longestTitle * 4).split(/\s+/).filter(Boolean).join(' '))
  if (letters.length === 0) return null
  return letters.length > longestTitle ? `${letters.slice(0, longestTitle - 1).join('')}…` : letters.join('')
}
