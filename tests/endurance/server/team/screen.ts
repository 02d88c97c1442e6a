import type { ServerEvent } from './events.ts'

/**
 * What a client shows of an answer while it comes, by nothing but the events of streams: however often it changes
 * between them.
 */
export interface Screen {
  take(event: ServerEvent): void
  /** Of the running model call; of the answer, once its entry has come. */
  readonly text: string
  /** Where to go on. */
  readonly position: string
  readonly resets: number
  /** What does not fit together: text with a hole before it, of a term that has passed, or beside the entry. */
  readonly faults: readonly string[]
}

export function createScreen(): Screen {
  const faults: string[] = []
  let [text, position, term, resets] = ['', '', 0, 0]
  const take = ({ id, event, data }: ServerEvent): void => {
    if (id !== '') position = id
    if (event === 'reset') {
      if (Number(data['term']) < term) faults.push(`a reset to term ${String(data['term'])} after ${term}`)
      term = Number(data['term'])
      text = ''
      resets++
    }
    if (event === 'text') {
      if (Number(data['term']) < term) faults.push(`text of term ${String(data['term'])} after ${term}`)
      if (Number(data['term']) > term && text !== '') faults.push('text of a new term without a reset')
      if (data['offset'] !== text.length) faults.push(`text at ${String(data['offset'])} where ${text.length} was due`)
      term = Number(data['term'])
      text += String(data['text'])
    }
    if (event === 'entry' && data['kind'] === 'assistant') {
      // What was shown is a beginning of what is on record.
      if (!String(data['text']).startsWith(text)) faults.push('the entry is not what was shown')
      text = String(data['text'])
    }
    if (event === 'entry' && data['kind'] === 'user') text = ''
  }
  return {
    take,
    get text() {
      return text
    },
    get position() {
      return position
    },
    get resets() {
      return resets
    },
    faults,
  }
}
