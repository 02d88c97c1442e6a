import type { Sent } from './measured-server.ts'

/** A request with many blocks, parts, items or calls of one kind. */
export interface Kind {
  readonly name: string
  /** `size`: how many. `unique`: a word that no request had before. */
  readonly request: (size: number, unique: string) => Sent
}

const many = <T>(size: number, make: (index: number) => T): T[] =>
  Array.from({ length: size }, (_, index) => make(index))
const words = 'lemons and limes '
const picture = 'iVBORw0KGgo'

// --- Anthropic Messages

const anthropicBlocks: Readonly<Record<string, (index: number) => object>> = {
  text: (index) => ({ type: 'text', text: `${words}${index}` }),
  'empty text': () => ({ type: 'text', text: '' }),
  'marked text': (index) => ({ type: 'text', text: `${words}${index}`, cache_control: { type: 'ephemeral' } }),
  image: (index) => ({
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: `${picture}${index}` },
  }),
  document: (index) => ({ type: 'document', source: { type: 'text', media_type: 'text/plain', data: words + index } }),
  search_result: (index) => ({
    type: 'search_result',
    source: 'x',
    title: 'x',
    content: [{ type: 'text', text: `${index}` }],
  }),
  unknown: (index) => ({ type: 'lemon', slices: index }),
}
const saidBlocks: Readonly<Record<string, (index: number) => object>> = {
  thinking: (index) => ({ type: 'thinking', thinking: `${words}${index}`, signature: 'x' }),
  redacted_thinking: (index) => ({ type: 'redacted_thinking', data: `${words}${index}` }),
  tool_use: (index) => ({ type: 'tool_use', id: `toolu_${index}`, name: `tool_${index}`, input: { place: words } }),
  'tool_use without distinct ids': () => ({ type: 'tool_use', id: 'toolu_1', name: 'tool_1', input: {} }),
  server_tool_use: (index) => ({
    type: 'server_tool_use',
    id: `s_${index}`,
    name: 'web_search',
    input: { query: words },
  }),
}
const result = (id: string, content: unknown = words): object => ({ type: 'tool_result', tool_use_id: id, content })
const question = { role: 'user', content: 'What is the weather?' }

/** The messages of a request with this many blocks of each kind. */
const anthropicMessages: Readonly<Record<string, (size: number) => object[]>> = {
  ...Object.fromEntries(
    Object.entries(anthropicBlocks).map(([name, block]) => [
      name,
      (size: number) => [{ role: 'user', content: many(size, block) }],
    ]),
  ),
  ...Object.fromEntries(
    Object.entries(saidBlocks).map(([name, block]) => [
      name,
      (size: number) => [question, { role: 'assistant', content: many(size, block) }],
    ]),
  ),
  'tool_use and tool_result': (size) => [
    question,
    { role: 'assistant', content: many(size / 2, saidBlocks['tool_use']!) },
    { role: 'user', content: many(size / 2, (index) => result(`toolu_${index}`)) },
  ],
  'tool_use and tool_result in reverse': (size) => [
    question,
    { role: 'assistant', content: many(size / 2, saidBlocks['tool_use']!) },
    { role: 'user', content: many(size / 2, (index) => result(`toolu_${Math.ceil(size / 2) - 1 - index}`)) },
  ],
  'tool_use and tool_result with one id': (size) => [
    question,
    { role: 'assistant', content: many(size / 2, () => saidBlocks['tool_use without distinct ids']!(0)) },
    { role: 'user', content: many(size / 2, () => result('toolu_1')) },
  ],
  'tool_use and tool_result in turn': (size) => [
    question,
    ...many(size / 2, (index) => [
      { role: 'assistant', content: [saidBlocks['tool_use']!(index)] },
      { role: 'user', content: [result(`toolu_${index}`)] },
    ]).flat(),
  ],
  'tool_result without a call': (size) => [{ role: 'user', content: many(size, (index) => result(`toolu_${index}`)) }],
  'text between tool_results': (size) => [
    question,
    { role: 'assistant', content: many(size / 2, saidBlocks['tool_use']!) },
    {
      role: 'user',
      content: many(size / 2, (index) => [result(`toolu_${index}`), { type: 'text', text: 'x' }]).flat(),
    },
  ],
  'text in a tool_result': (size) => [
    question,
    { role: 'assistant', content: [saidBlocks['tool_use']!(1)] },
    { role: 'user', content: [result('toolu_1', many(size, anthropicBlocks['text']!))] },
  ],
  'images in a tool_result': (size) => [
    question,
    { role: 'assistant', content: [saidBlocks['tool_use']!(1)] },
    { role: 'user', content: [result('toolu_1', many(size, anthropicBlocks['image']!))] },
  ],
}

const schemaOf = (size: number): object => ({
  type: 'object',
  properties: Object.fromEntries(many(size, (index) => [`f${index}`, { type: 'string', description: words }])),
})

function anthropic(path: string): Kind[] {
  const body = (messages: readonly object[], unique: string, more: object = {}): Sent => ({
    path,
    headers: { 'anthropic-version': '2023-06-01' },
    body: { model: 'plain', max_tokens: 10, messages: [...messages, { role: 'user', content: unique }], ...more },
  })
  const found: readonly Kind[] = [
    ...Object.entries(anthropicMessages).map(([name, messages]): Kind => ({
      name,
      request: (size, unique) => body(messages(size), unique),
    })),
    {
      name: 'blocks of system',
      request: (size, unique) => body([], unique, { system: many(size, anthropicBlocks['text']!) }),
    },
    {
      name: 'tools',
      request: (size, unique) =>
        body([], unique, { tools: many(size, (index) => ({ name: `t${index}`, input_schema: schemaOf(1) })) }),
    },
    {
      name: 'fields of a tool',
      request: (size, unique) => body([], unique, { tools: [{ name: 't', input_schema: schemaOf(size) }] }),
    },
  ]
  return found.map((kind) => ({ ...kind, name: `${path}: ${kind.name}` }))
}

// --- OpenAI's and Ollama's chats

const parts: Readonly<Record<string, (index: number) => unknown>> = {
  'text parts': (index) => ({ type: 'text', text: `${words}${index}` }),
  'texts as parts': (index) => `${words}${index}`,
  'image parts': (index) => ({ type: 'image_url', image_url: { url: `data:image/png;base64,${picture}${index}` } }),
  'image addresses': (index) => ({ type: 'image_url', image_url: { url: `https://example.com/${index}` } }),
  'audio parts': (index) => ({ type: 'input_audio', input_audio: { data: `${picture}${index}`, format: 'wav' } }),
  'file parts': (index) => ({ type: 'file', file: { file_id: `file_${index}` } }),
  'unknown parts': (index) => ({ type: 'lemon', slices: index }),
}
const openAiCall = (index: number): object => ({
  id: `call_${index}`,
  type: 'function',
  function: { name: `tool_${index}`, arguments: '{"place":"here"}' },
})
const ollamaCall = (index: number): object => ({ function: { name: `tool_${index}`, arguments: { place: words } } })
const called = (calls: readonly object[]): object => ({ role: 'assistant', content: '', tool_calls: calls })

const openAiMessages: Readonly<Record<string, (size: number) => object[]>> = {
  ...Object.fromEntries(
    Object.entries(parts).map(([name, part]) => [
      name,
      (size: number) => [{ role: 'user', content: many(size, part) }],
    ]),
  ),
  messages: (size) => many(size, (index) => ({ role: index % 2 ? 'assistant' : 'user', content: `${words}${index}` })),
  'system messages': (size) => many(size, (index) => ({ role: 'system', content: `${words}${index}` })),
  calls: (size) => [question, called(many(size, openAiCall))],
  'custom calls': (size) => [
    question,
    called(many(size, (index) => ({ id: `c${index}`, type: 'custom', custom: { name: `t${index}`, input: words } }))),
  ],
  'calls and tool messages': (size) => [
    question,
    called(many(size / 2, openAiCall)),
    ...many(size / 2, (index) => ({ role: 'tool', tool_call_id: `call_${index}`, content: words })),
  ],
  'calls and tool messages in reverse': (size) => [
    question,
    called(many(size / 2, openAiCall)),
    ...many(size / 2, (index) => ({
      role: 'tool',
      tool_call_id: `call_${Math.ceil(size / 2) - 1 - index}`,
      content: words,
    })),
  ],
  'tool messages without a call': (size) => [
    question,
    ...many(size, (index) => ({ role: 'tool', tool_call_id: `call_${index}`, content: words })),
  ],
  'calls in turn': (size) => [
    question,
    ...many(size / 2, (index) => [
      called([openAiCall(index)]),
      { role: 'tool', tool_call_id: `call_${index}`, content: words },
    ]).flat(),
  ],
  'arguments with many values': (size) => [
    question,
    called([{ ...openAiCall(1), function: { name: 'tool', arguments: JSON.stringify(many(size, () => 1)) } }]),
  ],
  'messages with other fields': (size) => [
    { role: 'user', content: 'x', ...Object.fromEntries(many(size, (index) => [`f${index}`, index])) },
  ],
  refusals: (size) => [
    question,
    { role: 'assistant', content: many(size, () => ({ type: 'refusal', refusal: 'no' })) },
  ],
}

const ollamaMessages: Readonly<Record<string, (size: number) => object[]>> = {
  images: (size) => [{ role: 'user', content: 'x', images: many(size, (index) => `${picture}${index}`) }],
  calls: (size) => [question, called(many(size, ollamaCall))],
  'calls of one name': (size) => [question, called(many(size, () => ollamaCall(1)))],
  'calls and tool messages': (size) => [
    question,
    called(many(size / 2, ollamaCall)),
    ...many(size / 2, (index) => ({ role: 'tool', tool_name: `tool_${index}`, content: words })),
  ],
  'calls and tool messages without names': (size) => [
    question,
    called(many(size / 2, ollamaCall)),
    ...many(size / 2, () => ({ role: 'tool', content: words })),
  ],
  'calls and tool messages in reverse': (size) => [
    question,
    called(many(size / 2, ollamaCall)),
    ...many(size / 2, (index) => ({
      role: 'tool',
      tool_name: `tool_${Math.ceil(size / 2) - 1 - index}`,
      content: words,
    })),
  ],
  'values in arguments': (size) => [
    question,
    called([{ function: { name: 'tool', arguments: { list: many(size, (index) => ({ [`f${index}`]: 1 })) } } }]),
  ],
  thinking: (size) =>
    many(size, (index) => ({ role: index % 2 ? 'assistant' : 'user', content: 'x', thinking: words })),
  parts: (size) => [{ role: 'user', content: many(size, parts['text parts']!) }],
}

function chats(path: string, conversations: Readonly<Record<string, (size: number) => object[]>>): Kind[] {
  const body = (messages: readonly object[], unique: string, more: object = {}): Sent => ({
    path,
    body: { model: 'plain', stream: false, messages: [...messages, { role: 'user', content: unique }], ...more },
  })
  const toolOf = (name: string, size: number): object => ({
    type: 'function',
    function: { name, description: words, parameters: schemaOf(size) },
  })
  const found: readonly Kind[] = [
    ...Object.entries(conversations).map(([name, messages]): Kind => ({
      name,
      request: (size, unique) => body(messages(size), unique),
    })),
    {
      name: 'tools',
      request: (size, unique) => body([], unique, { tools: many(size, (index) => toolOf(`t${index}`, 1)) }),
    },
    {
      name: 'fields of a tool',
      request: (size, unique) => body([], unique, { tools: [toolOf('t', size)] }),
    },
  ]
  return found.map((kind) => ({ ...kind, name: `${path}: ${kind.name}` }))
}

// --- OpenAI Responses

const itemKinds: Readonly<Record<string, (index: number) => object>> = {
  message: (index) => ({ type: 'message', role: 'user', content: `${words}${index}` }),
  'assistant message': (index) => ({ type: 'message', role: 'assistant', content: `${words}${index}` }),
  function_call: (index) => ({ type: 'function_call', call_id: `c${index}`, name: 'tool', arguments: '{"a":1}' }),
  function_call_output: (index) => ({ type: 'function_call_output', call_id: `c${index}`, output: words }),
  custom_tool_call: (index) => ({ type: 'custom_tool_call', call_id: `c${index}`, name: 'tool', input: words }),
  custom_tool_call_output: (index) => ({ type: 'custom_tool_call_output', call_id: `c${index}`, output: words }),
  reasoning: (index) => ({
    type: 'reasoning',
    id: `r${index}`,
    summary: [{ type: 'summary_text', text: words }],
    encrypted_content: words,
  }),
  web_search_call: (index) => ({ type: 'web_search_call', id: `w${index}`, status: 'completed' }),
  mcp_approval_request: (index) => ({ type: 'mcp_approval_request', id: `m${index}`, name: 'x', arguments: '{}' }),
  mcp_approval_response: (index) => ({
    type: 'mcp_approval_response',
    approval_request_id: `m${index}`,
    approve: true,
  }),
  compaction: (index) => ({ type: 'compaction', id: `k${index}`, encrypted_content: words }),
  item_reference: (index) => ({ type: 'item_reference', id: `msg_${index}` }),
  unknown: (index) => ({ type: 'lemon', slices: index }),
}
const responseParts: Readonly<Record<string, (index: number) => object>> = {
  input_text: (index) => ({ type: 'input_text', text: `${words}${index}` }),
  input_image: (index) => ({ type: 'input_image', image_url: `data:image/png;base64,${picture}${index}` }),
  input_file: (index) => ({ type: 'input_file', file_id: `f${index}` }),
}
const inputs: Readonly<Record<string, (size: number) => object[]>> = {
  ...Object.fromEntries(
    Object.entries(itemKinds).map(([name, item]) => [`items ${name}`, (size: number) => many(size, item)]),
  ),
  ...Object.fromEntries(
    Object.entries(responseParts).map(([name, part]) => [
      `parts ${name}`,
      (size: number) => [{ type: 'message', role: 'user', content: many(size, part) }],
    ]),
  ),
  'parts of an output': (size) => [
    itemKinds['function_call']!(1),
    { type: 'function_call_output', call_id: 'c1', output: many(size, responseParts['input_text']!) },
  ],
  'calls and outputs': (size) => [
    ...many(size / 2, itemKinds['function_call']!),
    ...many(size / 2, itemKinds['function_call_output']!),
  ],
  'calls and outputs in turn': (size) =>
    many(size / 2, (index) => [itemKinds['function_call']!(index), itemKinds['function_call_output']!(index)]).flat(),
}

function responses(path: string, list: string): Kind[] {
  const body = (items: readonly object[], unique: string, more: object = {}): Sent => ({
    path,
    body: {
      ...(list === 'input' && { model: 'plain' }),
      [list]: [...items, { type: 'message', role: 'user', content: unique }],
      ...more,
    },
  })
  const kinds = Object.entries(inputs).map(([name, items]): Kind => ({
    name,
    request: (size, unique) => body(items(size), unique),
  }))
  const tools: Kind[] = [
    {
      name: 'tools',
      request: (size, unique) =>
        body([], unique, {
          tools: many(size, (index) => ({ type: 'function', name: `t${index}`, parameters: schemaOf(1) })),
        }),
    },
    {
      name: 'fields of a tool',
      request: (size, unique) =>
        body([], unique, { tools: [{ type: 'function', name: 't', parameters: schemaOf(size) }] }),
    },
  ]
  return [...kinds, ...(list === 'input' ? tools : [])].map((kind) => ({ ...kind, name: `${path}: ${kind.name}` }))
}

/** Each kind of block, part, item, call and tool of each protocol. */
export const kinds: readonly Kind[] = [
  ...anthropic('/v1/messages'),
  ...anthropic('/v1/messages/count_tokens'),
  ...chats('/v1/chat/completions', openAiMessages),
  ...chats('/api/chat', ollamaMessages),
  ...responses('/v1/responses', 'input'),
  ...responses('/v1/conversations', 'items'),
]
