import {
  estimator,
  history,
  MinutebookError,
  type Entry,
  type Message,
  type Policy,
  type Profile,
  type TokenCounter,
  type ToolSchema,
} from 'minutebook'
import { inspect, type Inspection } from '@minutebook/inspect'
import {
  counterNamed,
  createDeriver,
  createReuseMeter,
  receiptsOf,
  type KeptReceipt,
  type Prompt,
} from 'minutebook/inspect'
import { entryIn, sha256 } from 'minutebook/store'
import { optionsOf, type Changes } from './changes.ts'
import { recordedCounts, type Counts, type Estimated, type RecordedCounts } from './recorded-counts.ts'

/** A recorded thread whose prompts can be made again in the browser. */
export interface Lab {
  readonly log: readonly Entry[]
  /** Of the newest branch, oldest first. */
  readonly receipts: readonly KeptReceipt[]
  readonly settings: (receipt: KeptReceipt) => LabSettings
  readonly counts: RecordedCounts
}

/** The settings of a call. */
export interface LabSettings {
  readonly model: string | null
  readonly window: number
  readonly reserve: number | null
  readonly policy: Policy
  readonly profile: Profile
  readonly counter: string
}

/** A call under other settings, in numbers. */
export type Recompiled =
  | {
      readonly receipt: string
      readonly tokens: number
      readonly reused: number
      readonly messages: number
      readonly same: boolean
      readonly overflow: number
      readonly epoch: number
    }
  | { readonly receipt: string; readonly problem: Problem }

/** Why a prompt cannot be made: it does not fit, or a part of it was erased. */
export interface Problem {
  readonly code: string
  readonly message: string
}

/** A call under other settings, with all that the screen shows of it. */
export interface LabCall extends Inspection {
  readonly receipt: string
  readonly window: number
  readonly reserve: number
  readonly tokens: number
  readonly overflow: number
  readonly policy: string
  readonly counter: string
  readonly hash: string
  readonly same: boolean
  /** The texts and tokens that are only estimated. */
  readonly estimated: Estimated
  readonly sent: { readonly messages: readonly Message[]; readonly tools: readonly ToolSchema[] }
}

/** Reads the lines of an export. Throws if one of them is malformed. */
export function openLab(lines: readonly string[], counts: Counts): Lab {
  const log = lines.filter((line) => line !== '').flatMap((line, seq) => entryIn(line, seq) ?? [])
  const settings = new Map(
    log
      .filter(({ kind, status }) => kind === 'settings' && status !== 'erased')
      .map(({ text }) => [sha256(text), JSON.parse(text) as LabSettings]),
  )
  return {
    log,
    receipts: receiptsOf(history(log)),
    settings: (receipt) =>
      settings.get(receipt.settings) ??
      fail('cannot_derive', 'The settings of this call were erased.', 'Choose another call.'),
    counts: recordedCounts(
      counts,
      log.map(({ text }) => text),
    ),
  }
}

/** All calls under other settings, in numbers. */
export async function* recompiled(lab: Lab, changes: Changes): AsyncGenerator<Recompiled, void, void> {
  const newest = lab.receipts.at(-1)
  if (!newest) return
  const derive = createDeriver(
    lab.log,
    { counter: lab.counts.counter },
    optionsOf(changes, lab.settings(newest).policy),
  )
  const reuse = createReuseMeter(lab.counts.counter)
  let before: readonly Message[] = []
  for (const receipt of lab.receipts) {
    const made = await attempt(() => derive(receipt))
    if ('problem' in made) {
      before = []
      yield { receipt: receipt.id, problem: made.problem }
      continue
    }
    const { messages, compiled, hash } = made.value
    yield {
      receipt: receipt.id,
      tokens: compiled.tokens,
      reused: reuse(messages, before),
      messages: messages.length,
      same: hash === receipt.hash,
      overflow: compiled.plan.overflow,
      epoch: compiled.plan.epoch.number,
    }
    before = messages
  }
}

/** One call under other settings, for the screen. */
export async function labCall(
  lab: Lab,
  receipt: KeptReceipt,
  changes: Changes,
): Promise<LabCall | { readonly problem: Problem }> {
  const { policy } = lab.settings(receipt)
  const { value: made, estimated } = await lab.counts.watch(() =>
    attempt(() => createDeriver(lab.log, { counter: lab.counts.counter }, optionsOf(changes, policy))(receipt)),
  )
  return 'problem' in made ? made : { ...drawn(lab, receipt, made.value), estimated }
}

function drawn(
  lab: Lab,
  receipt: KeptReceipt,
  { compiled: { plan, pieces }, messages, tools, hash, planned, unchanged }: Prompt,
): Omit<LabCall, 'estimated'> {
  const counter: TokenCounter = counterNamed(plan.counter, lab.counts.counter) ?? estimator
  const entries = planned()
  const { window, reserve, tokens, overflow, policy } = plan
  return {
    ...inspect({ plan, pieces, messages, tools, entries, unchanged }, counter),
    receipt: receipt.id,
    window,
    reserve,
    tokens,
    overflow,
    policy,
    counter: plan.counter,
    hash,
    same: hash === receipt.hash,
    sent: { messages, tools },
  }
}

/** A prompt that does not fit is a result, not a failure. */
async function attempt<T>(make: () => Promise<T>): Promise<{ readonly value: T } | { readonly problem: Problem }> {
  try {
    return { value: await make() }
  } catch (error) {
    if (!MinutebookError.isInstance(error)) throw error
    return { problem: { code: error.code, message: error.message } }
  }
}

function fail(code: string, problem: string, fix: string): never {
  throw new MinutebookError(code, problem, fix)
}
