/** What an entry is. */
export type Kind =
  | 'system'
  | 'user'
  | 'assistant'
  | 'tool'
  | 'note'
  | 'journal'
  /** A message that arrived while a turn ran, and waits to be admitted. */
  | 'pending'
  /** A turn that ended without an answer: cancelled, failed, interrupted. */
  | 'stop'
  /** What model calls are compiled under from here on. */
  | 'settings'
  /** What is kept of a model call. */
  | 'receipt'
  /** Takes a note or journal entry out of all later prompts. */
  | 'revocation'
  /** Another answer is wanted to the entry that it hangs off. */
  | 'retry'
  /** The shape in which a client sends the entry that it hangs off, where that is not the recorded one. */
  | 'form'
  /** Something that a program keeps in a log of its own, such as a step of an experiment. */
  | 'event'

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
  /** Can stand in a prompt; the rest is kept for the record. */
  readonly prompted: boolean
  /** Shown to people. */
  readonly visible: boolean
  /** Says in other words what its parent said, and so is erased with it. */
  readonly derived: boolean
  /** The writer when nothing else is known. */
  readonly origin: Origin
}

/** The traits of every kind. */
export const traits: Readonly<Record<Kind, Traits>> = {
  system: {
    role: 'system',
    label: 'SYSTEM',
    opensExchange: false,
    pinned: true,
    clipped: 'never',
    chained: true,
    prompted: true,
    visible: false,
    derived: false,
    origin: 'operator',
  },
  user: {
    role: 'user',
    label: 'USER',
    opensExchange: true,
    pinned: false,
    clipped: 'last',
    chained: true,
    prompted: true,
    visible: true,
    derived: false,
    origin: 'user',
  },
  assistant: {
    role: 'assistant',
    label: 'ASSISTANT',
    opensExchange: false,
    pinned: false,
    clipped: 'last',
    chained: true,
    prompted: true,
    visible: true,
    derived: false,
    origin: 'model',
  },
  tool: {
    role: 'tool',
    label: 'TOOL',
    opensExchange: false,
    pinned: false,
    clipped: 'first',
    chained: true,
    prompted: true,
    visible: true,
    derived: false,
    origin: 'tool',
  },
  note: {
    role: 'system',
    label: 'NOTE TO SELF',
    opensExchange: false,
    pinned: false,
    clipped: 'first',
    chained: false,
    prompted: true,
    visible: false,
    derived: true,
    origin: 'model',
  },
  journal: {
    role: 'system',
    label: 'JOURNAL',
    opensExchange: false,
    pinned: false,
    clipped: 'first',
    chained: false,
    prompted: true,
    visible: false,
    derived: true,
    origin: 'engine',
  },
  pending: unprompted('user', 'PENDING', 'user'),
  stop: { ...unprompted('system', 'STOPPED', 'engine'), visible: true },
  settings: unprompted('system', 'SETTINGS', 'engine'),
  receipt: { ...unprompted('system', 'RECEIPT', 'engine'), derived: true },
  revocation: unprompted('system', 'REVOCATION', 'operator'),
  retry: unprompted('system', 'RETRY', 'operator'),
  form: { ...unprompted('system', 'FORM', 'engine'), derived: true },
  event: unprompted('system', 'EVENT', 'engine'),
}

function unprompted(role: Traits['role'], label: string, origin: Origin): Traits {
  return {
    role,
    label,
    opensExchange: false,
    pinned: false,
    clipped: 'never',
    chained: false,
    prompted: false,
    visible: false,
    derived: false,
    origin,
  }
}
