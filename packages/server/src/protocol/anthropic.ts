import type { Finish, Message } from 'minutebook'
import { canonicalJson } from 'minutebook/store'
import { anthropicBody, anthropicReply, fromAnthropic, toAnthropic } from 'minutebook/wire'
import { asObject, isGiven, parseObject, type Fields } from '../http/json.ts'
import type { Refusal } from '../http/reply.ts'
import { isDisguised } from './json-members.ts'
import { countIn, type Protocol, type Recorded } from './protocol.ts'

/**
 * Anthropic's `/v1/messages`: it streams if the request asks for it. The text of `system` is part of the conversation,
 * but stays in its own field: what Minutebook adds to a prompt is in the messages.
 */
export const anthropic: Protocol = {
  name: 'anthropic',
  path: '/v1/messages',
  framing: 'events',
  endsWithDone: false,
  streamType: 'text/event-stream',
  takesNoMessages: false,
  keepsShape: false,
  counts: 'whole',
  // A note would have to be cut out of blocks that a client has begun to read.
  takesNotes: false,
  read: ({ system }, list) => {
    const isClear = ![...blocksIn(system), ...list].some(isAmbiguous)
    const messages = isClear ? fromAnthropic({ system, messages: list }) : undefined
    if (!messages) return undefined
    const breakpoints = list.flatMap(markedBlocksIn).slice(-mostBreakpoints).map(breakpointOf)
    return { messages, rewritten: (others) => rewritten(others, { hasSystem: isGiven(system), breakpoints }) }
  },
  ask: ({ stream, max_tokens: output }) => ({ streams: stream === true, output: countIn(output), withUsage: true }),
  reply: () => anthropicReply(),
  isEnding: ({ type, delta, stop_reason: reason }) =>
    typeof (type === 'message' ? reason : asObject(delta)['stop_reason']) === 'string',
  unserved: (status, body) => (isUnserved(status) && !isOwnRefusal(body.toString()) ? messagesUnserved : undefined),
  reworded: () => undefined,
  whole: (answer) => ({
    ...head(answer),
    content: blocksOf(answer),
    ...ending(answer.finish),
    usage: usageOf(answer),
  }),
  chunks: (answer) => [
    event({
      type: 'message_start',
      message: {
        ...head(answer),
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...usageOf(answer), output_tokens: 0 },
      },
    }),
    ...blocksOf(answer).flatMap((block, index) => [
      event({ type: 'content_block_start', index, content_block: begun(block) }),
      ...deltasOf(block).map((delta) => event({ type: 'content_block_delta', index, delta })),
      event({ type: 'content_block_stop', index }),
    ]),
    event({
      type: 'message_delta',
      delta: ending(answer.finish),
      usage: { output_tokens: answer.usage?.completion ?? 0 },
    }),
    event({ type: 'message_stop' }),
  ],
}

/** Whether a server says by this status that it does not serve a path, or that it lacks what is asked for there. */
export function isUnserved(status: number): boolean {
  return status === 404 || status === 405 || status === 501
}

/** Whether a server that knows the path wrote this: in Anthropic's form, or about a model. */
function isOwnRefusal(body: string): boolean {
  return parseObject(body)?.['type'] === 'error' || body.toLowerCase().includes('model')
}

/** Not 404: for that, Claude Code says that there is no such model, and hides the message. */
const messagesUnserved: Refusal = {
  status: 400,
  code: 'messages_not_served',
  problem: "The upstream does not serve /v1/messages, which is Anthropic's protocol.",
  fix: "Use an upstream that does, such as llama.cpp, Ollama 0.14 or later, vLLM or Anthropic; or let the client speak OpenAI's protocol, with /v1/chat/completions.",
}

/** Whether servers could read a message, or a block in it, in two ways. */
function isAmbiguous(fields: Fields): boolean {
  return (
    Object.keys(fields).some((name) => isDisguised(name, blockNames)) || blocksIn(fields['content']).some(isAmbiguous)
  )
}

const blockNames: ReadonlySet<string> = new Set([
  'role',
  'content',
  'type',
  'text',
  'source',
  'id',
  'name',
  'input',
  'tool_use_id',
  'is_error',
  'thinking',
  'signature',
  'data',
  'cache_control',
])

/** A block of a request that ends a part of the prompt which the server shall cache, and how. */
interface Breakpoint {
  /** As canonical JSON. */
  readonly block: string
  /** Of a text. */
  readonly text: string | undefined
  readonly control: unknown
}

/**
 * The members that change. A breakpoint stays with its block: if the block is not sent, the breakpoint is not, either.
 */
function rewritten(
  messages: readonly Message[],
  { hasSystem, breakpoints }: { readonly hasSystem: boolean; readonly breakpoints: readonly Breakpoint[] },
): Readonly<Record<string, string>> {
  const { system, messages: sent } = anthropicBody(messages)
  return {
    messages: JSON.stringify(breakpoints.length > 0 ? withBreakpoints(sent, breakpoints) : sent),
    // A client that sends only what is new leaves out what the thread already knows.
    ...(!hasSystem && system !== undefined && { system: JSON.stringify(system) }),
  }
}

/** Each block that goes out is compared with all of them. Anthropic accepts four in a request. */
const mostBreakpoints = 64

function markedBlocksIn({ content }: Fields): readonly Fields[] {
  return blocksIn(content).flatMap((block) => [
    ...markedBlocksIn(block),
    ...(isGiven(block['cache_control']) ? [block] : []),
  ])
}

function breakpointOf(block: Fields): Breakpoint {
  return { block: canonicalJson(plain(block)), text: textIn(block), control: block['cache_control'] }
}

/** From the end: if a text occurs twice, the later one is meant, as in most clients. */
function withBreakpoints(messages: readonly Message[], breakpoints: readonly Breakpoint[]): readonly Message[] {
  const open = [...breakpoints]
  const marked = (block: Fields): Fields => {
    const [json, text] = [canonicalJson(plain(block)), textIn(block)]
    const at = open.findLastIndex((each) => each.block === json || isEnd(text, each.text))
    const [found] = at < 0 ? [] : open.splice(at, 1)
    const inner = markedIn(block['content'])
    return {
      ...block,
      ...(inner !== block['content'] && { content: inner }),
      ...(found && { cache_control: found.control }),
    }
  }
  const markedIn = (content: unknown): unknown => {
    if (open.length === 0) return content
    if (typeof content === 'string') {
      const block = marked({ type: 'text', text: content })
      return 'cache_control' in block ? [block] : content
    }
    if (!Array.isArray(content)) return content
    return blocksIn(content)
      .toReversed()
      .map((block) => (open.length > 0 ? marked(block) : block))
      .toReversed()
  }
  return messages
    .toReversed()
    .map((message) => ({ ...message, content: markedIn(message.content) }))
    .toReversed()
}

/** True if a text was sent with a line of Minutebook before it. Copies neither: both may be long. */
function isEnd(text: string | undefined, end: string | undefined): boolean {
  return text !== undefined && end !== undefined && text.endsWith(end) && text.at(-end.length - 1) === '\n'
}

function textIn({ type, text }: Fields): string | undefined {
  return type === 'text' && typeof text === 'string' ? text : undefined
}

/** A block as the record keeps it: without breakpoints of its own or of what is in it. */
function plain(block: Fields): Fields {
  const { cache_control: _, content, ...rest } = block
  return { ...rest, ...(content !== undefined && { content: Array.isArray(content) ? content.map(plain) : content }) }
}

function blocksIn(content: unknown): readonly Fields[] {
  return Array.isArray(content) ? content.map(asObject) : []
}

function event(value: { readonly type: string } & Fields): string {
  return `event: ${value.type}\ndata: ${JSON.stringify(value)}\n\n`
}

function head({ id, model }: Recorded): object {
  return { id: `msg_${id.slice(0, 24)}`, type: 'message', role: 'assistant', model }
}

function blocksOf({ message }: Recorded): readonly Fields[] {
  const content = toAnthropic([message])[0]?.content ?? []
  return typeof content === 'string' ? [{ type: 'text', text: content }] : blocksIn(content)
}

/** A block as it is at the beginning of a stream: empty, if its content comes in pieces. */
function begun(block: Fields): Fields {
  const { type } = block
  if (type === 'text') return { ...block, text: '' }
  if (type === 'thinking') return { ...block, thinking: '', signature: '' }
  return type === 'tool_use' ? { ...block, input: {} } : block
}

function deltasOf({ type, text, thinking, signature, input }: Fields): readonly Fields[] {
  if (type === 'text') return [{ type: 'text_delta', text }]
  if (type === 'tool_use') return [{ type: 'input_json_delta', partial_json: JSON.stringify(input) }]
  if (type !== 'thinking') return []
  return [
    { type: 'thinking_delta', thinking },
    { type: 'signature_delta', signature },
  ]
}

function usageOf({ usage: { prompt = 0, completion = 0, cached = 0 } = {} }: Recorded): object {
  return { input_tokens: Math.max(0, prompt - cached), cache_read_input_tokens: cached, output_tokens: completion }
}

function ending(finish: Finish): Fields {
  return { stop_reason: reasons[finish] ?? 'end_turn', stop_sequence: null }
}

const reasons: Readonly<Partial<Record<Finish, string>>> = {
  length: 'max_tokens',
  calls: 'tool_use',
  filter: 'refusal',
}
