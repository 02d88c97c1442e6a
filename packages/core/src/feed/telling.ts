import type { Entry } from '../log/entry.ts'
import { isUnfinished } from '../record/next.ts'
import type { Feed, LiveText } from './feed.ts'
import { turnText } from './turn-text.ts'

/** The running side of a feed: tells what a turn shows. */
export interface Telling {
  /** A piece of what the current model call says. */
  say(text: string): void
  /** The current model call is over, and on record. */
  recorded(): void
  end(): void
}

/** What is told: a thread's turn, under a term. */
export interface Told {
  readonly thread: string
  readonly term: number
  /** The entries of the turn that it stands in, and how many entries there are, as of now. */
  readonly turn: () => readonly Entry[]
  readonly length: () => number
}

export function createTelling(feed: Feed, { thread, term, turn, length }: Told): Telling {
  /** The turn, and where the current model call begins: in its text, and in the log. */
  let place: Pick<LiveText, 'turn' | 'length' | 'start'> | undefined
  let said = ''
  const locate = (): typeof place => {
    const entries = turn()
    return entries[0] && { turn: entries[0].id, length: length(), start: turnText(entries).length }
  }
  const tell = (offset: number, text: string): void => {
    if (place) feed.publish(thread, { type: 'text', term, ...place, offset: place.start + offset, text })
  }
  const tellAll = (): void => {
    if (!place && isUnfinished(turn())) place = locate()
    tell(0, said)
  }
  const listening = feed.listen(thread, ({ type }) => {
    if (type === 'asked') tellAll()
  })
  listening.catch(() => undefined)
  // Whoever follows the turn learns at once that someone else has taken over.
  tellAll()
  return {
    say: (text) => {
      if (said === '') place = locate()
      tell(said.length, text)
      said += text
    },
    recorded: () => {
      place = undefined
      said = ''
    },
    end: () => {
      listening.then((stop) => stop()).catch(() => undefined)
    },
  }
}
