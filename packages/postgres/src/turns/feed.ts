// How does live text reach the clients that follow a turn? Listeners of this instance are called directly. Other instances are
// sent it over the notifications of Postgres, and only if they follow the thread: each tells all others which threads
// it follows.
import type { Feed } from 'minutebook'
import type { FeedEvent } from 'minutebook/store'
import { randomUUID } from 'node:crypto'
import type { Database } from '../connection/connection.ts'
import { keyOf } from '../connection/key.ts'
import { statement } from '../connection/statement.ts'
import type { Address, Channels } from './channels.ts'
import { messageIn, messagesOf, withNews, type FeedMessage, type Waiting } from './feed-message.ts'
import type { Listener } from './listener.ts'
import { createPeers } from './peers.ts'

const notifyAll = statement('notify-all')

/** The feeds of all tenants of an instance: what they send goes out together. */
export interface Feeds {
  /** `tenant`: its key. */
  of(tenant: string): Feed
  /** Sends what waits, and tells the other instances that this one is gone. */
  close(): Promise<void>
}

/** All instances hear this. Each also has a channel of its own. */
const toAll: Address = ['feed']

/** Milliseconds after which others are told that a thread is no longer followed. Often it is followed again by then. */
const leaveAfter = 1000

/** Milliseconds between two signs of life. */
const signEvery = 20_000

/** Characters of text that may wait to be sent. Beyond that, text is lost, and followers ask for it or read the log. */
const mostWaiting = 4_000_000

/**
 * Milliseconds between two statements. What comes meanwhile goes out together: a statement costs more than the text in
 * it. Text that goes on waits as long as a screen shows one picture; its beginning and all else wait less.
 */
const pauses = { least: 5, text: 16, most: 50 }

type Hear = (news: FeedEvent) => void

/**
 * Nothing is in a table, and nothing waits for the disk; the server's own queue of notifications may put it there for a
 * while.
 */
export async function openFeeds(database: Database, listener: Listener, channels: Channels): Promise<Feeds> {
  const own = randomUUID()
  const here = new Map<string, Set<Hear>>()
  const peers = createPeers()
  /** The threads that others believe to be followed here; and those for which that may be wrong. */
  const told = new Set<string>()
  const doubtful = new Set<string>()
  /** The threads for which something was asked before another instance was known. */
  const unasked = new Set<string>()
  const waiting: Waiting = { toAll: new Map(), to: new Map(), characters: 0 }
  let isGreeting = false
  let sending: Promise<void> | undefined
  /** Cancels the sending that is due. */
  let cancelDue: (() => void) | undefined
  /** When the last statement ended, and how long it took. */
  let [ended, took] = [-Infinity, 0]
  /** Something waits that is more than the continuation of a text. */
  let isUrgent = false
  let isClosed = false

  const deliver = (place: string, news: FeedEvent): void => {
    for (const hear of here.get(place) ?? []) heardSafely(hear, news)
  }
  /** What is to be said about this instance. The sets are as if it had been said. */
  const announcement = (): Pick<FeedMessage, 'hears' | 'leaves'> => {
    const changed = [...doubtful].filter((place) => here.has(place) !== told.has(place))
    doubtful.clear()
    for (const place of changed) if (!told.delete(place)) told.add(place)
    return { hears: changed.filter((place) => told.has(place)), leaves: changed.filter((place) => !told.has(place)) }
  }
  const tell = async (sealed: readonly (readonly [channel: string, payload: string])[]): Promise<void> => {
    const values = [sealed.map(([channel]) => channel), sealed.map(([, payload]) => payload)]
    await database.query(notifyAll.text, values)
  }
  const announceAll = (): void => {
    told.clear()
    for (const place of here.keys()) doubtful.add(place)
  }
  const send = async (): Promise<void> => {
    const hello = isGreeting
    isGreeting = false
    // A new instance is sent everything. Without other instances, nothing need be sent.
    const said = peers.size > 0 ? announcement() : { hears: [], leaves: [] }
    const { toAll: toEveryone, to } = waiting
    ;[waiting.toAll, waiting.to, waiting.characters] = [new Map(), new Map(), 0]
    const sent = [
      ...messagesOf({ from: own, hello, ...said }, toEveryone).map((message) => channels.sealed(toAll, message)),
      ...[...to].flatMap(([instance, news]) =>
        messagesOf({ from: own, hello: false, hears: [], leaves: [] }, news).map((message) =>
          channels.sealed([...toAll, instance], message),
        ),
      ),
    ]
    if (sent.length === 0) return
    try {
      await tell(sent)
    } catch {
      // News may be lost. What this instance follows is said again.
      isGreeting ||= hello
      announceAll()
    }
  }
  /**
   * One statement at a time, and then a pause at least as long as it took: at most half the time of one connection is
   * used.
   */
  const sendNow = (): void => {
    cancelDue = undefined
    isUrgent = false
    const began = performance.now()
    sending = send().finally(() => {
      sending = undefined
      ended = performance.now()
      took = ended - began
      if (isPending()) sendWhenDue()
    })
  }
  const sendWhenDue = (): void => {
    cancelDue?.()
    cancelDue = undefined
    if (sending || isClosed) return
    const pause = Math.min(Math.max(took, isUrgent ? pauses.least : pauses.text), pauses.most)
    const rest = ended + pause - performance.now()
    if (rest > 0) {
      const due = setTimeout(sendNow, rest)
      cancelDue = () => clearTimeout(due)
    } else {
      // What happens in one turn of the event loop goes out together.
      const due = setImmediate(sendNow)
      cancelDue = () => clearImmediate(due)
    }
  }
  const isPending = (): boolean =>
    isGreeting || waiting.toAll.size > 0 || waiting.to.size > 0 || (peers.size > 0 && [...doubtful].some(isNew))
  const isNew = (place: string): boolean => here.has(place) && !told.has(place)
  const sendSoon = (): void => {
    if (isUrgent && (cancelDue || sending)) return
    isUrgent = true
    sendWhenDue()
  }
  /** For text that goes on. */
  const sendLater = (): void => {
    if (!cancelDue) sendWhenDue()
  }
  const publish = (place: string, news: FeedEvent): void => {
    deliver(place, news)
    if (peers.size === 0) {
      if (news.type === 'asked' && here.has(place)) unasked.add(place)
      return
    }
    if (news.type !== 'asked') peers.published(place)
    const targets = news.type === 'asked' ? [undefined] : peers.following(place)
    if (news.type === 'text' && waiting.characters > mostWaiting) return
    for (const target of targets) withNews(waiting, target, place, news)
    if (targets.length === 0) return
    if (news.type === 'text' && news.offset > news.start) sendLater()
    else sendSoon()
  }
  const hear = (said: unknown): void => {
    const message = messageIn(said)
    if (!message || message.from === own) return
    const { from, hello, isLast, hears, leaves, news } = message
    if (isLast) return peers.forget(from)
    const isStranger = !peers.has(from)
    if (hello) peers.forget(from)
    peers.heard(from)
    // An instance that says hello knows nothing of others. One that seemed dead must say everything again.
    if (hello || isStranger) announceAll()
    for (const place of unasked) withNews(waiting, undefined, place, { type: 'asked' })
    unasked.clear()
    if (hello) giveSign()
    else if (isStranger) isGreeting = true
    for (const place of leaves) peers.left(from, place)
    for (const place of hears)
      // What was published while it began to follow may have gone past it.
      if (peers.joined(from, place)) withNews(waiting, from, place, { type: 'grown' })
    for (const [place, event] of news) deliver(place, event)
    if (isPending()) sendSoon()
  }
  const giveSign = (): void => {
    waiting.toAll.set('', [])
    sendSoon()
  }
  const stops = [await channels.listen([...toAll, own], hear), await channels.listen(toAll, hear)]
  const greet = (): void => {
    peers.clear()
    announceAll()
    isGreeting = true
    sendSoon()
  }
  const stopGreeting = listener.onConnect(async () => greet())
  greet()
  const signs = setInterval(() => {
    peers.bury()
    if (peers.size > 0) giveSign()
  }, signEvery).unref()
  const leaving = setInterval(() => {
    if (doubtful.size > 0) sendSoon()
  }, leaveAfter).unref()
  const stopHearing = (place: string, hears: Hear): void => {
    const others = here.get(place)
    if (!others?.delete(hears) || others.size > 0) return
    here.delete(place)
    unasked.delete(place)
    doubtful.add(place)
  }
  return {
    of: (tenant) => {
      const placeOf = (thread: string): string => JSON.stringify([tenant, keyOf(thread)])
      return {
        publish: (thread, news) => publish(placeOf(thread), news),
        listen: async (thread, hears) => {
          const place = placeOf(thread)
          const each: Hear = (news) => hears(news)
          if (!here.has(place)) doubtful.add(place)
          here.set(place, (here.get(place) ?? new Set()).add(each))
          if (isPending()) sendSoon()
          return () => stopHearing(place, each)
        },
      }
    },
    close: async () => {
      isClosed = true
      clearInterval(signs)
      clearInterval(leaving)
      stopGreeting()
      cancelDue?.()
      await sending
      await send()
      if (peers.size > 0) await tell([channels.sealed(toAll, { from: own, isLast: true })]).catch(() => undefined)
      for (const stop of stops) await stop()
    },
  }
}

/** An error that leaves here would end the turn that is told of. */
function heardSafely(hear: Hear, news: FeedEvent): void {
  try {
    hear(news)
  } catch {
    // News may always be lost: what counts is in the log, which is read in any case.
  }
}
