/**
 * The ids that clients get. A response's id contains the name of its thread, as its key calls it, and a part that
 * cannot be guessed. The ids of its output are made of the same two. So nearly all of them are found without a table.
 */
export interface ResponsePlace {
  /** 22 letters: 128 bits. */
  readonly part: string
  /** The thread's own name. */
  readonly name: string
}

/**
 * Instead of the name of a thread whose beginning the client did not send: with the name it could ask for all of the
 * thread. Such a response is found by its record.
 */
export const hiddenName = '~'

export type OutputKind = 'msg' | 'rs' | 'fc'

/**
 * @example
 * responseId({ part: partOf(randomBytes(16)), name: 'garden' }) // 'resp_q1…Zw-garden'
 */
export function responseId(place: ResponsePlace): string {
  return `resp_${place.part}${writtenName(place.name)}`
}

export function responsePlace(id: string): ResponsePlace | undefined {
  const [, part, name] = /^resp_([\w-]{22})([-_][\w-]{1,280})$/.exec(id) ?? []
  const place = part === undefined || name === undefined ? undefined : { part, name: readName(name) }
  // One name is written in one way.
  return place && responseId(place) === id ? place : undefined
}

/** `index`: which of its kind. */
export function outputId({ part, name }: ResponsePlace, kind: OutputKind, index = 0): string {
  return `${kind}_${part}${index.toString(16).padStart(3, '0')}${writtenName(name)}`
}

/** The response that an output item is of. */
export function outputPlace(
  id: string,
): (ResponsePlace & { readonly kind: OutputKind; readonly index: number }) | undefined {
  const [, kind, part, index, name] = /^(msg|rs|fc)_([\w-]{22})([0-9a-f]{3})([-_][\w-]{1,280})$/.exec(id) ?? []
  if (kind === undefined || part === undefined || index === undefined || name === undefined) return undefined
  return { kind: kind as OutputKind, part, index: Number.parseInt(index, 16), name: readName(name) }
}

/** The id of what a client said: made from its entry. */
export function inputId(kind: 'msg' | 'fco' | 'fc', entry: string, index = 0): string {
  return `${kind}_${entry.slice(0, 48)}${index === 0 ? '' : index.toString(16).padStart(3, '0')}`
}

/** A conversation's id is the name of its thread. */
export function conversationId(part: string): string {
  return `conv_${part}`
}

export function isConversationId(id: string): boolean {
  return /^conv_[\w-]{22}$/.test(id)
}

/** 16 bytes as letters. */
export function partOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, 16).toString('base64url')
}

/** Unchanged after "-" if it is valid in a path, else as base64 after "_". */
function writtenName(name: string): string {
  return /^[\w-]+$/.test(name) ? `-${name}` : `_${Buffer.from(name).toString('base64url')}`
}

function readName(written: string): string {
  const name = written.slice(1)
  return written.startsWith('-') ? name : Buffer.from(name, 'base64url').toString()
}
