// A session of OpenAI's Agents SDK that is kept in a thread: nothing that was said is ever removed from its log.
import type { AgentInputItem, Session } from '@openai/agents'
import { MinutebookError, type Entry, type Message, type Store } from 'minutebook'
import { canonicalJson, checkUnapproved, entryOf } from 'minutebook/store'

/** The record of a thread that says where its session stands: the last entry, or null if it is empty. */
const place = 'agents-session'
const attempts = 8

/** Where a session stands, and the version of the record that says so. */
interface Place {
  readonly head: string | null
  readonly version: number
}

/**
 * A session for `run` of OpenAI's Agents SDK, kept in a thread of a store. `popItem` and `clearSession` move the session
 * back to an earlier entry or to the beginning. What is added next makes a branch, and all entries stay in the log.
 *
 * @example
 * await run(agent, 'What grows in the shade?', { session: threadSession(store, 'garden') })
 */
export function threadSession(store: Store, thread: string): Session {
  const placeNow = async (): Promise<Place> => {
    const [found] = await store.records.find({ thread, name: place })
    return found ? { head: (found.value as Place).head, version: found.version } : { head: null, version: 0 }
  }
  const branch = async (head: string | null): Promise<readonly Entry[]> =>
    head === null ? [] : store.read(thread, { head })
  const moveTo = (head: string | null, expected: number): { name: string; value: unknown; expected: number } => ({
    name: place,
    value: { head },
    expected,
  })
  /**
   * The entries of new items. The log may have an entry that says the same in the same place, of a branch that the
   * session left, and may not have kept its item: then the new entry is made another one.
   */
  const entriesFor = async (items: readonly AgentInputItem[], head: Entry | undefined): Promise<readonly Entry[]> => {
    const entries: Entry[] = []
    let [after, mayBeKnown] = [head, true]
    for (const item of items) {
      let entry = entryOf(messageOf(item), after)
      for (let again = 1; mayBeKnown; again++) {
        const [known] = await store.read(thread, { id: entry.id })
        // What follows a new entry is new.
        mayBeKnown = known !== undefined
        if (!known || isSameItem(known, entry)) break
        entry = entryOf(marked(messageOf(item), again), after)
      }
      entries.push(entry)
      after = entry
    }
    return entries
  }
  /** Tries again if another process moved the session in between. */
  const retried = async <T>(change: (from: Place) => Promise<{ readonly done: T } | undefined>): Promise<T> => {
    for (let attempt = 0; attempt < attempts; attempt++) {
      const changed = await change(await placeNow())
      if (changed) return changed.done
    }
    throw conflictError(thread)
  }
  return {
    getSessionId: async () => thread,
    getItems: async (limit) => {
      const entries = (await branch((await placeNow()).head)).filter(isOfItem)
      const last = limit === undefined ? entries : entries.slice(Math.max(0, entries.length - Math.max(0, limit)))
      return last.map(({ raw }) => itemOf(raw))
    },
    addItems: (items) =>
      retried(async ({ head, version }) => {
        if (items.length === 0) return { done: undefined }
        const before = await branch(head)
        const entries = await entriesFor(items, before.findLast(isOfItem))
        checkUnapproved(await store.read(thread), entries)
        const records = [moveTo(entries.at(-1)!.id, version)]
        return (await store.append(thread, entries, { records })).ok ? { done: undefined } : undefined
      }),
    popItem: () =>
      retried<AgentInputItem | undefined>(async ({ head, version }) => {
        const entries = (await branch(head)).filter(isOfItem)
        const last = entries.at(-1)
        if (!last) return { done: undefined }
        const moved = await store.records.put(thread, [moveTo(entries.at(-2)?.id ?? null, version)])
        return moved.ok ? { done: itemOf(last.raw) } : undefined
      }),
    clearSession: () =>
      retried(async ({ version }) =>
        (await store.records.put(thread, [moveTo(null, version)])).ok ? { done: undefined } : undefined,
      ),
  }
}

/** A copy, so that the SDK may change it. */
function itemOf(message: Message): AgentInputItem {
  return structuredClone(itemIn(message)) as AgentInputItem
}

function conflictError(thread: string): MinutebookError {
  return new MinutebookError(
    'record_conflict',
    `The session could not be changed: others changed it ${attempts} times in between.`,
    'Run one agent at a time on a session.',
    { thread },
  )
}

/** A message with the item that it was made from. */
interface ItemMessage extends Message {
  readonly item?: AgentInputItem
}

/** The item as a message of OpenAI's wire, with the item itself next to it. Throws a `TypeError` if JSON cannot hold it. */
function messageOf(item: AgentInputItem): Message {
  const kept = JSON.parse(JSON.stringify(item)) as AgentInputItem
  return { ...spokenIn(kept), item: kept } as ItemMessage
}

/** The item that a message was made from. Undefined if it was not made from one. */
function itemIn(message: Message): AgentInputItem | undefined {
  return (message as ItemMessage).item
}

function isOfItem({ raw }: Entry): boolean {
  return itemIn(raw) !== undefined
}

function isSameItem({ raw, status }: Entry, other: Entry): boolean {
  return status !== 'erased' && canonicalJson(itemIn(raw) ?? null) === canonicalJson(itemIn(other.raw))
}

/** The message with a part by which its entry is told from those of other items that say the same. */
function marked({ content, ...message }: Message, again: number): Message {
  const parts: readonly unknown[] = Array.isArray(content) ? content : [{ type: 'text', text: content }]
  return { ...message, content: [...parts, { type: 'session_item', again }] } as Message
}

function spokenIn(item: AgentInputItem): Message {
  if ('role' in item) return { role: item.role, content: item.content }
  if (item.type === 'function_call') {
    const call = { id: item.callId, type: 'function', function: { name: item.name, arguments: item.arguments } }
    return { role: 'assistant', content: '', tool_calls: [call] }
  }
  if (item.type === 'function_call_result') {
    const { output, callId } = item
    return { role: 'tool', tool_call_id: callId, content: isList(output) ? output : [output] }
  }
  // Reasoning, and what hosted tools did: the item itself says it.
  return { role: 'assistant', content: '' }
}

function isList(output: unknown): boolean {
  return typeof output === 'string' || Array.isArray(output)
}
