/** What an entry is. `traits` says how shared code treats it. */
export type Kind =
  | 'system'
  | 'user'
  | 'assistant'
  | 'tool'
  | 'note'
  | 'journal'
  /** A message that arrived while a turn ran, and waits to be admitted. */
  | 'pending'
  /** A turn that ended without an answer: cancelled, failed or interrupted. */
  | 'stop'
  /** The settings that model calls are compiled under from here on. */
  | 'settings'
  /** The record of a model call. */
  | 'receipt'
  /** Takes a note, a journal entry or a pin out of all later prompts. */
  | 'revocation'
  /** Says that the entry that it hangs off is to be in all later prompts. */
  | 'pin'
  /** What a person thinks of the entry that it hangs off. */
  | 'feedback'
  /** Asks for another answer to the entry that it hangs off. */
  | 'retry'
  /** Calls of the entry that it hangs off that stay open until a decision is made. */
  | 'wait'
  /** What was decided about such a call, and by whom. */
  | 'decision'
  /** The calls that a runner is about to run, after a decision. */
  | 'start'
  /** The shape in which a client sends the entry that it hangs off, if that differs from the recorded one. */
  | 'form'
  /** A program's own entry in a log of its own, such as the log of an experiment's run. */
  | 'event'

/** Who wrote an entry. It comes from the channel through which the entry arrived, never from its text. */
export type Origin = (typeof origins)[number]

/** Every origin. A stored entry with another one is refused. */
export const origins = ['operator', 'user', 'model', 'tool', 'import', 'minutebook'] as const

/** What shared code may ask about a kind. So it does not have to switch on kinds. */
export interface Traits {
  /** The role that it has in a prompt. */
  readonly role: 'system' | 'user' | 'assistant' | 'tool'
  /** Its label in a dump. */
  readonly label: string
  /** True if it starts a new exchange. */
  readonly opensExchange: boolean
  /** True if it is in every prompt, whole. */
  readonly pinned: boolean
  /** If the required messages do not fit: never clipped, clipped first, or clipped last. */
  readonly clipped: 'never' | 'first' | 'last'
  /** True if it is part of the hash chain. Other entries hang off the chained entry before them. */
  readonly chained: boolean
  /** True if it can be in a prompt. Other entries are only recorded. */
  readonly prompted: boolean
  /**
   * True if it is sent only once the cut has passed it. It tells of calls and results, which are in the prompt until
   * then.
   */
  readonly late: boolean
  /** True if people see it. */
  readonly visible: boolean
  /** True if it says more of what its parent said, or repeats it in other words, and so is erased with it. */
  readonly derived: boolean
  /** Who wrote it, if nothing else is known. */
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
    late: false,
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
    late: false,
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
    late: false,
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
    late: false,
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
    late: false,
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
    late: true,
    visible: false,
    derived: true,
    origin: 'minutebook',
  },
  pending: unprompted('user', 'PENDING', 'user'),
  stop: { ...unprompted('system', 'STOPPED', 'minutebook'), visible: true },
  settings: unprompted('system', 'SETTINGS', 'minutebook'),
  receipt: { ...unprompted('system', 'RECEIPT', 'minutebook'), derived: true },
  revocation: unprompted('system', 'REVOCATION', 'operator'),
  pin: { ...unprompted('system', 'PIN', 'operator'), derived: true },
  feedback: { ...unprompted('system', 'FEEDBACK', 'user'), derived: true },
  // It may have the context and the options with which the same words were sent again.
  retry: { ...unprompted('system', 'RETRY', 'operator'), derived: true },
  wait: { ...unprompted('system', 'WAITS', 'minutebook'), derived: true },
  decision: { ...unprompted('system', 'DECISION', 'user'), derived: true },
  start: { ...unprompted('system', 'START', 'minutebook'), derived: true },
  form: { ...unprompted('system', 'FORM', 'minutebook'), derived: true },
  event: unprompted('system', 'EVENT', 'minutebook'),
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
    late: false,
    visible: false,
    derived: false,
    origin,
  }
}
