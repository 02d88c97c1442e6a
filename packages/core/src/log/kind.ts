/** What an entry is. */
export type Kind = 'system' | 'user' | 'assistant' | 'tool' | 'note' | 'journal'

/** Who wrote an entry, known from the channel it came through, never from its text. */
export type Origin = 'operator' | 'user' | 'model' | 'tool' | 'import' | 'engine'

/** What shared code may ask of a kind, so that it need not switch on it. */
export interface Traits {
  /** The role under which it stands in a prompt. */
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  /** Its label in a dump. */
  readonly label: string
  /** Starts a new exchange. */
  readonly opensExchange: boolean
  /** In every prompt, whole. */
  readonly pinned: boolean
  /** When the floor overflows: never clipped, clipped first, or clipped last. */
  readonly clipped: 'never' | 'first' | 'last'
  /** Part of the hash chain; the rest hangs off the entry before it. */
  readonly chained: boolean
  /** Shown to people. */
  readonly visible: boolean
  /** The writer when nothing else is known. */
  readonly origin: Origin
}

export const traits: Readonly<Record<Kind, Traits>> = {
  system: {
    role: 'system', label: 'SYSTEM', opensExchange: false, pinned: true, clipped: 'never',
    chained: true, visible: false, origin: 'operator',
  },
  user: {
    role: 'user', label: 'USER', opensExchange: true, pinned: false, clipped: 'last',
    chained: true, visible: true, origin: 'user',
  },
  assistant: {
    role: 'assistant', label: 'ASSISTANT', opensExchange: false, pinned: false, clipped: 'last',
    chained: true, visible: true, origin: 'model',
  },
  tool: {
    role: 'tool', label: 'TOOL', opensExchange: false, pinned: false, clipped: 'first',
    chained: true, visible: true, origin: 'tool',
  },
  note: {
    role: 'system', label: 'NOTE TO SELF', opensExchange: false, pinned: false, clipped: 'last',
    chained: false, visible: false, origin: 'model',
  },
  journal: {
    role: 'system', label: 'JOURNAL', opensExchange: false, pinned: false, clipped: 'last',
    chained: false, visible: false, origin: 'engine',
  },
}
