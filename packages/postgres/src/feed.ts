import { hash } from 'node:crypto'
import type { Feed, LiveText, News } from 'minutebook'
import type { Pool } from 'pg'
import { keyOf } from './key.ts'
import type { Listener } from './listener.ts'
import { statement } from './statement.ts'

const notifyAll = statement('notify-all')

/** Milliseconds in which what is said about all threads is gathered: one statement then tells it, and while that runs no other. So many turns at once take no connection from those who write. */
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
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined

  const send = async (): Promise<void> => {
    const told = [...outboxes].flatMap(([thread, news]) => gathered(news).flatMap(pieces).map((piece) => [channelOf(tenant, thread), JSON.stringify(piece)] as const))
    outboxes.clear()
    if (told.length > 0) await pool.query({ ...notifyAll, values: [told.map(([channel]) => channel), told.map(([, payload]) => payload)] })
  }
  /** What comes while it runs goes out with the next. */
  const sendSoon = (): void => {
    if (timer !== undefined || sending || outboxes.size === 0) return
    timer = setTimeout(() => {
      timer = undefined
      sending = send().catch(() => undefined).finally(() => {
        sending = undefined
        sendSoon()
      })
    }, gathering).unref()
  }
  return {
    publish: (thread, news) => {
      const waiting = outboxes.get(thread)
      if (waiting) return void waiting.push(news)
      outboxes.set(thread, [news])
      sendSoon()
    },
    flush: async () => {
      await sending
      await send().catch(() => undefined)
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
  return piece.turn === last.turn && piece.term === last.term && piece.length === last.length && piece.start === last.start && piece.offset === last.offset + last.text.length
}

function pieces(news: News): News[] {
  if (news.type !== 'text' || news.text.length <= longest) return [news]
  return [{ ...news, text: news.text.slice(0, longest) }, ...pieces({ ...news, offset: news.offset + longest, text: news.text.slice(longest) })]
}

/** A channel for each thread, under a name that says nothing. */
function channelOf(tenant: string, thread: string): string {
  return `minutebook_${hash('sha256', JSON.stringify([tenant, keyOf(thread)])).slice(0, 40)}`
}
