/** A message as any client could send it, right or wrong: probes break rules on purpose. */
export interface ProbeMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  readonly content?: string | null
  readonly tool_calls?: readonly object[]
  readonly tool_call_id?: string
}

export interface Probe {
  readonly name: string
  readonly messages: readonly ProbeMessage[]
}

export type ProbeOutcome = 'kept' | 'moved' | 'lost' | 'refused'

/** The definition of the tool that the probes call, for templates that grow stricter with tools. */
export const probeTools: readonly object[] = [
  {
    type: 'function',
    function: {
      name: 'search',
      description: 'Searches the archive.',
      parameters: {
        type: 'object',
        properties: { about: { type: 'string', description: 'What to look for.' } },
        required: ['about'],
      },
    },
  },
]

/** Renders a probe and looks for its words. 'moved': all are there, in another order. */
export function outcomeOf({ messages }: Probe, render: (messages: readonly object[]) => string): ProbeOutcome {
  let text: string
  try {
    text = render(messages)
  } catch {
    return 'refused'
  }
  const words = JSON.stringify(messages).match(/qz\w+/g) ?? []
  if (!words.every((word) => text.includes(word))) return 'lost'
  return standInOrder(text, messages) ? 'kept' : 'moved'
}

function standInOrder(text: string, messages: readonly ProbeMessage[]): boolean {
  let from = 0
  return messages.every(({ content }) => {
    from = text.indexOf(content ?? '', from)
    return from !== -1
  })
}

const system = (word: string): ProbeMessage => ({ role: 'system', content: `qzsystem${word}` })
const user = (word: string): ProbeMessage => ({ role: 'user', content: `qzuser${word}` })
const assistant = (word: string): ProbeMessage => ({ role: 'assistant', content: `qzassistant${word}` })
const call = (id: string | undefined, form: unknown): object => ({
  ...(id !== undefined && { id }),
  type: 'function',
  function: { name: 'qzname', arguments: form },
})
const values = { about: 'qzargument' }
const calls = (...tool_calls: object[]): ProbeMessage => ({ role: 'assistant', content: '', tool_calls })
const result = (id: string): ProbeMessage => ({ role: 'tool', content: `qzresult${id}`, tool_call_id: id })

const one = calls(call('nineabcd1', values))
const oneResult = result('nineabcd1')
const ending = [assistant('answer'), user('again')]
const longId = 'call_0123456789abcdef'

const entries: Readonly<Record<string, readonly ProbeMessage[]>> = {
  'plain chat': [user('ask'), ...ending],
  'system first': [system('head'), user('ask'), ...ending],
  'two systems': [system('head'), system('second'), user('ask')],
  'system later': [system('head'), user('ask'), assistant('answer'), system('later'), user('again')],
  'system last': [system('head'), user('ask'), ...ending, system('later')],
  'user, user': [user('one'), user('two'), ...ending],
  'assistant first': [assistant('greeting'), user('ask')],
  'assistant, assistant': [user('ask'), assistant('one'), assistant('two'), user('again')],
  'assistant last': [user('ask'), assistant('answer')],
  'no user': [system('head'), assistant('answer')],
  'empty assistant': [user('ask'), { role: 'assistant', content: '' }, user('again')],
  'call, object': [user('ask'), one, oneResult, ...ending],
  'call, string': [user('ask'), calls(call('nineabcd1', JSON.stringify(values))), oneResult, ...ending],
  'ends in result': [system('head'), user('ask'), one, oneResult],
  'result, user': [user('ask'), one, oneResult, user('again')],
  'result, system': [system('head'), user('ask'), one, oneResult, system('later'), ...ending],
  'call first': [system('head'), one, oneResult, ...ending],
  'call, null content': [user('ask'), { ...one, content: null }, oneResult, ...ending],
  'call, no content': [
    user('ask'),
    { role: 'assistant', tool_calls: [call('nineabcd1', values)] },
    oneResult,
    ...ending,
  ],
  'call with text': [user('ask'), { ...one, content: 'qzbeside' }, oneResult, ...ending],
  'text, then call': [user('ask'), assistant('before'), one, oneResult, ...ending],
  'parallel calls': [
    user('ask'),
    calls(call('nineabcd1', values), {
      ...call('nineabcd2', values),
      function: { name: 'qzother', arguments: values },
    }),
    oneResult,
    result('nineabcd2'),
    ...ending,
  ],
  'two rounds': [user('ask'), one, oneResult, calls(call('nineabcd2', values)), result('nineabcd2'), ...ending],
  'long id': [user('ask'), calls(call(longId, values)), result(longId), ...ending],
  'repeated id': [user('ask'), one, oneResult, ...ending, one, { ...oneResult, content: 'qzresultlater' }],
  'no id': [user('ask'), calls(call(undefined, values)), { role: 'tool', content: 'qzresult' }, ...ending],
  'result without call': [user('ask'), oneResult, ...ending],
  'call without result': [user('ask'), one, user('again')],
  'empty list of calls': [user('ask'), { ...assistant('answer'), tool_calls: [] }, user('again')],
  'thinking in text': [user('ask'), { role: 'assistant', content: '<think>qzthought</think>qzanswer' }, user('again')],
}

export const probes: readonly Probe[] = Object.entries(entries).map(([name, messages]) => ({ name, messages }))
