import assert from 'node:assert/strict'
import { fromModelMessages, fromUIMessages, minutebookMiddleware, recordTo } from '@minutebook/ai-sdk'
import { sdkModel, toModelMessages, toUIMessages, uiMessagesOf, uiMessageStream } from '@minutebook/ai-sdk'
import {
  generateText,
  jsonSchema,
  readUIMessageStream,
  simulateReadableStream,
  streamText,
  tool,
  wrapLanguageModel,
} from 'ai'
import type { ModelMessage, UIMessage } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { history, memoryStore, openBook } from 'minutebook'

type Generated = Awaited<ReturnType<MockLanguageModelV3['doGenerate']>>
type Streamed =
  Awaited<ReturnType<MockLanguageModelV3['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never

const usage: Generated['usage'] = {
  inputTokens: { total: 9, noCache: 9, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 2, text: 2, reasoning: 0 },
}
const stop: Generated['finishReason'] = { unified: 'stop', raw: 'stop' }
const calls: Generated['finishReason'] = { unified: 'tool-calls', raw: 'tool_calls' }
const now = tool({
  description: 'The time',
  inputSchema: jsonSchema<object>({ type: 'object', properties: {} }),
  execute: async () => 'noon',
})
const picture = new Uint8Array([137, 80, 78, 71, 13, 10, 26, 10])
const said = (text: string): Streamed => ({ type: 'text-delta', id: '0', delta: text })

// An answer streams, in a window that is too small for the whole conversation, and a note is kept out of it.
const store = memoryStore()
const long: ModelMessage[] = Array.from({ length: 40 }, (_, index): ModelMessage[] => [
  { role: 'user', content: `Question ${index}: ${'word '.repeat(30)}` },
  { role: 'assistant', content: [{ type: 'text', text: `Answer ${index}` }] },
]).flat()
const asked: ModelMessage = {
  role: 'user',
  content: [
    { type: 'text', text: 'What is this?' },
    { type: 'file', mediaType: 'image/png', data: picture },
  ],
}
const talker = mock([
  { type: 'stream-start', warnings: [] },
  { type: 'text-start', id: '0' },
  ...['Good ', 'day.', '\n[NOTE TO SELF: polite]'].map(said),
  { type: 'text-end', id: '0' },
  { type: 'finish', finishReason: stop, usage },
])
const streaming = streamText({ model: wrapped(talker), messages: [...long, asked] })
let text = ''
for await (const piece of streaming.textStream) text += piece
assert.equal(text, 'Good day.')
const [sent] = talker.doStreamCalls
assert.ok(sent && sent.prompt.length < long.length, 'the prompt was not fitted')
const last = sent.prompt.at(-1)
assert.ok(last?.role === 'user')
assert.deepEqual(
  last.content.map((part) => (part.type === 'file' ? bytesOf(part.data) : part.text)),
  ['What is this?', picture],
)
const recorded = history(await store.read('demo'))
assert.deepEqual(
  recorded.slice(-2).map(({ kind, text }) => [kind, text]),
  [
    ['assistant', 'Good day.'],
    ['note', 'polite'],
  ],
)
assert.equal(uiMessagesOf(recorded).at(-1)?.role, 'assistant')

// A tool call arrives.
const caller = new MockLanguageModelV3({
  doGenerate: async () => ({
    content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'now', input: '{}' }],
    finishReason: calls,
    usage,
    warnings: [],
  }),
})
const { toolCalls } = await generateText({ model: wrapped(caller, 'calls'), prompt: 'When?', tools: { now } })
assert.deepEqual(
  toolCalls.map(({ toolName }) => toolName),
  ['now'],
)
assert.deepEqual(
  history(await store.read('calls'))
    .at(-1)
    ?.calls.map(({ name }) => name),
  ['now'],
)

// An abort ends an answer that would never end, and what was said is recorded.
const endless = new MockLanguageModelV3({
  doStream: async ({ abortSignal }) => ({
    stream: new ReadableStream<Streamed>({
      start(controller) {
        // As with a provider's request, the signal breaks the stream.
        abortSignal?.addEventListener('abort', () => controller.error(abortSignal.reason))
        controller.enqueue({ type: 'stream-start', warnings: [] })
        controller.enqueue({ type: 'text-start', id: '0' })
        controller.enqueue(said('Good'))
      },
    }),
  }),
})
const abort = new AbortController()
const cut = streamText({
  model: wrapped(endless, 'cut'),
  prompt: 'Hello',
  abortSignal: abort.signal,
  onError: () => {},
})
for await (const part of cut.fullStream) if (part.type === 'text-delta') abort.abort()
const [, partial] = history(await store.read('cut'))
assert.deepEqual([partial?.text, partial?.status], ['Good', 'cancelled'])

// What goes into the converters comes out.
assert.deepEqual(toModelMessages(fromModelMessages([...long, asked])), [...long, asked])
const shown: UIMessage[] = [
  { id: 'u1', role: 'user', parts: [{ type: 'text', text: 'Hello' }] },
  { id: 'a1', role: 'assistant', parts: [{ type: 'step-start' }, { type: 'text', text: 'Good day.', state: 'done' }] },
]
assert.deepEqual(toUIMessages(fromUIMessages(shown)), shown)

// A picture of another protocol reaches the model.
const url = `data:image/png;base64,${Buffer.from(picture).toString('base64')}`
const foreign = toModelMessages([{ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }])
const viewer = new MockLanguageModelV3({
  doGenerate: async () => ({
    content: [{ type: 'text', text: 'A picture.' }],
    finishReason: stop,
    usage,
    warnings: [],
  }),
})
await generateText({ model: wrapped(viewer, 'view'), messages: foreign })
const [seen] = viewer.doGenerateCalls[0]?.prompt.at(-1)?.content ?? []
assert.ok(typeof seen === 'object' && seen.type === 'file')
assert.deepEqual(bytesOf(seen.data), picture)

// A file in a result of another protocol has the form that this version takes.
const call = { id: 'c1', type: 'function', function: { name: 'now', arguments: '{}' } }
const shownFile = toModelMessages([
  { role: 'user', content: 'Look' },
  { role: 'assistant', content: '', tool_calls: [call] },
  { role: 'tool', tool_call_id: 'c1', content: [{ type: 'image_url', image_url: { url } }] },
])
await generateText({ model: wrapped(viewer, 'file'), messages: shownFile, tools: { now } })

// A model of the SDK answers a thread of a book, and the stream of its turn is what the record says.
const speaker = mock([
  { type: 'stream-start', warnings: [] },
  { type: 'text-start', id: '0' },
  ...['Good ', 'day.'].map(said),
  { type: 'text-end', id: '0' },
  { type: 'finish', finishReason: stop, usage },
])
const thread = openBook({ store: memoryStore(), model: sdkModel(speaker), window: 4096 }).thread('t')
let page: UIMessage | undefined
const stream = uiMessageStream(thread.send({ role: 'user', content: [{ type: 'image_url', image_url: { url } }] }))
for await (const message of readUIMessageStream({ stream })) page = message
assert.deepEqual(plain(page), plain(uiMessagesOf(await thread.entries())[1]))
const [shownImage] = speaker.doStreamCalls[0]?.prompt.at(-1)?.content ?? []
assert.ok(typeof shownImage === 'object' && shownImage.type === 'file')
assert.deepEqual(bytesOf(shownImage.data), picture)

function plain(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value))
}

/** The bytes of a file in a prompt. The first versions of 7 tag them, also for a model of the specification before. */
function bytesOf(data: unknown): unknown {
  if (typeof data === 'string') return new Uint8Array(Buffer.from(data, 'base64'))
  return typeof data === 'object' && data !== null && 'data' in data ? bytesOf(data.data) : data
}

function wrapped(model: MockLanguageModelV3, thread = 'demo'): ReturnType<typeof wrapLanguageModel> {
  const middleware = minutebookMiddleware({ window: 1200, notes: true, record: recordTo(store, thread) })
  return wrapLanguageModel({ model, middleware })
}

function mock(chunks: Streamed[]): MockLanguageModelV3 {
  const pauses = { initialDelayInMs: null, chunkDelayInMs: null }
  return new MockLanguageModelV3({ doStream: async () => ({ stream: simulateReadableStream({ chunks, ...pauses }) }) })
}
