import type { ModelMessage, UIMessage } from 'ai'
import fc from 'fast-check'
import type { CallOptions } from '../../src/sdk-types.ts'

type Prompt = CallOptions['prompt']

const text = fc.oneof(
  { weight: 8, arbitrary: fc.string({ maxLength: 12 }) },
  { weight: 1, arbitrary: fc.constantFrom('', '\ud800', '[NOTE TO SELF: x]', '{"a":1}', '中文') },
)
const id = fc.constantFrom('c1', 'c2', 'c3', 'c4')
const name = fc.constantFrom('lookup', 'set_lamp', 'tool-x', '__proto__')
/** What JSON can hold; -0 is not among it. */
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as unknown)
const options = fc.constantFrom(
  {},
  { providerOptions: { openai: { itemId: 'item_1' } } },
  { providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } },
)
const metadata = fc.constantFrom({}, { providerMetadata: { google: { thoughtSignature: 'sig' } } })
const bytes = fc.uint8Array({ maxLength: 6 })
const base64 = bytes.map((found) => Buffer.from(found).toString('base64'))
const mediaType = fc.constantFrom('image/png', 'image', 'application/pdf', 'audio/wav', 'text/plain')
const address = fc.constantFrom(
  'https://example.com/a.png',
  'https://example.com/b.pdf?x=1#y',
  'data:image/png;base64,AAAA',
)
const optional = (key: string, value: fc.Arbitrary<unknown>): fc.Arbitrary<object> =>
  fc.option(value, { nil: undefined }).map((found) => (found === undefined ? {} : { [key]: found }))

/** One object with the fields of all. */
function all(...parts: readonly (fc.Arbitrary<object> | object)[]): fc.Arbitrary<object> {
  return fc
    .tuple(...parts.map((part) => (part instanceof fc.Arbitrary ? part : fc.constant(part))))
    .map((found) => Object.assign({}, ...found) as object)
}

const textPart = all({ type: 'text' }, fc.record({ text }), options)
const reasoningPart = all({ type: 'reasoning' }, fc.record({ text }), options)
const customPart = all({ type: 'custom', kind: 'openai.compaction' }, options)
const taggedData = fc.oneof(
  fc.oneof(bytes, base64).map((data) => ({ type: 'data', data })),
  address.map((url) => ({ type: 'url', url: new URL(url) })),
  fc.constant({ type: 'url', url: new URL('gs://bucket/File.png'), originalUrl: 'gs://Bucket/File.png' }),
  fc.constant({ type: 'reference', reference: { openai: 'file-1' } }),
  text.map((found) => ({ type: 'text', text: found })),
)
const filePart = all(
  { type: 'file' },
  fc.record({ mediaType, data: taggedData }),
  optional('filename', fc.constant('a.bin')),
  options,
)
const looseData = fc.oneof(
  bytes,
  bytes.map((found) => new Uint8Array(found).buffer),
  base64,
  address,
  address.map((url) => new URL(url)),
  fc.constant({ openai: 'file-1' }),
)
const looseFilePart = all({ type: 'file' }, fc.record({ mediaType, data: looseData }), options)
const imagePart = all(
  { type: 'image' },
  fc.record({ image: looseData }),
  optional('mediaType', fc.constant('image/jpeg')),
  options,
)
const reasoningFilePart = all(
  { type: 'reasoning-file', mediaType: 'image/png' },
  fc.record({ data: fc.oneof(bytes, base64).map((data) => ({ type: 'data', data })) }),
  options,
)
const callPart = all(
  { type: 'tool-call' },
  fc.record({ toolCallId: id, toolName: name, input: json }),
  optional('providerExecuted', fc.boolean()),
  options,
)
const output = fc.oneof(
  text.map((value) => ({ type: 'text', value })),
  json.map((value) => ({ type: 'json', value })),
  text.map((value) => ({ type: 'error-text', value })),
  json.map((value) => ({ type: 'error-json', value })),
  optional('reason', text).map((reason) => ({ type: 'execution-denied', ...reason })),
  all(
    { type: 'content' },
    fc.record({ value: fc.array(fc.oneof(textPart, filePart, all({ type: 'custom' }, options)), { maxLength: 3 }) }),
    options,
  ),
)
const legacyOutput = fc
  .array(
    fc.oneof(
      all({ type: 'image-data', mediaType: 'image/png' }, fc.record({ data: base64 })),
      all({ type: 'file-data', mediaType: 'application/pdf', filename: 'a.pdf' }, fc.record({ data: base64 })),
      fc.constantFrom<object>(
        { type: 'image-url', url: 'https://example.com/a.png' },
        { type: 'file-url', url: '/relative' },
        { type: 'file-id', fileId: 'f1' },
        { type: 'image-file-reference', providerReference: { openai: 'f' } },
      ),
    ),
    { maxLength: 2 },
  )
  .map((value) => ({ type: 'content', value }))
const resultPart = (of: fc.Arbitrary<object>): fc.Arbitrary<object> =>
  all({ type: 'tool-result' }, fc.record({ toolCallId: id, toolName: name, output: of }), options)
const approvalResponse = all(
  { type: 'tool-approval-response', approvalId: 'a1' },
  fc.record({ approved: fc.boolean() }),
  optional('reason', text),
)
const approvalRequest = fc.constant({
  type: 'tool-approval-request',
  approvalId: 'a1',
  toolCallId: 'c1',
  isAutomatic: false,
})

const few = <T>(...of: readonly fc.Arbitrary<T>[]): fc.Arbitrary<T[]> => fc.array(fc.oneof(...of), { maxLength: 5 })
const message = (role: string, content: fc.Arbitrary<unknown>): fc.Arbitrary<object> =>
  all({ role }, fc.record({ content }), options)

/** Prompts as providers get them, whether or not they make sense. */
export const prompt: fc.Arbitrary<Prompt> = fc
  .array(
    fc.oneof(
      message('system', text),
      message('user', few(textPart, filePart)),
      message(
        'assistant',
        few(textPart, reasoningPart, callPart, resultPart(output), filePart, customPart, reasoningFilePart),
      ),
      message('tool', few(resultPart(output), approvalResponse)),
    ),
    { maxLength: 6 },
  )
  .map((messages) => messages as Prompt)

/** Model messages as people write them. */
export const modelMessages: fc.Arbitrary<ModelMessage[]> = fc
  .array(
    fc.oneof(
      message('system', text),
      message('user', fc.oneof(text, few(textPart, filePart, looseFilePart, imagePart))),
      message(
        'assistant',
        fc.oneof(
          text,
          few(textPart, reasoningPart, callPart, resultPart(output), looseFilePart, customPart, approvalRequest),
        ),
      ),
      message('tool', few(resultPart(output), resultPart(legacyOutput), approvalResponse)),
    ),
    { maxLength: 6 },
  )
  .map((messages) => messages as ModelMessage[])

const uiText = all({ type: 'text' }, fc.record({ text }), optional('state', fc.constant('done')), metadata)
const uiReasoning = all({ type: 'reasoning' }, fc.record({ text }), metadata)
const uiFile = all(
  { type: 'file' },
  fc.record({ mediaType, url: fc.oneof(address, fc.constant('/uploads/a.png')) }),
  optional('filename', text),
  metadata,
)
const uiOther = fc.constantFrom<object>(
  { type: 'source-url', sourceId: 's1', url: 'https://example.com' },
  { type: 'source-document', sourceId: 's2', mediaType: 'application/pdf', title: 't' },
  { type: 'data-weather', id: 'd1', data: { when: new Date(0), wet: true } },
  { type: 'custom', kind: 'openai.compaction' },
)
const stepStart = fc.constant({ type: 'step-start' })
const approval = (approved: boolean): object => ({
  approval: { id: 'a1', approved, ...(approved ? {} : { reason: 'no' }) },
})
const state = fc.oneof(
  all({ state: 'input-streaming' }, optional('input', json)),
  all({ state: 'input-available' }, fc.record({ input: json })),
  all({ state: 'approval-requested', approval: { id: 'a1' } }, fc.record({ input: json })),
  all({ state: 'approval-responded', ...approval(true) }, fc.record({ input: json })),
  all(
    { state: 'output-available' },
    fc.record({ input: json, output: fc.oneof(json, text, fc.constant(new Date(5))) }),
    optional('preliminary', fc.boolean()),
  ),
  all({ state: 'output-error' }, fc.record({ input: json, errorText: text }), optional('rawInput', text)),
  all({ state: 'output-denied', ...approval(false) }, fc.record({ input: json })),
)
let made = 0
/** Calls of one UI message have ids of their own. */
const toolPart = all(
  fc.oneof(
    name.map((called) => ({ type: `tool-${called}` })),
    name.map((toolName) => ({ type: 'dynamic-tool', toolName })),
  ),
  state,
  optional('title', text),
  optional('providerExecuted', fc.boolean()),
).map((part) => ({ ...part, toolCallId: `call_${++made}` }))
const steering = all({ type: 'steering-message', id: 'x' }, fc.record({ parts: few(uiText, uiFile) }))

const uiMessage = (role: string, parts: fc.Arbitrary<unknown[]>): fc.Arbitrary<object> =>
  all({ role }, fc.record({ id: fc.uuid(), parts }), optional('metadata', json))

export const uiMessages: fc.Arbitrary<UIMessage[]> = fc
  .array(
    fc.oneof(
      uiMessage('system', few(uiText)),
      uiMessage('user', few(uiText, uiFile, uiOther)),
      uiMessage(
        'assistant',
        fc.array(fc.oneof(stepStart, uiText, uiReasoning, uiFile, uiOther, toolPart, toolPart, steering), {
          maxLength: 8,
        }),
      ),
    ),
    { maxLength: 4 },
  )
  .map((messages) => messages as UIMessage[])

const said = fc.constantFrom('yes', 'no', 'a b', '{"a":1}')
const done = fc.oneof(
  all(
    { state: 'output-available' },
    fc.record({
      input: fc.constantFrom({}, { a: 1 }),
      output: fc.oneof(said, fc.constantFrom<unknown>({ b: 2 }, [1], 5)),
    }),
  ),
  all({ state: 'output-error' }, fc.record({ input: fc.constant({}), errorText: said })),
)
const doneTool = all(
  fc.oneof(fc.constant({ type: 'tool-lookup' }), fc.constant({ type: 'dynamic-tool', toolName: 'search' })),
  done,
).map((part) => ({ ...part, toolCallId: `call_${++made}` }))
const tidyText = all({ type: 'text' }, fc.record({ text: said }))
const tidyFile = fc.constant({ type: 'file', mediaType: 'image/png', url: 'https://example.com/a.png' })
/** A step as models make it: text and reasoning, then calls, all of them answered. */
const tidyStep = fc
  .tuple(
    fc.array(fc.oneof(tidyText, all({ type: 'reasoning' }, fc.record({ text: said }))), { minLength: 1, maxLength: 3 }),
    fc.array(doneTool, { maxLength: 2 }),
  )
  .map(([before, tools]) => [{ type: 'step-start' }, ...before, ...tools])

/** UI messages of conversations that went well. */
export const tidyUIMessages: fc.Arbitrary<UIMessage[]> = fc
  .array(
    fc.tuple(
      uiMessage(
        'user',
        fc.tuple(tidyText, tidyFile).map(([one, two]) => [one, two]),
      ),
      uiMessage(
        'assistant',
        fc.array(tidyStep, { minLength: 1, maxLength: 3 }).map((steps) => steps.flat()),
      ),
    ),
    { maxLength: 3 },
  )
  .map((turns) => turns.flat() as UIMessage[])
