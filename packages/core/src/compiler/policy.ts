import { MinutebookError } from '../log/error.ts'
import { traits, type Kind } from '../log/kind.ts'
import { checkNames, shown, type OptionNames } from '../log/options.ts'
import type { DigesterData } from './digester.ts'

/**
 * How a conversation is fitted into the window, as data that can be read, stored and compared. Shares of the outline
 * and of recall are of what the head (system entries, pinned entry, notes, marker) leaves of the budget.
 */
export interface Policy {
  readonly name: string
  /**
   * Where system entries go that come later in the log. `'in place'`: they stay in place until the cut passes them,
   * then move to the head. `'first'`: all go to the head at once. `'once'`: like `'first'`, but each text only once.
   */
  readonly system: 'in place' | 'first' | 'once'
  /** Pins the first user entry. If it costs more than `share` of the budget, it is clipped to that. */
  readonly firstUser: { readonly share: number } | null
  /**
   * The newest exchanges are sent whole: at most this number of exchanges, or of messages, next to the current one.
   * `clipped`: the first exchange that does not fit is clipped instead of left out. `partly`: its newest messages are
   * sent as far as they fit, a call only with its results; without epochs only.
   */
  readonly verbatim: {
    readonly exchanges?: number
    readonly messages?: number
    readonly clipped?: boolean
    readonly partly?: boolean
  }
  /**
   * Older exchanges get a digest of at most `line` tokens each. If these are too many, they are gathered into chapters.
   */
  readonly outline: { readonly share: number; readonly line: number } | null
  /**
   * `share`: what messages that someone has pinned may take of the budget, without the share of notes, if they are
   * quoted. Beyond that, they are clipped. Default: three tenths.
   */
  readonly pins?: { readonly share: number }
  /** Brings back entries from before the cut that the latest message asks about. */
  readonly recall: RecallSetting | null
  /** Where notes are sent, and how many. */
  readonly notes?: NotesSetting
  /** Between two compactions the prompt only grows. A compaction fills only `low` of the room for exchanges. */
  readonly epochs: { readonly low: number } | null
  /**
   * A text that is sent once if messages are omitted. `{messages}` becomes "12 messages"; a marker without it is
   * static.
   */
  readonly marker: string | null
  /** What happens if the required messages (the floor) do not fit even after clipping. */
  readonly overflow: Overflow
  /** The digesters to use: templates, or those that are passed in by `id@version`. Default: all that are passed in. */
  readonly digesters?: readonly (string | DigesterData)[]
}

/** How much is recalled. Shares are of the room that the head leaves. */
export interface RecallSetting {
  /** Kept free for recall from the first compaction on. */
  readonly reserve: number
  /** The largest recall. It may take more than the reserve if there is room. */
  readonly largest: number
  /** If the message asks no question, only this share of `largest` is used. */
  readonly statement: number
  /** Entries below this share of the best entry's value are not recalled. */
  readonly ofBest: number
  /** An entry must match at least this share of the query's weight. */
  readonly ofWeight: number
  /** A query whose known stems weigh less than this ("thanks!") recalls nothing. */
  readonly leastWeight: number
  /**
   * How many postings a query reads at most, no matter how long the log is. It reads the rarest stems first, and of
   * each stem the newest postings.
   */
  readonly reads: number
}

type Overflow = 'error' | 'keep'
type OverflowOption = { readonly overflow?: Overflow | undefined }
const overflowOption: OptionNames<OverflowOption> = { overflow: true }

/** The role of messages with notes. */
export type NotesRole = 'system' | 'user'

/** How notes are sent. Every field has a default. */
export interface NotesSetting {
  /** The most notes in the head. Default: 10. */
  readonly last?: number | undefined
  /**
   * `'in place'` (default): a note is sent after its turn until a compaction moves it to the head, so that prompts only
   * grow in between. `'system'`: the last notes are in the head of every prompt, as a part of the system message if the
   * role allows it. Each new note then changes the beginning of the prompt, and a prompt cache starts over.
   */
  readonly place?: 'in place' | 'system' | undefined
  /**
   * What the notes in the head may take of the budget, from 0 to 1. Default: a quarter, or half for `'system'`. Notes
   * take no more than they need.
   */
  readonly share?: number | undefined
  /**
   * The role of messages with notes. Default: `system`, because the model itself wrote them. `user` is safer if the model
   * reads text that it should not obey, since it may copy that into a note. The journal always has the role `user`.
   */
  readonly role?: NotesRole | undefined
}

/**
 * The policy that `compile` uses by default. It has all tiers: pinned first question, outline, newest exchanges,
 * recall, epochs.
 *
 * @example
 * compile(messages, { window: 4096, policy: defaultPolicy({ recall: 'eager' }) })
 */
export function defaultPolicy(
  options: OverflowOption & {
    readonly recall?: 'off' | 'gated' | 'eager' | undefined
    readonly epochs?: boolean | undefined
  } = {},
): Policy {
  const names: OptionNames<typeof options> = { ...overflowOption, recall: true, epochs: true }
  checkNames('defaultPolicy', options, names)
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

/**
 * Measured by `npm run bench:retention`, which weighs the evidence that is kept against the part of the prompt that is
 * reused.
 */
const recallSettings: Readonly<Record<'gated' | 'eager', RecallSetting>> = {
  gated: { reserve: 0.2, largest: 0.35, statement: 0.5, ofBest: 0.2, ofWeight: 0.15, leastWeight: 2, reads: 8192 },
  eager: { reserve: 0.9, largest: 1, statement: 1, ofBest: 0, ofWeight: 0, leastWeight: 0, reads: 8192 },
}

/**
 * Sends at most the last `count` messages after the system prompt, in whole exchanges. The current turn is never cut.
 *
 * @example
 * compile(messages, { window: 8192, policy: lastMessages(50) })
 */
export function lastMessages(count: number, options: OverflowOption = {}): Policy {
  checkNames('lastMessages', options, overflowOption)
  if (typeof count !== 'number')
    throw new MinutebookError(
      'invalid_options',
      `lastMessages takes a number of messages, and got ${shown(count)}.`,
      'Pass it by itself, as in lastMessages(50).',
    )
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
 * Sends the last `verbatim` finished exchanges whole, and every older one as a digest of at most `line` tokens. A
 * digester may set a longer line for its own. `share`: how much of the room digests may take if whole exchanges need it,
 * from 0 to 1.
 *
 * @example
 * compile(messages, { window: 4096, policy: tiered({ verbatim: 2 }), digesters: [lampProgram] })
 */
export function tiered(
  options: OverflowOption & {
    /** Default: 2. */
    readonly verbatim?: number | undefined
    /** Default: 64. */
    readonly line?: number | undefined
    /** Default: 1/4. */
    readonly share?: number | undefined
  } = {},
): Policy {
  const names: OptionNames<typeof options> = { ...overflowOption, verbatim: true, line: true, share: true }
  checkNames('tiered', options, names)
  const { verbatim = 2, line = 64, share = 1 / 4, overflow = 'error' } = options
  const changed = [
    ...(line === 64 ? [] : [`line ${line}`]),
    ...(share === 1 / 4 ? [] : [`outline ${Math.round(share * 100)}%`]),
  ]
  return {
    name: `tiered(${[verbatim, ...changed].join(', ')})`,
    system: 'in place',
    firstUser: null,
    verbatim: { exchanges: verbatim },
    outline: { share, line },
    recall: null,
    epochs: null,
    marker: '[{messages} left out here to fit the window.]',
    overflow,
  }
}

/**
 * Sends the system prompt, the first user message, a marker, and the newest messages that fit. `overflow: 'keep'`
 * sends the required messages even if they are larger than the window.
 *
 * @example
 * compile(messages, { window: 4096, policy: firstAndRecent({ overflow: 'keep' }) })
 */
export function firstAndRecent(options: OverflowOption = {}): Policy {
  checkNames('firstAndRecent', options, overflowOption)
  return {
    name: 'firstAndRecent',
    system: 'first',
    firstUser: { share: 1 },
    verbatim: { partly: true },
    outline: null,
    recall: null,
    epochs: null,
    marker: '[Several conversation turns removed to conserve context.]',
    overflow: options.overflow ?? 'error',
  }
}

/**
 * What can be changed in a policy: how much its tiers may take, and the role of messages with notes. What is absent
 * stays as it is in the policy. A share of 0 removes the tier.
 */
export interface PolicyChanges {
  /** For digests of older exchanges: a share of the room, from 0 to 1. */
  readonly outline?: number | undefined
  /** Kept free for recall: a share of the room, from 0 to 1. */
  readonly recall?: number | undefined
  /** What the notes in the head may take of the budget, from 0 to 1. */
  readonly notes?: number | undefined
  /** What pinned messages may take of the budget, from 0 to 1. With 0, they are clipped as far as that is possible. */
  readonly pins?: number | undefined
  readonly notesRole?: NotesRole | undefined
}

const policyChanges: OptionNames<PolicyChanges> = {
  outline: true,
  recall: true,
  notes: true,
  pins: true,
  notesRole: true,
}

/**
 * Returns the policy with other shares for its tiers, or another role for its notes. The new name says so.
 *
 * @example
 * withShares(defaultPolicy(), { outline: 0.2, recall: 0 }).name // 'default (recall gated), outline 20%, recall 0%'
 */
export function withShares(policy: Policy, changes: PolicyChanges): Policy {
  checkNames('withShares', changes, policyChanges)
  const { outline, recall, notes, pins, notesRole } = changes
  const said = Object.entries({ outline, recall, notes, pins }).filter(([, share]) => share !== undefined)
  return {
    ...policy,
    name: [
      policy.name,
      ...said.map(([tier, share]) => `${tier} ${Math.round(Number(share) * 100)}%`),
      ...(notesRole === undefined ? [] : [`notes as ${notesRole}`]),
    ].join(', '),
    ...(outline !== undefined && { outline: outline === 0 ? null : { line: 64, ...policy.outline, share: outline } }),
    ...(recall !== undefined && { recall: recallOf(policy, recall) }),
    ...(pins !== undefined && { pins: { share: pins } }),
    ...((notes !== undefined || notesRole !== undefined) && {
      notes: {
        ...policy.notes,
        ...(notes !== undefined && { share: notes }),
        ...(notesRole !== undefined && { role: notesRole }),
      },
    }),
  }
}

function recallOf(policy: Policy, share: number): Policy['recall'] {
  const setting = policy.recall ?? defaultPolicy().recall
  return share === 0 || !setting ? null : { ...setting, reserve: share, largest: Math.max(share, setting.largest) }
}

/** True if the newest notes are in the head of every prompt. */
export function notesInHead({ notes }: Policy): boolean {
  return notes?.place === 'system'
}

/** True for entries that are never among the messages: system texts, journal entries, and notes if they are in the head. */
export function isApart(kind: Kind, policy: Policy): boolean {
  const { pinned, late, chained } = traits[kind]
  return pinned || late || (!chained && notesInHead(policy))
}

/** Can this policy be followed? Throws `invalid_policy` if a field of it is missing, misspelt or out of range. */
export function checkPolicy(policy: Policy): Policy {
  if (typeof policy !== 'object' || policy === null)
    throw invalidPolicyError('it is not an object', 'Pass defaultPolicy() or another preset.')
  const fields: ReadonlyMap<string, unknown> = new Map(Object.entries(policy))
  for (const name of fields.keys())
    if (!(name in rules))
      throw invalidPolicyError(`it has no field ${name}`, `The fields are ${Object.keys(rules).join(', ')}.`)
  for (const [name, rule] of Object.entries(rules)) {
    if (!rule.holds(fields.get(name)))
      throw invalidPolicyError(
        `${name} is ${JSON.stringify(fields.get(name)) ?? 'missing'}`,
        `It must be ${rule.wants}; spread defaultPolicy() to change a part of it.`,
      )
  }
  const { exchanges, messages } = policy.verbatim
  if (policy.epochs && (exchanges ?? messages) !== undefined)
    throw invalidPolicyError(
      'a cap on exchanges or messages moves with every turn, and epochs do not',
      'Set epochs to null.',
    )
  if (policy.epochs && policy.verbatim.partly)
    throw invalidPolicyError(
      'an exchange that is sent partly changes with every turn, and epochs do not',
      'Set epochs to null.',
    )
  return policy
}

interface Rule {
  readonly wants: string
  holds(value: unknown): boolean
}

const rules: Readonly<Record<keyof Policy, Rule>> = {
  name: { wants: 'a text', holds: (value) => typeof value === 'string' },
  system: oneOf('in place', 'first', 'once'),
  firstUser: {
    wants: 'null or { share } with a share from 0 to 1',
    holds: (value) => value === null || hasShares(value, 'share'),
  },
  verbatim: {
    wants: 'an object with exchanges, messages, clipped or partly',
    holds: (value) => hasCounts(value, 'exchanges', 'messages'),
  },
  outline: {
    wants: 'null or { share, line }',
    holds: (value) => value === null || (hasShares(value, 'share') && hasCounts(value, 'line')),
  },
  recall: {
    wants: 'null or all fields of a RecallSetting',
    holds: (value) =>
      value === null ||
      (hasShares(value, 'reserve', 'largest', 'statement', 'ofBest', 'ofWeight') &&
        hasCounts(value, 'leastWeight', 'reads')),
  },
  pins: {
    wants: 'left out or { share } with a share from 0 to 1',
    holds: (value) => value === undefined || hasShares(value, 'share'),
  },
  notes: {
    wants:
      "left out or { last, place, share, role }: a number, 'in place' or 'system', a share from 0 to 1, 'system' or 'user', each of which may be left out",
    holds: (value) => value === undefined || isNotes(value),
  },
  epochs: {
    wants: 'null or { low } with a share from 0 to 1',
    holds: (value) => value === null || hasShares(value, 'low'),
  },
  marker: {
    wants: 'null or a text that is not empty',
    holds: (value) => value === null || (typeof value === 'string' && value !== ''),
  },
  overflow: oneOf('error', 'keep'),
  digesters: {
    wants: 'left out or a list of ids and templates',
    holds: (value) => value === undefined || Array.isArray(value),
  },
}

function oneOf(...words: readonly string[]): Rule {
  return {
    wants: words.map((word) => `'${word}'`).join(' or '),
    holds: (value) => typeof value === 'string' && words.includes(value),
  }
}

function isNotes(value: unknown): boolean {
  if (!isRecord(value) || Object.keys(value).some((name) => !notesFields.has(name))) return false
  const { share, role, place } = value
  return (
    hasCounts(value, 'last') &&
    (share === undefined || hasShares(value, 'share')) &&
    (role === undefined || role === 'system' || role === 'user') &&
    (place === undefined || place === 'in place' || place === 'system')
  )
}

const notesFields: ReadonlySet<string> = new Set(['last', 'place', 'share', 'role'])

function hasShares(value: unknown, ...names: readonly string[]): boolean {
  return isRecord(value) && names.every((name) => isNumber(value[name]) && value[name] <= 1)
}

function hasCounts(value: unknown, ...names: readonly string[]): boolean {
  return isRecord(value) && names.every((name) => value[name] === undefined || isNumber(value[name]))
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number' && value >= 0
}

function invalidPolicyError(what: string, fix: string): MinutebookError {
  return new MinutebookError('invalid_policy', `The policy cannot be followed: ${what}.`, fix)
}
