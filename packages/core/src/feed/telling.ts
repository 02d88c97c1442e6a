import type { Entry } from '../log/entry.ts'
import { isUnfinished } from '../record/next.ts'
import type { Feed } from './feed.ts'
import { turnText } from './turn-text.ts'

/** The running side of a feed: tells what a turn shows. */
export interface Telling {
  /** A piece of what the current model call says. */
  say(text: string): void
  /** The current model call is over, and on record. */
  recorded(): void
  end(): void
}

/** Tells the turn that a thread stands in, under this term. `turn`: its entries as of now. */
export function createTelling(feed: Feed, thread: string, term: number, turn: () => readonly Entry[]): Telling {
  /** The turn, and where in its text the current model call begins. */
  let place: { readonly turn: string; readonly start: number } | undefined
  let said = ''
  const locate = (): typeof place => {
    const entries = turn()
    return entries[0] && { turn: entries[0].id, start: turnText(entries).length }
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
      place ??= locate()
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
