import { ollamaReply, toOllama } from 'minutebook/wire'
import { asObject } from '../http/json.ts'
import { readChatMessages } from './chat-messages.ts'
import { countIn, type Protocol, type Recorded } from './protocol.ts'

/** Ollama's `/api/chat`. Default: it streams. */
export const ollama: Protocol = {
  name: 'ollama',
  path: '/api/chat',
  framing: 'lines',
  endsWithDone: false,
  streamType: 'application/x-ndjson',
  takesNoMessages: true,
  keepsShape: true,
  counts: undefined,
  takesNotes: true,
  read: (_, list) => readChatMessages(list, { truncate: 'false', shift: 'false' }),
  ask: ({ stream, options, _debug_render_only: rendersOnly }) => {
    const { num_ctx: numCtx, num_keep: keep, num_predict: output } = asObject(options)
    return {
      streams: stream !== false,
      output: countIn(output),
      numCtx: countIn(numCtx),
      numKeep: keep === 0 ? 0 : countIn(keep),
      rendersOnly: rendersOnly === true,
    }
  },
  reply: () => ollamaReply(),
  isEnding: ({ done }) => done === true,
  reworded: (chunk, word) => {
    const message = asObject(chunk['message'])
    const { content } = message
    if (typeof content !== 'string') return undefined
    const text = word(content)
    const { logprobs: _logprobs, ...rest } = chunk
    return text === content ? chunk : { ...rest, message: { ...message, content: text } }
  },
  whole: (answer) => ({ ...head(answer), message: messageOf(answer), ...last(answer) }),
  chunks: (answer) => [
    line({ ...head(answer), message: messageOf(answer), done: false }),
    line({ ...head(answer), message: { role: 'assistant', content: '' }, ...last(answer) }),
  ],
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`
}

function head({ model, time }: Recorded): object {
  return { model, created_at: time.toISOString() }
}

function messageOf({ message }: Recorded): object {
  return toOllama([message])[0] ?? message
}

/** Nothing was computed, so nothing took any time. */
function last({ finish, usage }: Recorded): object {
  return {
    done: true,
    done_reason: finish === 'length' ? 'length' : 'stop',
    total_duration: 0,
    load_duration: 0,
    ...(usage?.prompt !== undefined && { prompt_eval_count: usage.prompt }),
    prompt_eval_duration: 0,
    ...(usage?.completion !== undefined && { eval_count: usage.completion }),
    eval_duration: 0,
  }
}
