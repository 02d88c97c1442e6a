import { printableLine, type Archive, type ShownEntry } from '@minutebook/server'
import { MinutebookError } from 'minutebook'
import type { Terminal } from '../terminal/terminal.ts'

/** The messages that a person means, and how many more there are. */
export interface AboutMessages {
  readonly messages: readonly ShownEntry[]
  readonly more: number
}

/**
 * Which messages of a thread does a person mean? Those with this number (`#3` or `3`), with an id that begins so, or
 * with all of these words: the oldest first, because the oldest said it first.
 */
export async function messagesAbout(
  { archive, command }: { readonly archive: Archive } & Pick<Terminal, 'command'>,
  thread: string,
  about: string,
): Promise<AboutMessages> {
  const { entries } = await archive.show(thread)
  const messages = entries.filter(({ number }) => number !== undefined)
  const number = /^#?(\d{1,9})$/.exec(about)?.[1]
  const named = messages.filter((message) =>
    number === undefined
      ? /^[0-9a-f]{8,64}$/.test(about) && message.id.startsWith(about)
      : message.number === Number(number),
  )
  if (named.length > 0) return limited(named)
  const found = new Set((await archive.search(about, { thread, limit: searched })).map(({ id }) => id))
  const said = messages.filter(({ id }) => found.has(id))
  if (said.length > 0) return limited(said)
  throw new MinutebookError(
    'unknown_entry',
    `No message of this thread has the number, the id or all of the words "${printableLine(about).slice(0, 100)}".`,
    `Look in all threads with: ${command(`search ${printableLine(about).slice(0, 100)}`)}`,
  )
}

/** Results of a search that are looked at, and messages that are shown. */
const searched = 100
const most = 3

function limited(messages: readonly ShownEntry[]): AboutMessages {
  return { messages: messages.slice(0, most), more: Math.max(0, messages.length - most) }
}
