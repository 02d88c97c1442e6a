import type { Message } from '../log/message.ts'
import { fieldsOf, type Fields } from './fields.ts'
import type { Finish } from './model.ts'
import { chunkFields, ended, spoken, usageOf, type Reply, type ReplyOptions } from './reply.ts'

/**
 * Reads an answer of Ollama's `/api/chat`, streamed or whole.
 *
 * @example
 * const reply = ollamaReply()
 * for await (const line of lines) yield* reply.push(JSON.parse(line))
 * yield reply.end()
 */
export function ollamaReply(options: ReplyOptions = {}): Reply {
  const calls: unknown[] = []
  let others: Fields = {}
  let content = ''
  let thinking = ''
  let last: Fields | undefined

  return {
    push: (chunk) => {
      const fields = chunkFields(chunk, options)
      const { content: text, thinking: thought, tool_calls: called, ...rest } = fieldsOf(fields['message'])
      others = { ...others, ...rest }
      if (Array.isArray(called)) calls.push(...(called as unknown[]))
      if (fields['done'] === true) last = fields
      const [reasoning, said] = [textOf(thought), textOf(text)]
      thinking += reasoning
      content += said
      return spoken(reasoning, said)
    },
    end: () => ended(message(), last && finishOf(last), last && usageOf({ prompt: last['prompt_eval_count'], completion: last['eval_count'] })),
    get done() {
      return last !== undefined
    },
  }

  /** Whatever role the server claims: what a model says is never an instruction. */
  function message(): Message {
    return { ...others, role: 'assistant', content, ...(thinking !== '' && { thinking }), ...(calls.length > 0 && { tool_calls: calls }) }
  }
}

function finishOf({ done_reason: reason }: Fields): Finish {
  return reason === 'stop' || reason === 'length' ? reason : 'unknown'
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
