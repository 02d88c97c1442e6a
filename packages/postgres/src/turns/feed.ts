import type { Feed } from 'minutebook'
import type { FeedEvent, LiveText } from 'minutebook/store'
import type { Pool } from 'pg'
import { keyOf } from '../connection/key.ts'
import { statement } from '../connection/statement.ts'
import { longestMessage, type Address, type Channels } from './channels.ts'

const notifyAll = statement('notify-all')

/**
 * Milliseconds for which messages about all threads are collected. One statement then sends them, and no other runs
 * meanwhile. So a large number of turns takes no connection from writers.
 */
const gathering = 50

/** Characters of text in a message. Each has six bytes at most as JSON; the other fields need fewer than are left. */
const longest = Math.floor((longestMessage - 500) / 6)

/** With a way to send at once what is still gathered. */
export interface PostgresFeed extends Feed {
  flush(): Promise<void>
}

/**
 * Carries news over the notifications of Postgres. It is in no table, and waits for no disk; the server's own queue of
 * notifications may put it there for a while.
 */
export function createFeed(pool: Pool, channels: Channels, tenant: string): PostgresFeed {
  const outboxes = new Map<string, FeedEvent[]>()
  let timer: NodeJS.Timeout | undefined
  let sending: Promise<void> | undefined

  const send = async (): Promise<void> => {
    const told = [...outboxes].flatMap(([thread, news]) =>
      gathered(news)
        .flatMap(pieces)
        .map((piece) => channels.sealed(addressOf(tenant, thread), piece)),
    )
    outboxes.clear()
    if (told.length > 0)
      await pool.query({ ...notifyAll, values: [told.map(([channel]) => channel), told.map(([, payload]) => payload)] })
  }
  /** What comes while it runs goes out with the next. */
  const sendSoon = (): void => {
    if (timer !== undefined || sending || outboxes.size === 0) return
    timer = setTimeout(() => {
      timer = undefined
      sending = send()
        .catch(() => undefined)
        .finally(() => {
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
      const stop = await channels.listen(addressOf(tenant, thread), (message) => {
        const news = newsIn(message)
        if (news) hear(news)
      })
      return () => void stop()
    },
  }
}

/** Neighbouring pieces of a text become one, and what says nothing new is left out. */
function gathered(news: readonly FeedEvent[]): FeedEvent[] {
  const kept: FeedEvent[] = []
  for (const each of news) {
    const last = kept.at(-1)
    if (each.type === 'text' && last?.type === 'text' && follows(each, last))
      kept[kept.length - 1] = { ...last, text: last.text + each.text }
    else if (each.type === 'text' || !kept.some(({ type }) => type === each.type)) kept.push(each)
  }
  return kept
}

function follows(piece: LiveText, last: LiveText): boolean {
  return (
    piece.turn === last.turn &&
    piece.term === last.term &&
    piece.length === last.length &&
    piece.start === last.start &&
    piece.offset === last.offset + last.text.length
  )
}

function pieces(news: FeedEvent): FeedEvent[] {
  if (news.type !== 'text' || news.text.length <= longest) return [news]
  const cut: FeedEvent[] = []
  for (let at = 0; at < news.text.length; at += longest)
    cut.push({ ...news, offset: news.offset + at, text: news.text.slice(at, at + longest) })
  return cut
}

/** Undefined for an unknown message: an instance of another version may send what this one does not know. */
function newsIn(message: unknown): FeedEvent | undefined {
  if (typeof message !== 'object' || message === null || !('type' in message)) return undefined
  if (message.type === 'grown' || message.type === 'asked') return { type: message.type }
  const { type, turn, term, length, start, offset, text } = message as Partial<Record<keyof LiveText, unknown>>
  if (type !== 'text' || typeof turn !== 'string' || typeof text !== 'string') return undefined
  if (!isCount(term) || !isCount(start) || !isCount(offset) || !(length === undefined || isCount(length)))
    return undefined
  return { type, turn, term, ...(length !== undefined && { length }), start, offset, text }
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

/** A channel for each thread. */
function addressOf(tenant: string, thread: string): Address {
  return ['thread', tenant, keyOf(thread)]
}
