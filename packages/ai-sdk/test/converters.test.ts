import { convertToModelMessages, type ModelMessage, type UIMessage } from 'ai'
import { convertToLanguageModelPrompt } from 'ai/internal'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compile, defineTool, history, memoryStore, MinutebookError, openBook, type Message } from 'minutebook'
import { entryOf, tombstone } from 'minutebook/store'
import { scriptedModel, words } from '@minutebook/testing'
import {
  fromModelMessages,
  fromPrompt,
  fromUIMessages,
  toModelMessages,
  toPrompt,
  toUIMessages,
  uiMessagesOf,
} from '@minutebook/ai-sdk'
import { readMessage } from '../../core/src/log/message.ts'
import type { CallOptions } from '../src/sdk-types.ts'
import { modelMessages, prompt, tidyUIMessages, uiMessages } from './support/arbitrary.ts'

/** As a store keeps it and gives it back. */
const kept = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

describe('what goes in comes out, by way of a store', () => {
  function returns<T>(values: fc.Arbitrary<T>, there: (value: T) => unknown[], back: (kept: never) => T): void {
    const property = fc.property(values, (came) => {
      expect(back(kept(there(came)) as never)).toEqual(came)
    })
    fc.assert(property)
  }

  test('prompts', () => returns(prompt, fromPrompt, toPrompt))
  test('model messages', () => returns(modelMessages, fromModelMessages, toModelMessages))
  test('UI messages', () => returns(uiMessages, fromUIMessages, toUIMessages))
})

/** What any reader of messages sees, a line each. */
function seen(messages: readonly Message[]): string[] {
  return messages.map((message) => {
    const { kind, text, calls, images, attachments, reasoning, answers } = readMessage(message)
    const called = calls.map((call) => `→ ${call.name}#${call.id}(${JSON.stringify(call.arguments)})`)
    const files = images.length + attachments.length
    const pictures = files > 0 ? [`${files} files`] : []
    return [
      `${kind}${answers ? ` ${answers.name}#${answers.id}` : ''}:`,
      ...(reasoning ? [`(${reasoning})`] : []),
      ...(text ? [text] : []),
      ...called,
      ...pictures,
    ].join(' ')
  })
}

const png = new Uint8Array([137, 80, 78, 71])

describe('model messages', () => {
  const cases: readonly { name: string; came: ModelMessage[]; said: string[] }[] = [
    {
      name: 'texts',
      came: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello' },
      ],
      said: ['system: Be brief.', 'user: Hi', 'assistant: Hello'],
    },
    {
      name: 'several texts are one',
      came: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
      ],
      said: ['user: ab'],
    },
    {
      name: 'reasoning is reasoning, no text and no image',
      came: [
        {
          role: 'assistant',
          content: [
            { type: 'reasoning', text: 'hm' },
            { type: 'text', text: 'yes' },
            { type: 'reasoning', text: ', well' },
          ],
        },
      ],
      said: ['assistant: (hm, well) yes'],
    },
    {
      name: 'images and other files',
      came: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'look' },
            { type: 'image', image: png },
            { type: 'file', mediaType: 'application/pdf', data: new URL('https://example.com/a.pdf') },
          ],
        },
      ],
      said: ['user: look 2 files'],
    },
    {
      name: 'a document that is text is text',
      came: [
        {
          role: 'user',
          content: [
            {
              type: 'file',
              mediaType: 'text/plain',
              filename: 'a.txt',
              data: { type: 'text', text: 'once upon a time' },
            },
          ],
        },
      ],
      said: ['user: once upon a time'],
    },
    {
      name: 'calls and results',
      came: [
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Both.' },
            { type: 'tool-call', toolCallId: '1', toolName: 'now', input: {} },
            { type: 'tool-call', toolCallId: '2', toolName: 'add', input: { a: 1 } },
          ],
        },
        {
          role: 'tool',
          content: [
            { type: 'tool-result', toolCallId: '1', toolName: 'now', output: { type: 'text', value: 'noon' } },
            { type: 'tool-result', toolCallId: '2', toolName: 'add', output: { type: 'json', value: { sum: 3 } } },
          ],
        },
      ],
      said: ['assistant: Both. → now#1({}) → add#2({"a":1})', 'tool now#1: noon', 'tool add#2: {"sum":3}'],
    },
    {
      name: 'results with files, errors, and what was not allowed',
      came: [
        {
          role: 'tool',
          content: [
            {
              type: 'tool-result',
              toolCallId: '1',
              toolName: 'shot',
              output: {
                type: 'content',
                value: [
                  { type: 'text', text: 'here' },
                  { type: 'file', mediaType: 'image/png', data: { type: 'data', data: png } },
                ],
              },
            },
            {
              type: 'tool-result',
              toolCallId: '2',
              toolName: 'add',
              output: { type: 'error-json', value: { code: 7 } },
            },
            {
              type: 'tool-result',
              toolCallId: '3',
              toolName: 'rm',
              output: { type: 'execution-denied', reason: 'too risky' },
            },
            { type: 'tool-result', toolCallId: '4', toolName: 'rm', output: { type: 'execution-denied' } },
          ],
        },
      ],
      said: [
        'tool shot#1: here 1 files',
        'tool add#2: {"code":7}',
        'tool rm#3: too risky',
        'tool rm#4: Tool call execution denied.',
      ],
    },
    {
      name: 'a tool that the provider ran: call, result, and what followed',
      came: [
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Searching.' },
            { type: 'tool-call', toolCallId: '1', toolName: 'web', input: { q: 'x' }, providerExecuted: true },
            { type: 'tool-result', toolCallId: '1', toolName: 'web', output: { type: 'json', value: [] } },
            { type: 'text', text: 'Nothing.' },
          ],
        },
      ],
      said: ['assistant: Searching. → web#1({"q":"x"})', 'tool web#1: []', 'assistant: Nothing.'],
    },
    {
      name: 'a call that the provider has not answered waits for nobody else',
      came: [
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Later.' },
            { type: 'tool-call', toolCallId: '1', toolName: 'web', input: {}, providerExecuted: true },
          ],
        },
      ],
      said: ['assistant: Later.'],
    },
    {
      name: 'approvals say nothing, and are not results',
      came: [
        {
          role: 'assistant',
          content: [
            { type: 'tool-call', toolCallId: '1', toolName: 'rm', input: {} },
            { type: 'tool-approval-request', approvalId: 'a', toolCallId: '1' },
          ],
        },
        { role: 'tool', content: [{ type: 'tool-approval-response', approvalId: 'a', approved: true }] },
        {
          role: 'tool',
          content: [
            { type: 'tool-approval-response', approvalId: 'b', approved: true },
            { type: 'tool-result', toolCallId: '1', toolName: 'rm', output: { type: 'text', value: 'gone' } },
          ],
        },
      ],
      said: ['assistant: → rm#1({})', 'tool rm#1: gone'],
    },
  ]

  test.each(cases)('$name', ({ came, said }) => {
    const messages = kept(fromModelMessages(came))
    expect(seen(messages)).toEqual(said)
    expect(toModelMessages(messages)).toEqual(came)
  })

  test('plain texts are plain messages', () => {
    expect(fromModelMessages([{ role: 'user', content: 'Hi' }])).toEqual([{ role: 'user', content: 'Hi' }])
    expect(fromPrompt([{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }])).toEqual([
      { role: 'user', content: 'Hi' },
    ])
  })

  test('an image is where OpenAI has it', () => {
    const [message] = fromModelMessages([
      { role: 'user', content: [{ type: 'image', image: png, mediaType: 'image/png' }] },
    ])
    expect(message?.content).toEqual([{ type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw==' } }])
  })
})

describe('messages of other protocols', () => {
  test('become model messages, with ids where there are none', () => {
    const messages: Message[] = [
      { role: 'developer', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
          { type: 'input_audio', input_audio: { data: 'BBBB', format: 'wav' } },
        ],
      },
      { role: 'user', content: 'and', images: ['CCCC'] } as Message,
      {
        role: 'assistant',
        content: null,
        tool_calls: [
          { function: { name: 'now', arguments: {} } },
          { id: 'x', type: 'function', function: { name: 'add', arguments: '{"a":1}' } },
        ],
      },
      { role: 'tool', content: 'noon', tool_name: 'now' },
      { role: 'tool', content: '1', tool_call_id: 'x' },
    ]
    expect(toPrompt(messages)).toEqual([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'look' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
          { type: 'file', mediaType: 'audio/wav', data: { type: 'data', data: 'BBBB' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'and' },
          { type: 'file', mediaType: 'image', data: { type: 'data', data: 'CCCC' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'tool-call', toolCallId: 'call-1', toolName: 'now', input: {} },
          { type: 'tool-call', toolCallId: 'x', toolName: 'add', input: { a: 1 } },
        ],
      },
      {
        role: 'tool',
        content: [
          { type: 'tool-result', toolCallId: 'call-1', toolName: 'now', output: { type: 'text', value: 'noon' } },
          { type: 'tool-result', toolCallId: 'x', toolName: 'add', output: { type: 'text', value: '1' } },
        ],
      },
    ])
  })

  test('are answered by name, or in order, where there are no ids', () => {
    const calls = ['now', 'add', 'now'].map((name) => ({ function: { name, arguments: {} } }))
    const prompted = toPrompt([
      { role: 'assistant', content: '', tool_calls: calls },
      { role: 'tool', content: '3', tool_name: 'add' },
      { role: 'tool', content: 'noon' },
      { role: 'tool', content: 'one', tool_name: 'now' },
    ])
    expect(prompted[1]?.content).toMatchObject([
      { toolCallId: 'call-2', toolName: 'add' },
      { toolCallId: 'call-1', toolName: 'now' },
      { toolCallId: 'call-3', toolName: 'now' },
    ])
  })

  test('become UI messages: one for all that an assistant does', () => {
    const messages: Message[] = [
      { role: 'user', content: 'time?' },
      {
        role: 'assistant',
        content: 'Looking.',
        tool_calls: [{ id: '1', type: 'function', function: { name: 'now', arguments: '{}' } }],
      },
      { role: 'tool', content: 'noon', tool_call_id: '1' },
      { role: 'assistant', content: 'Noon.' },
      { role: 'user', content: 'thanks' },
    ]
    expect(toUIMessages(messages)).toEqual([
      { id: 'message-0', role: 'user', parts: [{ type: 'text', text: 'time?' }] },
      {
        id: 'message-1',
        role: 'assistant',
        parts: [
          { type: 'step-start' },
          { type: 'text', text: 'Looking.', state: 'done' },
          { type: 'tool-now', toolCallId: '1', input: {}, state: 'output-available', output: 'noon' },
          { type: 'step-start' },
          { type: 'text', text: 'Noon.', state: 'done' },
        ],
      },
      { id: 'message-4', role: 'user', parts: [{ type: 'text', text: 'thanks' }] },
    ])
  })

  test.each([
    ['a part that nobody knows', [{ type: 'smell', smell: 'rose' }]],
    ['an address that is none', [{ type: 'image_url', image_url: { url: '/local.png' } }]],
  ])('with %s are refused, and what to do is said', (_, content) => {
    expect(() => toPrompt([{ role: 'user', content }])).toThrow(MinutebookError)
  })
})

describe('UI messages', () => {
  const came: UIMessage[] = [
    {
      id: 'u1',
      role: 'user',
      parts: [
        { type: 'text', text: 'weather?' },
        { type: 'file', mediaType: 'image/png', url: 'data:image/png;base64,AAAA' },
        { type: 'data-place', data: { town: 'Ulm' } },
      ],
    },
    {
      id: 'a1',
      role: 'assistant',
      metadata: { cost: 3 },
      parts: [
        { type: 'step-start' },
        { type: 'reasoning', text: 'Ulm it is', state: 'done' },
        { type: 'text', text: 'Looking.', state: 'done' },
        {
          type: 'tool-weather',
          toolCallId: 'c1',
          state: 'output-available',
          input: { town: 'Ulm' },
          output: { rain: true },
        },
        {
          type: 'dynamic-tool',
          toolName: 'wind',
          toolCallId: 'c2',
          state: 'output-error',
          input: {},
          errorText: 'calm',
        },
        { type: 'step-start' },
        { type: 'source-url', sourceId: 's', url: 'https://example.com' },
        { type: 'text', text: 'Rain.' },
      ],
    },
  ]

  test('become a message for each step and each result, and one again', () => {
    const messages = kept(fromUIMessages(came))
    expect(seen(messages)).toEqual([
      'user: weather? 1 files',
      'assistant: (Ulm it is) Looking. → weather#c1({"town":"Ulm"}) → wind#c2({})',
      'tool weather#c1: {"rain":true}',
      'tool wind#c2: calm',
      'assistant: Rain.',
    ])
    expect(toUIMessages(messages)).toEqual(came)
  })

  test('have no calls that only the provider can answer, or that are not there yet', () => {
    const waiting: UIMessage[] = [
      {
        id: 'a',
        role: 'assistant',
        parts: [
          { type: 'tool-web', toolCallId: '1', state: 'input-available', input: {}, providerExecuted: true },
          { type: 'tool-web', toolCallId: '2', state: 'input-streaming', input: {} },
          { type: 'tool-clock', toolCallId: '3', state: 'input-available', input: {} },
        ],
      },
    ]
    expect(seen(fromUIMessages(waiting))).toEqual(['assistant: → clock#3({})'])
  })

  test('keep the addresses of their files', () => {
    const [message] = fromUIMessages([
      { id: 'u', role: 'user', parts: [{ type: 'file', mediaType: 'image/png', url: '/uploads/a.png' }] },
    ])
    expect(message?.content).toEqual([{ type: 'image_url', image_url: { url: '/uploads/a.png' } }])
  })

  test('say what they say to a model', async () => {
    await fc.assert(
      fc.asyncProperty(tidyUIMessages, async (messages) => {
        const model = await convertToModelMessages(messages)
        const prompted = await convertToLanguageModelPrompt({
          prompt: { messages: model, instructions: undefined } as never,
          supportedUrls: { '*': [/.*/] },
          download: undefined,
        })
        const own = fromUIMessages(messages)
        expect(seen(fromModelMessages(model))).toEqual(seen(own))
        // A provider is never given an empty text.
        expect(seen(fromPrompt(prompted))).toEqual(seen(own))
      }),
    )
  })

  test('of a thread show what people may see', () => {
    const asked = entryOf({ role: 'user', content: 'hi' }, entryOf({ role: 'system', content: 'Be kind.' }))
    const answered = entryOf({ role: 'assistant', content: 'hello\n[NOTE TO SELF: canary]' }, asked)
    const note = entryOf({ role: 'system', content: 'canary' }, answered, { kind: 'note' })
    const erased = tombstone(entryOf({ role: 'user', content: 'secret' }, note))
    const log = [entryOf({ role: 'system', content: 'Be kind.' }), asked, answered, note, erased]
    expect(uiMessagesOf(history(log))).toEqual([
      { id: asked.id, role: 'user', parts: [{ type: 'text', text: 'hi' }] },
      {
        id: `${asked.id}-answer`,
        role: 'assistant',
        parts: [{ type: 'step-start' }, { type: 'text', text: 'hello', state: 'done' }],
      },
    ])
  })
})

describe('the results of tools of a book', () => {
  const values = [{ sent: 'ann' }, [1, { a: null }], 42, true, false, null]
  const texts = ['', 'done', '"quoted"', '{ "sent": "ann" }', '12345678901234567890', '{"$date":"2027-01-01"}']
  const shownAs = async (value: unknown): Promise<unknown> => {
    const store = memoryStore()
    const tool = defineTool({ name: 'mail', parameters: { type: 'object' }, run: () => value })
    const model = scriptedModel([{ calls: [{ name: 'mail' }] }, 'Sent.'])
    await openBook({ store, model, window: 4096, tools: [tool] })
      .thread('t')
      .send('Write to Ann.').done
    const entries = history(await store.read('t'))
    const messages = uiMessagesOf(entries)
    // A client that sends them back says what was recorded.
    expect(fromUIMessages(messages).find(({ role }) => role === 'tool')?.content).toBe(
      entries.find(({ kind }) => kind === 'tool')?.text,
    )
    const part = messages[1]?.parts.find(({ type }) => type === 'tool-mail') as Record<string, unknown> | undefined
    expect(part?.['state']).toBe('output-available')
    return part?.['output']
  }

  test.each([...values, ...texts].map((value) => ({ value, name: JSON.stringify(value) })))(
    '$name is shown as it was returned',
    async ({ value }) => expect(await shownAs(value)).toEqual(value),
  )

  test('of a call that failed is an error', async () => {
    const tool = defineTool({
      name: 'mail',
      run: () => {
        throw new Error('no such address')
      },
    })
    const model = scriptedModel([{ calls: [{ name: 'mail', id: 'c1' }] }, 'It failed.'])
    const thread = openBook({ store: memoryStore(), model, window: 4096, tools: [tool] }).thread('t')
    await thread.ask('Write to Ann.')
    const messages = uiMessagesOf(await thread.entries())
    const errorText = '(failed: no such address)'
    expect(messages[1]?.parts[1]).toEqual({
      type: 'tool-mail',
      toolCallId: 'c1',
      input: {},
      state: 'output-error',
      errorText,
    })
    expect(fromUIMessages(messages).find(({ role }) => role === 'tool')?.content).toBe(errorText)
  })

  test('a text that the AI SDK recorded as a text is not read', () => {
    const output = { type: 'text' as const, value: '{"sent":"ann"}' }
    const recorded = fromModelMessages([
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: '1', toolName: 'mail', output }] },
    ])
    expect(toUIMessages(recorded)[0]?.parts).toMatchObject([{ output: output.value }])
  })
})

describe('a message that was compiled', () => {
  const long = (word: string): string => Array.from({ length: 200 }, () => word).join(' ')
  const signed = { google: { thoughtSignature: 'sig' }, openai: { itemId: 'item_1' } }
  const turn: CallOptions['prompt'] = [
    { role: 'user', content: [{ type: 'text', text: 'go' }] },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: long('hm'), providerOptions: { anthropic: { signature: 's' } } },
        { type: 'tool-call', toolCallId: '1', toolName: 'read', input: { file: 'a' }, providerOptions: signed },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: '1',
          toolName: 'read',
          output: { type: 'json', value: { rows: long('row') } },
          providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
        },
      ],
    },
  ]

  test('goes without its reasoning, and without ids that would ask for it, but with its signatures', () => {
    const [, answer] = fromPrompt(turn)
    const { thinking: _, ...bare } = answer!
    expect(toPrompt([bare])).toEqual([
      {
        role: 'assistant',
        content: [
          {
            type: 'tool-call',
            toolCallId: '1',
            toolName: 'read',
            input: { file: 'a' },
            providerOptions: { google: { thoughtSignature: 'sig' }, openai: {} },
          },
        ],
      },
    ])
  })

  test('with a file of another protocol holds it as each version of the AI SDK takes it', () => {
    const urls = ['data:image/png;base64,AAAA', 'https://example.com/lamp']
    const messages = urls.map((url) => ({ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }))
    const parts = (made: readonly { readonly content: unknown }[]): unknown => made.flatMap(({ content }) => content)
    const bare = [
      { type: 'file', mediaType: 'image/png', data: 'AAAA' },
      { type: 'file', mediaType: 'image/*', data: new URL('https://example.com/lamp') },
    ]
    expect(parts(toModelMessages(messages))).toEqual(bare)
    expect(parts(toPrompt(messages, { specification: 'v3' }))).toEqual(bare)
    expect(parts(toPrompt(messages))).toEqual([
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
      { type: 'file', mediaType: 'image', data: { type: 'url', url: new URL('https://example.com/lamp') } },
    ])
  })

  test('with a file of another protocol in a result holds it as each version takes it', () => {
    const url = 'data:image/png;base64,AAAA'
    const call = { id: 'c1', type: 'function', function: { name: 'look', arguments: '{}' } }
    const messages = [
      { role: 'assistant', content: '', tool_calls: [call] },
      {
        role: 'tool',
        tool_call_id: 'c1',
        content: [
          { type: 'text', text: 'Here.' },
          { type: 'image_url', image_url: { url } },
          { type: 'image_url', image_url: { url: 'https://example.com/lamp' } },
          { type: 'file', file: { file_data: 'data:application/pdf;base64,BBBB', filename: 'a.pdf' } },
        ],
      },
    ]
    const output = (prompt: CallOptions['prompt']): unknown => {
      const [part] = prompt[1]?.content ?? []
      return typeof part === 'object' && part.type === 'tool-result' ? (part.output as { value?: unknown }).value : part
    }
    expect(output(toPrompt(messages, { specification: 'v3' }))).toEqual([
      { type: 'text', text: 'Here.' },
      { type: 'image-data', mediaType: 'image/png', data: 'AAAA' },
      { type: 'image-url', url: 'https://example.com/lamp' },
      { type: 'file-data', mediaType: 'application/pdf', data: 'BBBB', filename: 'a.pdf' },
    ])
    expect(output(toPrompt(messages))).toMatchObject([
      { type: 'text' },
      { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'AAAA' } },
      { type: 'file', data: { type: 'url' } },
      { type: 'file', filename: 'a.pdf' },
    ])
  })

  test('that was joined with another does not give its fields to the other', () => {
    const picture = (data: string, mediaType: string): CallOptions['prompt'][number] => ({
      role: 'user',
      content: [{ type: 'file', mediaType, data: { type: 'data', data } }],
    })
    const { messages } = compile(fromPrompt([picture('AAAA', 'image/png'), picture('BBBB', 'image/webp')]), {
      window: 4000,
      profile: { mustAlternate: true },
    })
    expect(toPrompt(messages)).toMatchObject([
      {
        role: 'user',
        content: [
          { mediaType: 'image/png', data: { data: 'AAAA' } },
          { mediaType: 'image/webp', data: { data: 'BBBB' } },
        ],
      },
    ])
  })

  test('is clipped where it was too long, and keeps the rest', () => {
    const { messages, plan } = compile(fromPrompt(turn), { window: 320, counter: words })
    expect(plan.spans.some(({ verdict }) => verdict === 'clipped')).toBe(true)
    const result = toPrompt(messages).at(-1)
    expect(result).toMatchObject({
      role: 'tool',
      content: [
        {
          toolCallId: '1',
          toolName: 'read',
          output: { type: 'text' },
          providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } },
        },
      ],
    })
    expect(JSON.stringify(result)).toContain('tokens left out')
  })
})
