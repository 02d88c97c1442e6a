import { defineTool, memoryStore, openBook, type BookOptions, type Model, type Store } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import type { NewRecord, StoredEntry } from 'minutebook/store'

/** What a turn leaves in a store: copied into many threads, it is as if each of them had run it. */
export interface LeftTurn {
  readonly entries: readonly StoredEntry[]
  readonly records: readonly NewRecord[]
}

/** Orders at once what the message names, and says so when it was ordered. */
const model: Model = async function* ({ messages }) {
  const last = messages.at(-1)
  const isAsked = last?.role === 'user' && String(last.content).startsWith('Order')
  const call = {
    id: 'call_1',
    type: 'function' as const,
    function: { name: 'order', arguments: JSON.stringify({ item: String(last?.content).slice(6) }) },
  }
  if (isAsked) yield { type: 'end', message: { role: 'assistant', content: '', tool_calls: [call] }, finish: 'calls' }
  else yield { type: 'end', message: { role: 'assistant', content: 'It comes on Friday.' }, finish: 'stop' }
}

/** How all books of this benchmark run their turns. */
export const settings: Omit<BookOptions, 'store'> = {
  model,
  window: 4096,
  clock: systemClock,
  tools: [
    defineTool({
      name: 'order',
      parameters: { type: 'object', properties: { item: { type: 'string' } }, required: ['item'] },
      approve: true,
      decideWithin: 7 * 24 * 3600 * 1000,
      run: () => 'ordered',
    }),
  ],
}

/** Runs real turns in memory, each in a store of its own: `waiting` stops at the approval, `finished` goes on. */
export async function leftTurns(how: 'waiting' | 'finished', count: number): Promise<LeftTurn[]> {
  const left: LeftTurn[] = []
  for (let item = 0; item < count; item++) {
    const store = memoryStore()
    const thread = openBook({ ...settings, store }).thread('t')
    const { status, waiting = [] } = await thread.send(`Order fern ${item}`).done
    if (status !== 'waiting') throw new Error(`A turn that ought to wait is ${status}.`)
    if (how === 'finished') await thread.decide(waiting[0]!.id, { do: 'run' }).done
    const records = (await store.records.find({ name: 'waiting' })).map(({ name, key, value }) => ({
      name,
      key,
      value,
    }))
    left.push({ entries: await store.read('t'), records })
  }
  return left
}

/** Writes such turns into `count` threads, some at a time. */
export async function fill(store: Store, prefix: string, turns: readonly LeftTurn[], count: number): Promise<void> {
  let next = 0
  const write = async (): Promise<void> => {
    for (let thread = next++; thread < count; thread = next++) {
      const { entries, records } = turns[thread % turns.length]!
      const { ok } = await store.append(`${prefix} ${thread}`, entries, { head: null, records })
      if (!ok) throw new Error(`The thread ${prefix} ${thread} was refused.`)
    }
  }
  await Promise.all(Array.from({ length: 8 }, write))
}
