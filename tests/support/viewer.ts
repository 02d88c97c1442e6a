import type { Thread, VisibleEntry, WatchEvent } from 'minutebook'
import { readPosition } from '../../packages/core/src/turns/position.ts'

/** Someone at a screen who watches a thread, leaves, and comes back where they were. */
export interface Viewer {
  readonly entries: VisibleEntry[]
  /** All that was shown, as it came. */
  readonly seen: WatchEvent[]
  /** What stands beside the entries. */
  readonly text: string
  readonly resets: number
  readonly isResting: boolean
  /** What was not as it must be. */
  readonly complaints: string[]
  readonly position: string | undefined
  /** Shows what there is, to watch from there. */
  load(thread: Thread): Promise<void>
  /** Forgets all that was seen after so many events. */
  rewind(to: number): void
  /** Watches until the signal aborts, or so many events were seen. */
  watch(thread: Thread, until: { readonly signal?: AbortSignal; readonly leaveAt?: number | undefined }): Promise<void>
}

export function createViewer(from?: string): Viewer {
  let [text, resets, isResting, position] = ['', 0, false, from]
  const [entries, seen, complaints]: [VisibleEntry[], WatchEvent[], string[]] = [[], [], []]
  const complain = (what: string, isWrong: boolean): void =>
    void (isWrong && complaints.push(`${what} after ${JSON.stringify(seen.at(-2))}: ${JSON.stringify(seen.at(-1))}`))

  const show = (event: WatchEvent, isBack: boolean): void => {
    seen.push(event)
    const place = readPosition(event.position)
    const last = position === undefined ? undefined : readPosition(position)
    if (event.type === 'text') {
      complain('a piece does not go on from the one before', event.offset !== text.length)
      complain('an empty piece', event.text === '')
      complain('a lower term', place.term < (last?.term ?? 0))
      text += event.text
    }
    if (event.type === 'reset') {
      complain('nothing to take back', text === '')
      text = ''
      resets++
    }
    if (event.type === 'branch') {
      const kept = entries.findIndex(({ id }) => id === event.after) + 1
      complain('a branch after an entry that is not shown', kept === 0 && event.after !== null)
      entries.splice(kept, Infinity, ...event.entries)
    }
    if (event.type === 'entry') {
      complain(
        'an entry that is shown already',
        entries.some(({ id }) => id === event.entry.id),
      )
      const takesPlace = place.offset === 0 && text !== ''
      complain(
        'an answer is not what was shown of it',
        takesPlace && event.entry.kind === 'assistant' && event.entry.text !== text,
      )
      if (takesPlace) text = ''
      entries.push(event.entry)
    }
    complain('it rests already', event.type === 'end' && isResting && !isBack && place.seq === last?.seq)
    complain('text is left at rest', event.type === 'end' && text !== '')
    complain('the position is not where the text ends', place.offset !== text.length)
    isResting = event.type === 'end'
    position = event.position
  }
  return {
    entries,
    seen,
    complaints,
    get text() {
      return text
    },
    get resets() {
      return resets
    },
    get isResting() {
      return isResting
    },
    get position() {
      return position
    },
    load: async (thread) => {
      const page = await thread.page()
      entries.push(...page.entries)
      position = page.position
      isResting = readPosition(position).isEnd === true && entries.some(({ kind }) => kind === 'user')
    },
    rewind: (to) => {
      const kept = seen.slice(0, to)
      ;[text, resets, isResting, position] = ['', 0, false, from]
      entries.length = seen.length = 0
      for (const event of kept) show(event, true)
    },
    watch: async (thread, { signal, leaveAt = Infinity }) => {
      let count = 0
      for await (const event of thread.watch({ from: position, signal })) {
        show(event, count === 0)
        if (++count >= leaveAt) return
      }
    },
  }
}
