import type { ModelEvent } from 'minutebook'
import { createNoteParser } from 'minutebook/wire'
import type { ServerResponse } from 'node:http'
import { refuse, type Refusal } from '../http/reply.ts'
import { outputPlace, type ResponsePlace } from './ids.ts'
import type { ModelAnswer } from './model-call.ts'
import { messageItem, reasoningItem, textPart, type OutputItem, type ResponseObject, type TextPart } from './output.ts'

/** Sends a client its response: as events while it comes, or whole. */
export interface ResponseWriter {
  begin(response: ResponseObject): void
  hear(event: ModelEvent): void
  /** As much of the text as may be shown so far. */
  readonly shown: string
  finish(response: ResponseObject, headers: Readonly<Record<string, string>>): void
  /** Sent instead, if the status can still be set. */
  refuse(refusal: Refusal): void
  /** The same in the upstream's own words. */
  pass(refused: Extract<ModelAnswer, { kind: 'refused' }>): void
}

export interface WriterOptions {
  readonly response: ServerResponse
  readonly place: ResponsePlace
  readonly headers: Readonly<Record<string, string>>
  /** Whether notes to self are removed from what the client gets. */
  readonly hidesNotes: boolean
}

/** `streams`: as events. */
export function writeResponse(terms: WriterOptions, streams: boolean): ResponseWriter {
  const { response, place, headers, hidesNotes } = terms
  const parser = hidesNotes ? createNoteParser() : undefined
  const events = responseEvents(place, (event) => void response.write(eventText(event)))
  let shown = ''
  return {
    begin: (begun) => {
      if (!streams || response.destroyed) return
      response.writeHead(200, {
        ...headers,
        'content-type': 'text/event-stream; charset=utf-8',
        'cache-control': 'no-cache',
      })
      events.begin(begun)
    },
    hear: (event) => {
      if (event.type === 'end' || response.destroyed) return
      const text = event.type === 'text' && parser ? parser.push(event.text) : event.text
      if (event.type === 'text') shown += text
      if (streams && text !== '') events.add(event.type === 'text' ? 'message' : 'reasoning', text)
    },
    get shown() {
      return shown
    },
    finish: (ended, more) => {
      if (response.destroyed) return
      if (!streams) return send(response, ended, { ...headers, ...more })
      events.finish(ended)
      response.end()
    },
    pass: ({ status, headers: received, body }) => {
      if (!response.destroyed) response.writeHead(status, { ...received, ...headers }).end(body)
    },
    refuse: (refusal) => {
      if (!response.destroyed) refuse(response, { ...refusal, headers: { ...headers, ...refusal.headers } }, 'openai')
    },
  }
}

/** Answers with JSON. */
export function send(response: ServerResponse, value: object, headers: Readonly<Record<string, string>> = {}): void {
  if (response.destroyed) return
  const body = JSON.stringify(value)
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...headers,
  })
  response.end(body)
}

/** Sends a finished response as the events in which it would have come, starting after a number. */
export function replayEvents(
  response: ServerResponse,
  place: ResponsePlace,
  ended: ResponseObject,
  { headers = {}, after = -1 }: { readonly headers?: Readonly<Record<string, string>>; readonly after?: number } = {},
): void {
  if (response.destroyed) return
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  })
  const events = responseEvents(place, (event) => {
    if (event.sequence_number > after) response.write(eventText(event))
  })
  events.begin({
    ...ended,
    status: 'in_progress',
    output: [],
    usage: null,
    error: null,
    incomplete_details: null,
    completed_at: null,
  })
  events.finish(ended)
  response.end()
}

/** Sends a response as a stream of events, while it comes or all at once. */
export interface ResponseEvents {
  begin(response: ResponseObject): void
  /** A piece of the text, or of the reasoning before it. */
  add(kind: 'message' | 'reasoning', text: string): void
  /** Everything that was not sent yet, and how it ended. */
  finish(response: ResponseObject): void
}

interface Open {
  readonly index: number
  text: string
  isDone: boolean
}

/**
 * `send`: takes an event with its number in the stream.
 *
 * @example
 * const events = responseEvents(place, (event) => response.write(eventText(event)))
 */
export function responseEvents(place: ResponsePlace, send: (event: StreamEvent) => void): ResponseEvents {
  const open = new Map<string, Open>()
  let [sequence, indexes] = [0, 0]
  const tell = (type: string, fields: object): void => send({ type, sequence_number: sequence++, ...fields })

  return {
    begin: (response) => {
      tell('response.created', { response })
      tell('response.in_progress', { response })
    },
    add: (kind, text) => {
      if (kind === 'reasoning' && open.has('message')) return
      if (kind === 'message') close('reasoning')
      const began =
        open.get(kind) ??
        begin(kind === 'message' ? messageItem(place, 'in_progress') : reasoningItem(place, 'in_progress'))
      piece(kind, began, text)
    },
    finish: (response) => {
      for (const item of response.output) {
        if (!isOurs(item)) {
          tellWhole(item)
          continue
        }
        const known = item.type === 'function_call' ? undefined : open.get(item.type)
        if (!known?.isDone) end(item, known ?? beginWhole(item))
      }
      tell(`response.${response.status === 'cancelled' ? 'failed' : response.status}`, { response })
    },
  }

  /** An item of an upstream: its texts and calls as they would have come, any other as a whole. */
  function tellWhole(item: OutputItem): void {
    if (item.type === 'function_call') return end(item, beginWhole(item))
    const index = indexes++
    const parts = item.type === 'message' ? textsIn(item.content) : []
    const added = parts.length > 0 ? { ...item, content: [] } : item
    tell('response.output_item.added', { output_index: index, item: added })
    for (const [place, part] of parts.entries()) {
      const within = { item_id: item.id, output_index: index, content_index: place }
      tell('response.content_part.added', { ...within, part: { ...part, text: '' } })
      tell('response.output_text.delta', { ...within, delta: part.text, logprobs: [] })
      tell('response.output_text.done', { ...within, text: part.text, logprobs: [] })
      tell('response.content_part.done', { ...within, part })
    }
    tell('response.output_item.done', { output_index: index, item })
  }

  function begin(item: OutputItem): Open {
    const began = { index: indexes++, text: '', isDone: false }
    if (item.type !== 'function_call') open.set(item.type, began)
    tell('response.output_item.added', { output_index: began.index, item })
    if (item.type === 'message') tell('response.content_part.added', { ...at(item, began), part: textPart('') })
    if (item.type === 'reasoning')
      tell('response.content_part.added', { ...at(item, began), part: { type: 'reasoning_text', text: '' } })
    return began
  }

  function beginWhole(item: OutputItem): Open {
    if (item.type === 'function_call') {
      const began = begin({ ...item, arguments: '', status: 'in_progress' })
      if (item.arguments !== '')
        tell('response.function_call_arguments.delta', {
          item_id: item.id,
          output_index: began.index,
          delta: item.arguments,
        })
      return began
    }
    const began = begin({ ...item, content: [], status: 'in_progress' })
    const text = item.content[0]?.text ?? ''
    if (text !== '') piece(item.type, began, text)
    return began
  }

  function piece(kind: 'message' | 'reasoning', began: Open, delta: string): void {
    began.text += delta
    const { id } = kind === 'message' ? messageItem(place, 'in_progress') : reasoningItem(place, 'in_progress')
    const type = kind === 'message' ? 'response.output_text.delta' : 'response.reasoning_text.delta'
    tell(type, {
      item_id: id,
      output_index: began.index,
      content_index: 0,
      delta,
      ...(kind === 'message' && { logprobs: [] }),
    })
  }

  /** Reasoning is over when the text begins. */
  function close(kind: 'reasoning'): void {
    const began = open.get(kind)
    if (began && !began.isDone) end(reasoningItem(place, 'completed', began.text), began)
  }

  function end(item: OutputItem, began: Open): void {
    began.isDone = true
    if (item.type === 'function_call')
      tell('response.function_call_arguments.done', {
        item_id: item.id,
        output_index: began.index,
        name: item.name,
        arguments: item.arguments,
      })
    else {
      const [part] = item.content
      const type = item.type === 'message' ? 'response.output_text.done' : 'response.reasoning_text.done'
      tell(type, { ...at(item, began), text: part?.text ?? '', ...(item.type === 'message' && { logprobs: [] }) })
      tell('response.content_part.done', { ...at(item, began), part })
    }
    tell('response.output_item.done', { output_index: began.index, item })
  }
}

/** The parts of a content that has only texts. Empty for any other. */
function textsIn(content: readonly Partial<TextPart>[]): readonly Partial<TextPart>[] {
  return Array.isArray(content) && content.every(({ text }) => typeof text === 'string') ? content : []
}

/** Whether an item has an id of this server. */
function isOurs({ id }: OutputItem): boolean {
  return outputPlace(String(id)) !== undefined
}

export interface StreamEvent {
  readonly type: string
  readonly sequence_number: number
}

function eventText(event: StreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

function at({ id }: OutputItem, { index }: Open): object {
  return { item_id: id, output_index: index, content_index: 0 }
}
