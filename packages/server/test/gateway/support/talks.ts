/** What clients of each protocol say: tools, calls with results, a picture, a form for the answer. */
import {
  assistant,
  call,
  dot,
  ollamaAssistant,
  ollamaCall,
  ollamaPicture,
  ollamaResult,
  picture,
  result,
  system,
  user,
} from '@minutebook/testing'
import { signedThinking } from '@minutebook/testing/server'
import type { Message } from 'minutebook'
import type { ClientName } from './wire.ts'

const schema = { type: 'object', properties: { zone: { type: 'string' } } }
export const tools = [{ type: 'function', function: { name: 'now', description: 'The time.', parameters: schema } }]
const anthropicTools = [{ name: 'now', description: 'The time.', input_schema: schema }]
export const withNow = (wire: ClientName): object => ({ tools: wire === 'anthropic' ? anthropicTools : tools })
export const talk = [
  system('Be brief.'),
  user('Hello'),
  assistant('Hi!'),
  user('And you?'),
  assistant('Fine.'),
  user('Good.'),
]

export const withTools = (wire: ClientName): Message[] => toolTalks[wire]
const toolTalks: Readonly<Record<ClientName, Message[]>> = {
  openai: [
    user('Time?'),
    assistant('', call('c1', 'now', { zone: 'UTC' }), call('c2', 'now')),
    result('c1', '12:00'),
    result('c2', '13:00'),
  ],
  ollama: [
    user('Time?'),
    ollamaAssistant('', ollamaCall('now', { zone: 'UTC' }), ollamaCall('now')),
    ollamaResult('now', '12:00'),
    ollamaResult('now', '13:00'),
  ],
  anthropic: [
    user('Time?'),
    {
      role: 'assistant',
      content: [
        signedThinking('Hm.'),
        { type: 'tool_use', id: 'c1', name: 'now', input: { zone: 'UTC' } },
        { type: 'tool_use', id: 'c2', name: 'now', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'c2', content: '13:00', is_error: false },
        { type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: '12:00' }] },
      ],
    },
  ],
}

export const withPicture = (wire: ClientName): Message[] => {
  if (wire !== 'anthropic')
    return [wire === 'openai' ? picture('What is this?', dot) : ollamaPicture('What is this?', dot)]
  const source = { type: 'base64', media_type: 'image/png', data: dot }
  return [
    {
      role: 'user',
      content: [
        { type: 'image', source },
        { type: 'text', text: 'What is this?' },
      ],
    },
  ]
}

export const format = (wire: ClientName): object => {
  const shape = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] }
  return {
    ollama: { format: shape },
    openai: { response_format: { type: 'json_schema', json_schema: { name: 'a', schema: shape, strict: true } } },
    anthropic: { output_config: { format: { type: 'json_schema', schema: shape } } },
  }[wire]
}
