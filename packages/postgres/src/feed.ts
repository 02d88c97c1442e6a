import { hash } from 'node:crypto'
import type { Feed, LiveText, News } from 'minutebook'
import type { Pool } from 'pg'
import { keyOf } from './key.ts'
import type { Listener } from './listener.ts'
import { statement } from './statement.ts'

const notify = statement('notify')

/** Milliseconds in which what is said about a thread is gathered, so that Postgres carries tens of messages a second and not hundreds. */
const gathering = 50

/** Postgres takes less than 8,000 bytes a message. A character of text has six at most. */
const longest = 1200

/** With a way to send at once what is still gathered. */
export interface PostgresFeed extends Feed {
  flush(): Promise<void>
}

/** Carries news over the notifications of Postgres. It is in no table, and waits for no disk; the server's own queue of notifications may put it there for a while. */
export function createFeed(pool: Pool, listener: Listener, tenant: string): PostgresFeed {
  const outboxes = new Map<string, News[]>()

  const send = async (thread: string): Promise<void> => {
    const news = outboxes.get(thread) ?? []
    outboxes.delete(thread)
    const payloads = gathered(news).flatMap(pieces).map((piece) => JSON.stringify(piece))
    for (const payload of payloads) await pool.query({ ...notify, values: [channelOf(tenant, thread), payload] })
  }
  return {
    publish: (thread, news) => {
      const waiting = outboxes.get(thread)
      if (waiting) return void waiting.push(news)
      outboxes.set(thread, [news])
      setTimeout(() => void send(thread).catch(() => undefined), gathering).unref()
    },
    flush: async () => {
      await Promise.allSettled([...outboxes.keys()].map(send))
    },
    listen: async (thread, hear) => {
      const stop = await listener.listen(channelOf(tenant, thread), (payload) => hear(JSON.parse(payload) as News))
      return () => void stop()
    },
  }
}

/** Neighbouring pieces of a text become one, and what says nothing new is left out. */
function gathered(news: readonly News[]): News[] {
  const kept: News[] = []
  for (const each of news) {
    const last = kept.at(-1)
    if (each.type === 'text' && last?.type === 'text' && follows(each, last)) kept[kept.length - 1] = { ...last, text: last.text + each.text }
    else if (each.type === 'text' || !kept.some(({ type }) => type === each.type)) kept.push(each)
  }
  return kept
}

function follows(piece: LiveText, last: LiveText): boolean {
  return piece.turn === last.turn && piece.term === last.term && piece.start === last.start && piece.offset === last.offset + last.text.length
}

function pieces(news: News): News[] {
  if (news.type !== 'text' || news.text.length <= longest) return [news]
  return [{ ...news, text: news.text.slice(0, longest) }, ...pieces({ ...news, offset: news.offset + longest, text: news.text.slice(longest) })]
}

/** A channel for each thread, under a name that says nothing. */
function channelOf(tenant: string, thread: string): string {
  return `minutebook_${hash('sha256', JSON.stringify([tenant, keyOf(thread)])).slice(0, 40)}`
}
