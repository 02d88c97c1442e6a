import type { Entry, StreamEvent } from './types.ts'

/** What stands on a screen: entries, and the text of the answer that is being written. */
export interface ThreadView {
  readonly entries: readonly Entry[]
  readonly text: string
  /** Takes an event in. */
  take(event: StreamEvent): void
}

/**
 * Keeps what is to be shown of a thread, from its stream: text where it belongs, nothing twice, nothing that is void.
 *
 * @example
 * const view = createView()
 * for await (const event of client.follow('garden')) {
 *   view.take(event)
 *   render(view.entries, view.text)
 * }
 */
export function createView(): ThreadView {
  const entries: Entry[] = []
  let text = ''
  return {
    entries,
    get text() {
      return text
    },
    take: ({ event, data }) => {
      if (event === 'text') text = text.slice(0, data.offset) + data.text
      if (event === 'reset') text = ''
      if (event !== 'entry') return
      if (entries.every(({ id }) => id !== data.id)) entries.push(data)
      if (data.kind === 'assistant' || data.kind === 'stop') text = ''
    },
  }
}
