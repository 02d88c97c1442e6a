import type { Json, JsonObject } from './json.ts'
import { isSaid, writePieces, type Piece } from './piece.ts'
import { extrasOf, fieldExtras, withExtras, type Layer, type SdkMessage } from './sdk-message.ts'

/**
 * The messages that one message of the SDK becomes: what an assistant said up to a result, the result, what it said
 * then.
 */
export interface Group {
  add(piece: Piece): void
  /** What follows is said in a message of its own. */
  close(): void
  /** A message between two pieces. */
  insert(message: SdkMessage): void
  messages(): SdkMessage[]
}

export function createGroup(
  role: SdkMessage['role'],
  layer: Layer,
  options: { readonly fields: JsonObject; readonly listed?: boolean },
): Group {
  const done: SdkMessage[] = []
  let open: Piece[] = []

  function push(message: SdkMessage): void {
    done.push(withExtras(message, layer, done.length > 0 ? { continues: true } : fieldExtras(options.fields)))
  }

  function write(): void {
    push(writePieces(role, open, layer, { listed: options.listed ?? false }))
    open = []
  }

  /** Parts without words do not become a message of their own if another message can carry them. */
  function carry(): void {
    const last = done.pop()
    const parts: Json[] = open.map((piece) => (piece.at === 'part' ? piece.part : null))
    if (last) done.push(withExtras(last, layer, { rest: [...(extrasOf(last, layer)?.rest ?? []), ...parts] }))
    open = []
  }

  const group: Group = {
    add: (piece) => void open.push(piece),
    close: () => {
      if (open.some(isSaid)) write()
    },
    insert: (message) => {
      if (open.some(isSaid) || (open.length > 0 && done.length === 0)) write()
      else if (open.length > 0) carry()
      push(message)
    },
    messages: () => {
      if (open.some(isSaid) || done.length === 0) write()
      else if (open.length > 0) carry()
      return done
    },
  }
  return group
}
