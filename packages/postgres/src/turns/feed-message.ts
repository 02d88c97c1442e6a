import type { FeedEvent, LiveText } from 'minutebook/store'
import { longestMessage } from './channels.ts'

/** What one instance says to others. Each place is one thread of one tenant. */
export interface FeedMessage {
  /** The instance that sends it. */
  readonly from: string
  /** It has just begun to listen, and knows nothing of others. */
  readonly hello: boolean
  /** It ends. */
  readonly isLast: boolean
  /** Threads that are followed on it from now on, and those that are no longer. */
  readonly hears: readonly string[]
  readonly leaves: readonly string[]
  readonly news: readonly (readonly [place: string, news: FeedEvent])[]
}

type News = Map<string, FeedEvent[]>

/** News by place: to all instances, and to single ones. */
export interface Waiting {
  toAll: News
  to: Map<string, News>
  /** Of their texts. */
  characters: number
}

/** Puts news to the others that wait. Without a target, they are for all instances. */
export function withNews(waiting: Waiting, target: string | undefined, place: string, news: FeedEvent): void {
  const known = target === undefined ? waiting.toAll : (waiting.to.get(target) ?? new Map<string, FeedEvent[]>())
  if (target !== undefined) waiting.to.set(target, known)
  const others = known.get(place)
  if (others) add(others, news)
  else known.set(place, [news])
  if (news.type === 'text') waiting.characters += news.text.length
}

/** A piece that continues the last one joins it, and what says nothing new is left out. */
function add(others: FeedEvent[], news: FeedEvent): void {
  const last = others.at(-1)
  if (news.type === 'text' && last?.type === 'text' && follows(news, last))
    others[others.length - 1] = { ...last, text: last.text + news.text }
  else if (news.type === 'text' || !others.some(({ type }) => type === news.type)) others.push(news)
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

type Item = readonly ['hears' | 'leaves', string] | readonly ['news', string, FeedEvent]

/** Characters of text in one piece. Each has six bytes at most as JSON; the other fields need fewer than are left. */
const longest = Math.floor((longestMessage - 2500) / 6)

/** As many messages as it takes: each fits into a notification. */
export function messagesOf(
  { from, hello, hears, leaves }: Pick<FeedMessage, 'from' | 'hello' | 'hears' | 'leaves'>,
  news: ReadonlyMap<string, readonly FeedEvent[]>,
): object[] {
  const items: Item[] = [
    ...leaves.map((place) => ['leaves', place] as const),
    ...hears.map((place) => ['hears', place] as const),
    ...[...news].flatMap(([place, events]) => events.flatMap(pieces).map((event) => ['news', place, event] as const)),
  ]
  if (items.length === 0 && !hello && news.size === 0) return []
  const messages = [{ from, ...(hello && { hello }), items: [] as Item[] }]
  let size = 0
  for (const item of items) {
    const bytes = Buffer.byteLength(JSON.stringify(item)) + 1
    size += bytes
    if (size > longestMessage - 100) {
      messages.push({ from, items: [] })
      size = bytes
    }
    messages.at(-1)!.items.push(item)
  }
  return messages
}

function pieces(news: FeedEvent): FeedEvent[] {
  if (news.type !== 'text' || news.text.length <= longest) return [news]
  const cut: FeedEvent[] = []
  for (let at = 0; at < news.text.length; at += longest)
    cut.push({ ...news, offset: news.offset + at, text: news.text.slice(at, at + longest) })
  return cut
}

/** Undefined for an unknown message: an instance of another version may send what this one does not know. */
export function messageIn(said: unknown): FeedMessage | undefined {
  if (typeof said !== 'object' || said === null) return undefined
  const { from, hello, isLast, items = [] } = said as Partial<Record<'from' | 'hello' | 'isLast' | 'items', unknown>>
  if (typeof from !== 'string' || !Array.isArray(items)) return undefined
  const read = (items as unknown[])
    .filter((item) => Array.isArray(item))
    .filter(([, place]) => typeof place === 'string')
  const placesOf = (kind: string): string[] =>
    read.filter(([type]) => type === kind).map(([, place]) => place as string)
  return {
    from,
    hello: hello === true,
    isLast: isLast === true,
    hears: placesOf('hears'),
    leaves: placesOf('leaves'),
    news: read.flatMap(([type, place, event]) => {
      const known = type === 'news' ? newsIn(event) : undefined
      return known ? [[place as string, known] as const] : []
    }),
  }
}

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
