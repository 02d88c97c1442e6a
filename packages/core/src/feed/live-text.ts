import type { LiveText } from './feed.ts'

/** How far someone has read a turn: the runner's term, and so much of the turn's text. */
export interface Position {
  readonly term: number
  readonly offset: number
}

/** What someone who follows a turn is shown. */
export type Shown =
  /** A piece of the turn's text. Whoever has it stands at the same term, and at `offset` + its length. */
  | { readonly type: 'text'; readonly term: number; readonly offset: number; readonly text: string }
  /** What was shown is void: the text comes again, from the beginning. */
  | { readonly type: 'reset'; readonly term: number }

/** The text of one turn, put together from what is on record and from what its runner tells, for one who follows it. */
export interface Reading {
  /** What the runner tells. Gives what can be shown now. */
  hear(news: LiveText): Shown[]
  /** The turn's text as far as it is on record. */
  read(recorded: string): Shown[]
  /** What was told beyond the record. */
  goOn(): Shown[]
  /** The turn has come to this term. */
  enter(term: number): Shown[]
  /** The thread has come to this term, in this turn or in a later one: where that is another's than what was read elsewhere, it is void. */
  doubt(term: number): Shown[]
  /** There will be no more than what is on record. */
  end(): Shown[]
  /** Whether something was told that does not go on from what is known: it must be read, or asked for. */
  readonly isBehind: boolean
  /** Of the runner, as far as is known. */
  readonly term: number
}

/** Someone begins to read at a position, or at the beginning: then the first term that is heard of is the runner's. */
export function createReading(start?: Position): Reading {
  let term = start?.term
  let recorded = ''
  /** What the model call has said that begins there. */
  let live = { start: 0, text: '' }
  let missed = false
  /** What has been shown, from an offset on: what was before that was shown by someone else. */
  let [from, shown] = [start?.offset ?? 0, '']

  const whole = (): string => recorded + (live.start === recorded.length ? live.text : '')
  const show = (text: string): Shown[] => {
    const at = from + shown.length
    if (text.length > at && text.startsWith(shown, from)) return [piece(at, text)]
    // Less is known than was shown, as after the beginning of a call whose text nobody has told yet.
    return at >= text.length && (from >= text.length || shown.startsWith(text.slice(from))) ? [] : anew(text)
  }
  const piece = (at: number, text: string): Shown => {
    shown = text.slice(from)
    return { type: 'text', term: term ?? 0, offset: at, text: text.slice(at) }
  }
  const anew = (text: string): Shown[] => {
    const isVoid = from + shown.length > 0
    ;[from, shown] = [0, '']
    return [...(isVoid ? [{ type: 'reset', term: term ?? 0 } as const] : []), ...(text === '' ? [] : [piece(0, text)])]
  }
  const enter = (next: number): Shown[] => {
    if (next <= (term ?? -1)) return []
    const isFirst = term === undefined
    term = next
    if (isFirst) return []
    live = { start: recorded.length, text: '' }
    return anew(recorded)
  }
  return {
    hear: (news) => {
      if (news.term < (term ?? 0)) return []
      const before = enter(news.term)
      const isNext = followsAll(news)
      listen(news)
      if (!isNext) return [...before, ...show(whole())]
      // As nearly always. To compare all that was said for each word would take time and memory with its square.
      const at = from + shown.length
      shown += news.text
      return [...before, { type: 'text', term: term ?? 0, offset: at, text: news.text }]
    },
    read: (text) => {
      recorded = text
      if (live.start < text.length) {
        live = { start: text.length, text: '' }
        missed = false
      }
      return show(text)
    },
    goOn: () => show(whole()),
    // What was shown by someone else may have been another runner's.
    doubt: (latest) => (from > 0 ? enter(latest) : []),
    end: () => (from + shown.length > recorded.length ? anew(recorded) : show(recorded)),
    enter,
    get isBehind() {
      return missed || live.start > recorded.length
    },
    get term() {
      return term ?? 0
    },
  }

  /** Whether news go on right behind all that is known, and all of that was shown. */
  function followsAll({ start, offset, text }: LiveText): boolean {
    const isLive = start === live.start && start === recorded.length && offset === start + live.text.length
    return isLive && text !== '' && from + shown.length === offset
  }

  function listen({ start, offset, text }: LiveText): void {
    // Of a call that is on record by now.
    if (start < recorded.length) return
    if (start !== live.start) live = { start, text: '' }
    const at = offset - start
    missed = at > live.text.length
    if (!missed && at + text.length > live.text.length) live = { start, text: live.text.slice(0, at) + text }
  }
}
