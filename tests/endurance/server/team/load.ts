// What do clients see of a team all the time: who talk, who list threads, and who look on?
import { setTimeout as pause } from 'node:timers/promises'
import { createClient, createView } from '../../../../packages/client/src/index.ts'
import { eventsIn } from './events.ts'
import { begin, talk, type Talked } from './talker.ts'

export interface Load {
  /** Turns that are over. */
  readonly talked: readonly Talked[]
  /** Lets the turns under way end, and tells what was seen. */
  finish(): Promise<Seen>
}

export interface Seen {
  readonly talked: readonly Talked[]
  /** Lists of threads that were asked for. */
  readonly requests: number
  /** Requests that failed, and streams that broke off. */
  readonly complaints: readonly string[]
  /** Turns whose stream was sent away, and went on elsewhere. */
  readonly moved: number
  /** The streams of the one who looked on by hand. */
  readonly streams: number
  /** What was not seen as it is on record by the two who looked on. */
  readonly unseen: readonly string[]
}

const talkers = 12

/** Begins with twelve who talk, one who lists threads, and two who look on at threads of others. */
export function startLoad(url: string): Load {
  const complaints: string[] = []
  const complain = (what: string): void => void complaints.push(what)
  const options = { address: () => url, complain }
  const talked: Talked[] = []
  let requests = 0
  let isOver = false
  const talking = Array.from({ length: talkers }, async (_, number) => {
    for (let turn = 0; !isOver; turn++) {
      const thread = `roller-${number}-${Math.floor(turn / 20)}`
      if (turn % 20 === 0) await begin(thread, options)
      talked.push(await talk(thread, `question ${turn} of roller ${number}`, options))
    }
  })
  const looking = (async () => {
    for (; !isOver; requests++) {
      const response = await fetch(`${url}/minutebook/v1/threads?limit=5`).catch((error: unknown) => ({
        ok: false,
        status: String(error),
        text: async () => '',
      }))
      if (!response.ok) complain(`threads answered ${response.status}`)
      await response.text().catch((error: unknown) => complain(`a list broke off: ${String(error)}`))
      await pause(10)
    }
  })()
  // One who complains of every stream that does not end as it should, and our own client.
  const left = new AbortController()
  const watching = watch(url, 'roller-0-0', left.signal, complain)
  const view = createView()
  const viewing = (async () => {
    while (!talked.some(({ thread }) => thread === 'roller-1-0')) await pause(20)
    for await (const event of createClient({ url }).follow('roller-1-0', { from: '0.0.0', signal: left.signal }))
      view.take(event)
  })()
  return {
    talked,
    finish: async () => {
      isOver = true
      await Promise.all([...talking, looking])
      await pause(500)
      left.abort()
      const watched = await watching
      await viewing
      const seen: Readonly<Record<string, readonly string[]>> = {
        'roller-0-0': watched.entries,
        'roller-1-0': view.entries.map(({ id }) => id),
      }
      const unseen: string[] = []
      for (const [thread, ids] of Object.entries(seen))
        if ((await entriesOf(url, thread)).join() !== ids.join()) unseen.push(`${thread}: ${ids.length} entries`)
      const moved = talked.filter(({ tries }) => tries > 1).length
      return { talked, requests, complaints, moved, streams: watched.streams, unseen }
    },
  }
}

async function entriesOf(url: string, thread: string): Promise<string[]> {
  const response = await fetch(`${url}/minutebook/v1/threads/${thread}/entries`)
  const { entries } = (await response.json()) as { readonly entries: readonly { readonly id: string }[] }
  return entries.map(({ id }) => id)
}

interface Watched {
  /** The ids that it was told, in order. */
  readonly entries: readonly string[]
  readonly streams: number
}

/** Looks on from the beginning of a thread, and comes again with its position whenever a stream ends. */
async function watch(
  url: string,
  thread: string,
  signal: AbortSignal,
  complain: (what: string) => void,
): Promise<Watched> {
  const entries: string[] = []
  let [position, streams] = ['0.0.0', 0]
  while (!signal.aborted) {
    try {
      const response = await fetch(`${url}/minutebook/v1/threads/${thread}/stream?from=${position}`, { signal })
      // The thread is made by another.
      if (response.status === 404) await pause(50)
      else if (!response.ok) complain(`a stream answered ${response.status}`)
      else streams++
      if (!response.ok || !response.body) continue
      for await (const { id, event, data } of eventsIn(response.body)) {
        if (event === 'entry') entries.push(String(data['id']))
        if (id !== '') position = id
      }
    } catch (error) {
      if (!signal.aborted) complain(`a stream broke off: ${String(error)}`)
    }
  }
  return { entries, streams }
}
