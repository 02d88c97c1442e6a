import type { Message } from 'minutebook'
import type { EndEvent, Reply } from 'minutebook/wire'
import type { Buffer } from 'node:buffer'
import type { ProtocolName } from '../config/settings.ts'
import type { Fields } from '../http/json.ts'
import { refusalBody, type Refusal } from '../http/reply.ts'

/** How one protocol asks and answers. */
export interface Protocol {
  readonly name: ProtocolName
  /** The path of a chat. */
  readonly path: string
  /** Lines of JSON, or server-sent events. */
  readonly framing: 'lines' | 'events'
  /** Whether a stream of events ends with the line `[DONE]`. If not, its last event says so. */
  readonly endsWithDone: boolean
  readonly streamType: string
  /** Whether a chat without messages is a request of its own: it loads a model. */
  readonly takesNoMessages: boolean
  /** Whether the upstream counts all of a prompt; undefined if that is unknown. */
  readonly counts: 'whole' | undefined
  /** Whether the record keeps messages in the shape of the protocol. Only then a stabiliser may change one of them. */
  readonly keepsShape: boolean
  /** Whether a model can be asked for notes to self, which are removed from what the client gets. */
  readonly takesNotes: boolean
  /** The messages of a request; undefined if the record cannot hold them. `list`: its field `messages`. */
  read(fields: Fields, list: readonly Fields[]): ReadMessages | undefined
  ask(fields: Fields): AnswerRequest
  /** Gathers an answer. */
  reply(): Reply
  /** Whether the answer is over with this chunk; more chunks may follow it. */
  isEnding(chunk: Fields): boolean
  /**
   * The refusal for the client if an upstream answers like this because it does not speak the protocol. Default: its own
   * answer goes to the client.
   */
  readonly unserved?: (status: number, body: Buffer) => Refusal | undefined
  /**
   * The chunk with another text, and without other fields that would reveal the original; undefined if it has no text.
   */
  reworded(chunk: Fields, word: (text: string) => string): Fields | undefined
  /** A recorded answer as a whole response, and as the chunks of a stream. */
  whole(answer: Recorded): object
  chunks(answer: Recorded): readonly string[]
}

/** The messages of a request. */
export interface ReadMessages {
  /** As the record keeps them. */
  readonly messages: readonly Message[]
  /** The fields of the request that change if other messages are sent, each as a JSON text. */
  rewritten(messages: readonly Message[]): Readonly<Record<string, string>>
}

/** What a request asks for in addition to an answer. */
export interface AnswerRequest {
  readonly streams: boolean
  /** Tokens of the answer, at most. */
  readonly output?: number | undefined
  readonly numCtx?: number | undefined
  readonly numKeep?: number | undefined
  /** Asks to see the prompt and for no answer. */
  readonly rendersOnly?: boolean | undefined
  /** Asks for counts in a stream. */
  readonly withUsage?: boolean | undefined
}

/** A recorded answer. */
export interface Recorded extends Pick<EndEvent, 'finish' | 'usage'> {
  readonly model: string
  readonly message: Message
  /** A unique id. */
  readonly id: string
  readonly time: Date
  readonly withUsage: boolean
}

/** An event of a stream that says that something failed. */
export function errorEvent(refusal: Refusal, { name, framing }: Protocol): string {
  const body = refusalBody(refusal, name)
  if (framing === 'lines') return `${body}\n`
  return name === 'anthropic' ? `event: error\ndata: ${body}\n\n` : `data: ${body}\n\n`
}

/** A whole number above 0; undefined for anything else. */
export function countIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined
}
