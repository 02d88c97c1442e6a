import { recordedDigester, recordOf, type DigesterRecord } from '../compiler/digester.ts'
import type { Plan } from '../compiler/compile.ts'
import { isWhole, verdictCounts, type Verdict, type VerdictCounts } from '../compiler/verdict.ts'
import type { Policy } from '../compiler/policy.ts'
import type { Profile } from '../compiler/profile.ts'
import { settingsOf, type CompileOptions } from '../compiler/settings.ts'
import type { Entry, ModelOptions, OutputSchema } from '../log/entry.ts'
import { fail, MinutebookError } from '../log/error.ts'
import { canonicalJson } from '../log/json.ts'
import type { CallTime } from '../log/time.ts'
import { sha256 } from '#sha256'
import type { Finish, Model, ToolSchema, Usage } from '../models/model.ts'
import type { ContextOverflow, WindowSource } from '../models/server-window.ts'
import { counterNamed } from '../tokens/tokens.ts'
import type { TruncationFinding } from './truncation.ts'
import type { SentByReference } from './message-reference.ts'

/**
 * What is recorded of a model call? Enough to say what the model saw and to derive it again, but none of the text
 * itself.
 */
export interface Receipt {
  readonly version: 1
  /** The entry that the prompt ends with. */
  readonly head: string
  /** The newest entry that could be in the prompt when it was compiled. */
  readonly upto: string
  /** The number of entries in the log at that time. It tells calls apart that are equal in everything else. */
  readonly length: number
  /** SHA-256 of the settings entry's text that the prompt was compiled under. */
  readonly settings: string
  /** SHA-256 of the canonical JSON of the request's messages and tools. */
  readonly hash: string
  readonly tokens: {
    readonly predicted: number
    /** How many of them are the beginning of the previous prompt, byte for byte. */
    readonly reused: number
    readonly reported: Usage
    /**
     * The range in which the model's own count was expected. Absent if the counter did not know its margin of error.
     */
    readonly low?: number
    readonly high?: number
    /** What the counter predicted before calibration. */
    readonly uncalibrated?: number
  }
  /** When the model was called, and how long it took. Absent if the clock of the book does not tell the time. */
  readonly time?: CallTime
  /** The number of the prompt's epoch: how many compactions were before it. */
  readonly epoch: number
  /** How many entries had each verdict. */
  readonly verdicts: VerdictCounts
  /** What happened to the entries of the call's own turn. Absent if all of them were sent whole. */
  readonly turn?: TurnVerdicts
  /** The window that was asked for, if the prompt got a smaller one. */
  readonly window?: WindowLimit
  /** What was asked of the answer, next to the prompt. Absent if nothing was. */
  readonly options?: SentOptions
  /** The options of a request that change how a server reads its prompt, as JSON, or the hash of that. */
  readonly promptOptions?: Readonly<Record<string, string>>
  /**
   * What the same server and model answered between the thread's previous call and this one: a side request of the same
   * client, such as for a title, or another thread. Absent if nothing, or if that is not known.
   */
  readonly between?: 'title' | 'thread'
  /**
   * How the call ended: as the model says, or interrupted. `refused`: the server had a smaller window, and the question
   * was sent again in a prompt that fits. `unfit`: the answer did not have the form that was asked for, so it was not
   * recorded, and the question was sent again with the schema.
   */
  readonly outcome: Finish | 'cancelled' | 'failed' | 'refused' | 'unfit'
  /** What the server said, if it refused the call. */
  readonly told?: ContextOverflow
  /**
   * Where the size of the window comes from. `assumed`: from no source. Undefined: from the caller that opened the
   * thread.
   */
  readonly windowSource?: WindowSource
  /**
   * Of a proxied request (relay): the client's messages were sent unchanged, or Minutebook compiled a prompt in their
   * place.
   */
  readonly mode?: RelayMode
  /** Whether the server left out a part of what it was sent, by its own counts. Of turns only if that was checked. */
  readonly truncated?: TruncationFinding
  /** What was changed in a client's request so that it begins like the one before. Absent if nothing was. */
  readonly stabilised?: readonly Stabiliser[]
  /** The client's own id for the request. */
  readonly key?: string
  /** The messages that were sent unchanged, by reference. */
  readonly sent?: SentByReference
  /** The messages that the prompt was compiled from, by reference. Absent if that was the branch. */
  readonly request?: SentByReference
  /**
   * The first of these messages that is not a system message. After an erasure, it tells which part of the branch the
   * conversation is.
   */
  readonly since?: string
}

/** `tools`: they are sent sorted by name. `system`: its volatile lines are sent at its end. */
export type Stabiliser = 'tools' | 'system'

/** What was asked of the answer to a model call. The schema itself is with the message, or in the settings. */
export interface SentOptions extends Omit<ModelOptions, 'output'> {
  readonly output?: {
    /** SHA-256 of the schema's canonical JSON. */
    readonly hash: string
    /** False if the call went out without it: the model could still call tools. */
    readonly sent: boolean
  }
}

/** What happened to the entries of a prompt's own turn. */
export interface TurnVerdicts {
  /** What happened to the question. */
  readonly question: Verdict
  /** How many entries of the turn had each verdict, including the question. */
  readonly verdicts: VerdictCounts
}

/** A window that is smaller than the one that was asked for, in tokens. */
export interface WindowLimit {
  readonly asked: number
  readonly given: number
  /** Where the smaller size comes from. */
  readonly source: string
}

/** Whether a relay sent the client's own messages or a prompt that was compiled instead. */
export type RelayMode = 'unchanged' | 'rewritten'

/** A receipt, with the id and seq of its entry. */
export interface KeptReceipt extends Receipt {
  readonly id: string
  readonly seq: number
}

export function receiptText(receipt: Receipt): string {
  return canonicalJson(receipt)
}

export function receiptFrom(entry: Entry): KeptReceipt {
  return { ...(JSON.parse(entry.text) as Receipt), id: entry.id, seq: entry.seq }
}

/** The receipts among these entries, oldest first. Erased receipts are left out. */
export function receiptsOf(entries: readonly Entry[]): KeptReceipt[] {
  return entries
    .filter(isReceipt)
    .map(receiptFrom)
    .toSorted((left, right) => left.seq - right.seq)
}

export function isReceipt({ kind, status }: Entry): boolean {
  return kind === 'receipt' && status !== 'erased'
}

/** What a receipt has of the request. */
export type RequestReceipt = Pick<Receipt, 'sent' | 'request' | 'since'>

/** The messages of the request, by reference. Undefined if the call had none, or if its prompt was compiled from the branch. */
export function messagesIn({ sent, request }: Pick<RequestReceipt, 'sent' | 'request'>): SentByReference | undefined {
  return sent ?? request
}

/** True for a call whose prompt the server accepted: that prompt may be in the server's cache. */
export function isTaken(entry: Entry): boolean {
  return isReceipt(entry) && receiptFrom(entry).outcome !== 'refused'
}

/** How the model ended its answer. Undefined if the call has none: it was interrupted, refused, or did not fit. */
export function finishOf({ outcome }: Pick<Receipt, 'outcome'>): Finish | undefined {
  const isWithout = outcome === 'cancelled' || outcome === 'failed' || outcome === 'refused' || outcome === 'unfit'
  return isWithout ? undefined : outcome
}

/** The options of a call, as its receipt records them. `isSent`: whether the schema was sent with it. */
export function sentOptions({ output, ...others }: ModelOptions, isSent: boolean): SentOptions {
  return { ...others, ...(output && { output: { hash: sha256(canonicalJson(output)), sent: isSent } }) }
}

/**
 * What was asked of the answer to a recorded call, with the schema if that was sent. `log`: the entries of its thread,
 * one of which has the schema.
 */
export function optionsSent({ options: { output, ...others } = {} }: Receipt, log: readonly Entry[]): ModelOptions {
  if (!output?.sent) return others
  const schemas = log.map((entry) => entry.options?.output ?? settingsOutput(entry))
  const schema = schemas.find((known) => known !== undefined && sha256(canonicalJson(known)) === output.hash)
  return { ...others, ...(schema && { output: schema }) }
}

function settingsOutput(entry: Entry): OutputSchema | undefined {
  return entry.kind === 'settings' && entry.status !== 'erased' ? settingsFrom(entry).options?.output : undefined
}

/** What happened to the newest exchange. Undefined if all of it was sent whole or is hidden anyway. */
function turnVerdicts({ spans, exchanges }: Pick<Plan, 'spans' | 'exchanges'>): TurnVerdicts | undefined {
  const own = spans.filter(({ last }) => last === exchanges - 1)
  const [first] = own
  return !first || own.every(({ verdict }) => isWhole(verdict))
    ? undefined
    : { question: first.verdict, verdicts: verdictCounts({ spans: own }) }
}

/** What a receipt says of a compiled prompt. */
export function promptFacts({
  hash,
  compiled: { plan },
}: {
  readonly hash: string
  readonly compiled: { readonly plan: Plan }
}): Pick<Receipt, 'hash' | 'epoch' | 'verdicts' | 'turn'> {
  const turn = turnVerdicts(plan)
  return { hash, epoch: plan.epoch.number, verdicts: verdictCounts(plan), ...(turn && { turn }) }
}

/**
 * What does a prompt depend on, apart from the log? These settings are plain data, recorded as an entry whenever they
 * change.
 */
export interface CallSettings {
  /** The version of the compiler. Another version may make another prompt of the same log. */
  readonly compiler: number
  readonly model: string | null
  readonly wire: Model['wire'] | null
  /** What the model says about itself, if it does. */
  readonly facts?: Model['facts']
  readonly window: number
  readonly reserve: number | null
  readonly policy: Policy
  readonly profile: Profile
  /** By name, because functions cannot be stored. */
  readonly counter: string
  readonly digesters: readonly DigesterRecord[]
  readonly tools: readonly ToolSchema[]
  /** What is asked of every answer, unless a message asks otherwise. Absent if nothing is. */
  readonly options?: ModelOptions
}

/** The functions that settings name but cannot store. */
export type Functions = Pick<CompileOptions, 'counter' | 'digesters'>

const compiler = 1

export function callSettings(
  model: Model,
  options: CompileOptions,
  tools: readonly ToolSchema[],
  asked?: ModelOptions,
): CallSettings {
  const { window, policy, prices, digesting } = settingsOf(options)
  return {
    compiler,
    model: model.model ?? null,
    wire: model.wire ?? null,
    ...(model.facts && { facts: model.facts }),
    window,
    reserve: options.reserve ?? null,
    policy,
    profile: prices.profile,
    counter: prices.counter.name,
    digesters: digesting.digesters.map(recordOf),
    tools,
    ...(asked && { options: asked }),
  }
}

export function settingsText(settings: CallSettings): string {
  return canonicalJson(settings)
}

/** The settings that an entry records. */
export function settingsFrom(entry: Entry): CallSettings {
  return JSON.parse(entry.text) as CallSettings
}

/** Turns recorded settings back into options. Throws `cannot_derive` if a function that they name was not passed. */
export function optionsFor(settings: CallSettings, { counter, digesters = [] }: Functions): CompileOptions {
  const { window, reserve, policy, profile, tools } = settings
  if (settings.compiler !== compiler)
    throw new MinutebookError(
      'cannot_derive',
      `This prompt was made by version ${settings.compiler} of the compiler, and this is version ${compiler}.`,
      'Use a release with that version.',
    )
  const atHand = counterNamed(settings.counter, settingsOf({ window, ...(counter && { counter }) }).prices.counter)
  if (!atHand) throw notPassedError(`the counter "${settings.counter}"`, 'counter')
  const named = settings.digesters.map(
    (record) => recordedDigester(record, digesters) ?? fail(notPassedError(`the digester "${record.id}"`, 'digesters')),
  )
  return { window, ...(reserve !== null && { reserve }), policy, profile, counter: atHand, digesters: named, tools }
}

function notPassedError(what: string, option: keyof Functions): MinutebookError {
  return new MinutebookError(
    'cannot_derive',
    `This prompt was compiled with ${what}, which was not passed.`,
    `Open the thread with it as ${option}.`,
    { missing: option },
  )
}
