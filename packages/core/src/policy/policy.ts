import type { RecallSetting } from '../recall/selection.ts'

/**
 * How a conversation is fitted, as data that can be read, stored and compared.
 * Every share is of what the head (system entries, pinned entry, marker) leaves of the budget.
 */
export interface Policy {
  readonly name: string
  /** Late system entries stay in place until they are older than the cut, or go to the head at once; `'once'`: each text a single time. */
  readonly system: 'in place' | 'first' | 'once'
  /** Pins the first user entry; one that takes more than `share` of the budget is clipped to it. */
  readonly firstUser: { readonly share: number } | null
  /** The newest exchanges, whole: at most so many exchanges, or messages, beside the current one. `clipped`: and of the first that does not fit, as much as does. */
  readonly verbatim: { readonly exchanges?: number; readonly messages?: number; readonly clipped?: boolean }
  /** What is older, as digests of at most `line` tokens each, gathered into chapters where they are many. */
  readonly outline: { readonly share: number; readonly line: number } | null
  /** Entries from before the cut that the latest message asks about. */
  readonly recall: RecallSetting | null
  /**
   * `share`: what the notes that fold into the head may take of the budget. Default: an eighth. `role`: of messages with
   * notes or journal entries. Default: `system`, for they are the model's own words and the engine's. `user` is safer
   * for a model that reads what it should not obey, since it may note that down.
   */
  readonly notes?: { readonly share?: number; readonly role?: NotesRole }
  /** Between two compactions the prompt only grows; a compaction leaves `low` of the room for exchanges filled. */
  readonly epochs: { readonly low: number } | null
  /** Stands once where something is omitted; `{messages}` becomes "12 messages". A marker without it is static. */
  readonly marker: string | null
  /** What happens when the floor does not fit, clipped as far as it may be. */
  readonly overflow: Overflow
  /** The digesters to use, by `id@version`; all that are passed in when left out. */
  readonly digesters?: readonly string[]
}

export type Overflow = 'error' | 'keep'

/** The role of messages with notes or journal entries. */
export type NotesRole = 'system' | 'user'

/**
 * All tiers: pinned first question, outline, newest exchanges, recall, epochs. What `compile` uses when no policy is given.
 *
 * @example
 * compile(messages, { window: 4096, policy: defaultPolicy({ recall: 'eager' }) })
 */
export function defaultPolicy(
  options: { readonly recall?: 'off' | 'gated' | 'eager'; readonly epochs?: boolean; readonly overflow?: Overflow } = {},
): Policy {
  const { recall = 'gated', epochs = true, overflow = 'error' } = options
  return {
    name: `default (recall ${recall}${epochs ? '' : ', no epochs'})`,
    system: 'in place',
    firstUser: { share: 1 / 8 },
    verbatim: { clipped: true },
    outline: { share: 1 / 10, line: 64 },
    recall: recall === 'off' ? null : recallSettings[recall],
    epochs: epochs ? { low: 1 / 3 } : null,
    marker: '[{messages} left out here to fit the window.]',
    overflow,
  }
}

/** Measured by `npm run bench:retention`: what is kept of the evidence against what is reused of the prompt. */
const recallSettings: Readonly<Record<'gated' | 'eager', RecallSetting>> = {
  gated: { reserve: 0.2, largest: 0.35, statement: 0.5, ofBest: 0.2, ofWeight: 0.15, leastWeight: 2, reads: 8192 },
  eager: { reserve: 0.9, largest: 1, statement: 1, ofBest: 0, ofWeight: 0, leastWeight: 0, reads: 8192 },
}

/**
 * At most the last `count` messages beside the system prompt, in whole exchanges; the current turn is never cut.
 *
 * @example
 * compile(messages, { window: 8192, policy: lastMessages(50) })
 */
export function lastMessages(count: number, options: { readonly overflow?: Overflow } = {}): Policy {
  return {
    name: `lastMessages(${count})`,
    system: 'once',
    firstUser: null,
    verbatim: { messages: count },
    outline: null,
    recall: null,
    epochs: null,
    marker: null,
    overflow: options.overflow ?? 'error',
  }
}

/**
 * The last `verbatim` finished exchanges whole, every older one as a digest.
 *
 * @example
 * compile(messages, { window: 4096, policy: tiered({ verbatim: 2 }), digesters: [lampProgram] })
 */
export function tiered(options: { readonly verbatim?: number; readonly overflow?: Overflow } = {}): Policy {
  const { verbatim = 2, overflow = 'error' } = options
  return {
    name: `tiered(${verbatim})`,
    system: 'in place',
    firstUser: null,
    verbatim: { exchanges: verbatim },
    outline: { share: 1 / 4, line: 64 },
    recall: null,
    epochs: null,
    marker: '[{messages} left out here to fit the window.]',
    overflow,
  }
}

/**
 * System prompt, first user message, a marker, and the newest exchanges that fit.
 * `overflow: 'keep'` sends these even when they are larger than the window.
 *
 * @example
 * compile(messages, { window: 4096, policy: firstAndRecent({ overflow: 'keep' }) })
 */
export function firstAndRecent(options: { readonly overflow?: Overflow } = {}): Policy {
  return {
    name: 'firstAndRecent',
    system: 'first',
    firstUser: { share: 1 },
    verbatim: {},
    outline: null,
    recall: null,
    epochs: null,
    marker: '[Several conversation turns removed to conserve context.]',
    overflow: options.overflow ?? 'error',
  }
}

/** The marker text for so many omitted messages. */
export function markerText(marker: string, messages: number): string {
  return marker.replaceAll('{messages}', messages === 1 ? '1 message' : `${messages} messages`)
}
