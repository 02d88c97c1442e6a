import { MinutebookError } from '../log/error.ts'
import { readMessage, type Message } from '../log/message.ts'
import { createNoteParser } from '../log/note-parser.ts'
import type { Finish, Model, ModelRequest, Usage } from '../wire/model.ts'
import { heard } from './heard.ts'
import { recordable } from '../record/recordable.ts'
import type { TurnControl } from './turn.ts'

/** What came of a model call: a whole answer, or as much of one as was shown. */
export type Collected =
  | { readonly whole: true; readonly message: Message; readonly finish: Finish; readonly usage: Usage }
  | { readonly whole: false; readonly shown: string; readonly error: unknown }

/** Calls the model and passes on what may be shown, as it comes. Never throws, and does not wait for a model that ignores its signal. */
export async function collect(model: Model, request: ModelRequest, control: TurnControl, withNotes: boolean): Promise<Collected> {
  const parser = withNotes ? createNoteParser() : plain
  let shown = ''
  let streamed = false
  const show = (text: string): void => {
    if (text === '') return
    shown += text
    control.emit({ type: 'text', text })
  }
  try {
    for await (const event of heard(model(request), request.signal)) {
      if (event.type === 'reasoning') control.emit(event)
      if (event.type === 'text') show(parser.push(event.text))
      if (event.type === 'text' && event.text !== '') streamed = true
      if (event.type !== 'end') continue
      const { finish, usage = {} } = event
      const message = answerOf(event.message)
      if (!streamed) show(parser.push(readMessage(message).text))
      const { text } = parser.end()
      // A note that was cut off in the middle is still a note.
      if (finish === 'length' && withNotes) return { whole: true, message: { ...message, content: shown }, finish, usage }
      show(text)
      return { whole: true, message, finish, usage }
    }
    throw new MinutebookError('model_cut', 'The model ended without saying so; its answer may be cut off. Retry the turn.')
  } catch (error) {
    return { whole: false, shown, error }
  }
}

/** An answer that cannot be kept is none. */
function answerOf(said: Message): Message {
  const message = recordable(said)
  if (readMessage(message).kind === 'assistant') return message
  throw new MinutebookError('malformed_message', 'The model ended with a message that is not an assistant’s; let it end with { role: "assistant" }.')
}

const plain = { push: (text: string): string => text, end: () => ({ text: '' }) }
