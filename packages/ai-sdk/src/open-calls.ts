import type { Message } from 'minutebook'
import { fromJson, readJson, type Json } from './json.ts'
import type { SdkMessage } from './sdk-message.ts'

/** Calls that wait for their results: the SDK wants an id and a name on both, other protocols leave them out. */
export interface OpenCalls {
  /** The id of a call: its own, or one that is made for it. */
  open(id: string | undefined, name: string): string
  /** The call that a result answers: by id, by name, or the next in order. */
  answer(message: Message): { readonly toolCallId: string; readonly toolName: string }
}

/** `prefix`: how ids begin that are made for calls without one. */
export function openCalls(prefix: string = 'call-'): OpenCalls {
  const open: { readonly id: string; readonly name: string }[] = []
  let made = 0

  function answered({ tool_call_id: id, tool_name: name }: Partial<SdkMessage>): number {
    const byId = id === undefined ? -1 : open.findLastIndex((call) => call.id === id)
    if (byId >= 0 || id !== undefined) return byId
    return Math.max(name === undefined ? 0 : open.findIndex((call) => call.name === name), 0)
  }

  return {
    open: (own, name) => {
      const id = own ?? `${prefix}${++made}`
      open.push({ id, name })
      return id
    },
    answer: (message) => {
      const { tool_call_id: id, tool_name: name } = message as Partial<SdkMessage>
      const at = answered(message as Partial<SdkMessage>)
      const [call] = at < 0 ? [] : open.splice(at, 1)
      return { toolCallId: id ?? call?.id ?? `${prefix}${++made}`, toolName: name ?? call?.name ?? 'unknown' }
    },
  }
}

/** The input of a call from its arguments, which are a JSON text with some protocols and a value with others. */
export function inputOf(given: unknown): unknown {
  return typeof given === 'string' ? readJson(given) : fromJson(given as Json | undefined)
}
