import type { ServerResponse } from 'node:http'
import type { ModelEvent } from 'minutebook'
import { createNoteParser } from 'minutebook/wire'
import { refuse, type Refusal } from '../refusal.ts'
import { eventText, responseEvents } from './events.ts'
import type { Heard } from './hear-model.ts'
import type { ResponsePlace } from './ids.ts'
import type { ResponseObject } from './response.ts'

/** Tells a client of its response: as events while it comes, or whole. */
export interface Telling {
  begin(response: ResponseObject): void
  hear(event: ModelEvent): void
  /** As much of the text as may be shown so far. */
  readonly shown: string
  finish(response: ResponseObject, headers: Readonly<Record<string, string>>): void
  /** In place of it, where the client can still be told so by the status. */
  refuse(refusal: Refusal): void
  /** The same in the upstream's own words. */
  pass(refused: Extract<Heard, { kind: 'refused' }>): void
}

export interface TellingTerms {
  readonly response: ServerResponse
  readonly place: ResponsePlace
  readonly headers: Readonly<Record<string, string>>
  /** Whether notes to self are kept from the client. */
  readonly hidesNotes: boolean
}

/** `streams`: as events. */
export function tellResponse(terms: TellingTerms, streams: boolean): Telling {
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

/** Tells a response that is over as the events it would have come in, from behind a number on. */
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
