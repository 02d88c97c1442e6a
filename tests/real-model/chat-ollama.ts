import type { ChatProtocol, Facts } from './chat-protocol.ts'
import { commonOf, fieldsOf, limitOf } from './chat-request.ts'
import type { EngineAnswer } from './answer.ts'

/** `/api/chat`. Where Ollama would cut a prompt that is too long, this one refuses it, whatever the request says. */
export const ollamaChat: ChatProtocol = {
  streamType: 'application/x-ndjson',
  read: (fields) => ({
    ...commonOf(fields),
    streams: fields['stream'] !== false,
    limit: limitOf(fieldsOf(fields['options'])['num_predict']),
    countsStream: true,
  }),
  first: () => '',
  piece: (facts, content) => line({ ...head(facts), message: { role: 'assistant', content }, done: false }),
  last: (facts, answer) => line({ ...head(facts), message: { role: 'assistant', content: '' }, ...endOf(answer) }),
  whole: (facts, answer) =>
    line({ ...head(facts), message: { role: 'assistant', content: answer.text }, ...endOf(answer) }),
  error: (_, error) => JSON.stringify({ error }),
}

function line(value: object): string {
  return `${JSON.stringify(value)}\n`
}

function head({ request, time }: Facts): object {
  return { model: request.model, created_at: new Date(time).toISOString() }
}

/** Ollama counts a prompt whole, whatever stood in the window already. */
function endOf({ tokens, completion, finish }: EngineAnswer): object {
  const durations = { total_duration: 1e6, load_duration: 1e5, prompt_eval_duration: 5e5, eval_duration: 4e5 }
  return { done: true, done_reason: finish, ...durations, prompt_eval_count: tokens, eval_count: completion }
}
