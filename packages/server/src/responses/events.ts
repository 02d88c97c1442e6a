import type { ResponsePlace } from './ids.ts'
import { messageItem, reasoningItem, textPart, type OutputItem } from './output.ts'
import type { ResponseObject } from './response.ts'

/** Tells a response as a stream of events, while it comes or all at once. */
export interface ResponseEvents {
  begin(response: ResponseObject): void
  /** A piece of the text, or of the thoughts before it. */
  add(kind: 'message' | 'reasoning', text: string): void
  /** All that was not told yet, and how it ended. */
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
        const known = item.type === 'function_call' ? undefined : open.get(item.type)
        if (!known?.isDone) end(item, known ?? beginWhole(item))
      }
      tell(`response.${response.status === 'cancelled' ? 'failed' : response.status}`, { response })
    },
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

  /** Thoughts are over where the text begins. */
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

export interface StreamEvent {
  readonly type: string
  readonly sequence_number: number
}

export function eventText(event: StreamEvent): string {
  return `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
}

function at({ id }: OutputItem, { index }: Open): object {
  return { item_id: id, output_index: index, content_index: 0 }
}
