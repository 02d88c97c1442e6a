import type { Entry } from '../log/entry.ts'
import { MinutebookError } from '../log/error.ts'
import { createNoteParser } from '../log/note-parser.ts'
import { readMessage, type Message } from '../log/message.ts'
import { takeNotes } from '../note/note.ts'
import { isReceipt, receiptFrom, receiptText, type KeptReceipt, type Receipt } from '../receipt/receipt.ts'
import type { Draft } from '../record/draft.ts'
import { hanging } from '../record/hanging.ts'
import type { LiveLog } from '../record/live-log.ts'
import { recordable } from '../record/recordable.ts'
import { isFinal } from '../turn/answer.ts'
import { written } from '../turn/fence.ts'
import { journalDrafts } from '../turn/journal-entry.ts'
import type { Manner } from '../turn/running.ts'
import type { EndEvent } from '../wire/reply.ts'
import type { RelayRecords } from './place.ts'

/** What a relay left on record. */
export interface Relayed {
  readonly receipt: KeptReceipt
  /** The answer, whole or in part; none where nothing was said, or where this very answer was erased here. */
  readonly answer: Entry | undefined
}

/** What goes on record of a call, in one append behind what it answers. */
export interface Recording {
  readonly head: string
  readonly forms: readonly Draft[]
  readonly drafts: readonly Draft[]
  readonly receipt: Receipt
  readonly closing?: readonly Draft[]
  readonly records?: RelayRecords['ending']
}

export async function recordRelay(log: LiveLog, { settingsText }: Manner, { head, forms, drafts, receipt, closing = [], records }: Recording): Promise<Relayed> {
  const isKnown = log.branch(head).some(({ kind, text }) => kind === 'settings' && text === settingsText)
  const settings = isKnown ? [] : [hanging('settings', settingsText)]
  const entries = await written(log.append([...settings, ...forms, ...drafts, hanging('receipt', receiptText(receipt)), ...closing], {
    after: head,
    ...(records && {
      records: (made) => {
        const answer = made.find(isAnswer)
        return records({ at: answer?.id ?? head, answer })
      },
    }),
  }))
  return { receipt: receiptFrom(entries.find(isReceipt)!), answer: entries.find(isAnswer) }
}

function isAnswer({ kind }: Entry): boolean {
  return kind === 'assistant'
}

/** The answer as the client got it, and the notes that came with it. Calls stay open: the client runs them. */
export function relayedDrafts(log: LiveLog, manner: Manner, head: string, { message: said, finish }: EndEvent): Draft[] {
  const { message, notes } = manner.notes === 'off' ? { message: said, notes: [] } : finish === 'length' ? cutOff(said) : takeNotes(said)
  const answer: Draft = { message: answerOf(message), facts: { status: finish === 'length' ? 'partial' : 'complete' } }
  if (log.isErased([answer], { after: head })) return []
  const journal = manner.journal && isFinal(answer) ? journalDrafts(log, log.branch(head)) : []
  return [answer, ...notes.map((note) => hanging('note', note)), ...journal]
}

/** A note that was cut off in the middle is still a note. */
function cutOff(message: Message): { readonly message: Message; readonly notes: readonly string[] } {
  return { message: { ...message, content: createNoteParser().push(readMessage(message).text) }, notes: [] }
}

/** An answer that cannot be kept is none. */
function answerOf(said: Message): Message {
  const message = recordable(said)
  if (readMessage(message).kind === 'assistant') return message
  throw new MinutebookError('malformed_message', 'The answer is not an assistant’s message; pass an end with { role: "assistant" }.')
}
