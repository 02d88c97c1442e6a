import type { Message } from 'minutebook'
import { Buffer } from 'node:buffer'
import { askUpstream, type Asking, type Sending } from '../gateway/ask-upstream.ts'
import { messageOf, type Refusal } from '../http/reply.ts'
import { asObject, parseObject, type Fields } from '../http/json.ts'
import { createFilter } from '../protocol/filter.ts'
import { dataIn } from '../protocol/frames.ts'
import { replaced, scanObject } from '../protocol/json-members.ts'
import { createTap, type Framing, type Tap } from '../protocol/tap.ts'
import { directProtocol, responseReply, type ResponseReply } from './direct-reply.ts'
import { isHollow, messageItems, sendable } from './item-messages.ts'
import { responseOf } from './output.ts'
import type { PlacedResponse } from './place.ts'
import type { DirectRequest, ResponseContext } from './request.ts'

/**
 * Asks an upstream that serves Responses itself. Its answer goes to the client as it comes, with the ids under which
 * this server has it, and is recorded before its end is sent.
 */
export async function answerDirectly(
  asking: ResponseContext,
  direct: DirectRequest,
  placed: PlacedResponse,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const { visit, services, upstream, model, request } = asking
  let replies: ResponseReply = responseReply()
  const asked: Asking = {
    visit,
    services,
    upstream,
    protocol: directProtocol(() => (replies = responseReply())),
    request: { model, streams: request.streams, output: request.output },
    body: (sending) => bodyOf(asking, direct, { ...sending, isExpanded: placed.isExpanded }),
    filter: (framing) => {
      const tap = createTap(asked.protocol, framing)
      const reply = replies
      return filterOf(tap, framing, reply, namesOf(asking, placed))
    },
    failing: (refusal) => failedEvent(asking, placed, replies, refusal),
  }
  await askUpstream(asked, { ...placed, thread: placed.kept?.thread }, headers)
}

/**
 * The body that is sent: the same bytes that came, but nothing is to be stored there, and nothing is named that was
 * stored here. The input is written again only if something must be added or left out.
 */
function bodyOf(
  { model, request }: ResponseContext,
  { bytes, spans, input, isResolved }: DirectRequest,
  { mode, messages, isExpanded }: Sending & { readonly isExpanded: boolean },
): Buffer {
  const isHollowed = request.stores && Array.isArray(input) && input.some(isHollow)
  const isSame = mode === 'unchanged' && !isExpanded
  return replaced(bytes, spans, {
    previous_response_id: undefined,
    conversation: undefined,
    ...(request.stores && { store: 'false' }),
    ...(request.model === undefined && { model: JSON.stringify(model) }),
    ...(!isSame && expanded(messages, request.instructions)),
    ...(isSame &&
      (isHollowed || isResolved) && {
        input: JSON.stringify(isHollowed ? sendable((input as unknown[]).map(asObject)) : input),
      }),
  })
}

/** Instructions stay in their own field if they are a message of the prompt, as they are. */
function expanded(messages: readonly Message[], instructions: string | undefined): Readonly<Record<string, string>> {
  const own = messages.findIndex(({ role, content }) => role === 'system' && content === instructions)
  return {
    input: JSON.stringify(messageItems(own < 0 ? messages : messages.toSpliced(own, 1))),
    ...(instructions !== undefined && own < 0 && { instructions: 'null' }),
  }
}

/** Members of a response object, as JSON. */
type Names = Readonly<Record<string, string>>

/** The members of a response that say what this server stores. */
function namesOf(
  { request: { previous, conversation } }: ResponseContext,
  { begun: { id }, kept }: PlacedResponse,
): Names {
  return {
    id: JSON.stringify(id),
    previous_response_id: JSON.stringify(previous ?? null),
    ...(conversation !== undefined && { conversation: JSON.stringify({ id: conversation }) }),
    store: JSON.stringify(kept !== undefined),
  }
}

function filterOf(tap: Tap, framing: Framing, reply: ResponseReply, names: Names): Tap {
  return createFilter(tap, {
    framing,
    change: (frame) => (framing === 'whole' ? renamed(frame, names) : renamedEvent(frame, names)),
    hasBegun: () => reply.hasBegun,
  })
}

/** Most events have no response. */
function renamedEvent(frame: string, names: Names): string {
  const [json] = frame.includes('"response"') ? dataIn(frame) : []
  const bytes = Buffer.from(json ?? '')
  const spans = scanObject(bytes)
  const span = typeof spans === 'string' ? undefined : spans.members.get('response')
  if (json === undefined || typeof spans === 'string' || !span) return frame
  const response = renamed(bytes.toString('utf8', span.from, span.to), names)
  const written = replaced(bytes, spans, { response })
    .toString()
    .replaceAll(/[\r\n]/g, ' ')
  const others = frame.split(/\r\n|\n|\r/).filter((line) => line !== '' && !line.startsWith('data'))
  return `${[...others, `data: ${written}`].join('\n')}\n\n`
}

function renamed(json: string, names: Names): string {
  const bytes = Buffer.from(json)
  const spans = scanObject(bytes)
  return typeof spans === 'string' || parseObject(json)?.['object'] !== 'response'
    ? json
    : replaced(bytes, spans, names).toString()
}

/** The last event of a stream that breaks off. */
function failedEvent(
  { request: { terms } }: ResponseContext,
  { begun, kept }: PlacedResponse,
  { last }: ResponseReply,
  refusal: Refusal,
): string {
  const response = {
    ...responseOf({ begun, terms, stores: kept !== undefined }),
    status: 'failed',
    error: { code: 'server_error', message: messageOf(refusal) },
  }
  const event: Fields = { type: 'response.failed', sequence_number: last + 1, response }
  return `event: response.failed\ndata: ${JSON.stringify(event)}\n\n`
}
