import type { CompileOptions, Thread } from 'minutebook'
import { verdictCounts } from 'minutebook/inspect'
import { policyOf } from '@minutebook/experiment/run'
import { unknownPolicyError, type Policies } from '../stores/policies.ts'

/** The settings for making prompts again. A missing field keeps its recorded value. */
export interface ReplayChanges {
  readonly window?: number | undefined
  readonly reserve?: number | undefined
  /** The name of a policy. */
  readonly policy?: string | undefined
}

/** A past model call, as it would have been. */
export interface ReplayedCall {
  readonly receipt: string
  /** The entry that its prompt ends with. */
  readonly head: string
  /** Of the new prompt and of the one that was sent. */
  readonly tokens: { readonly sent: number; readonly replayed: number; readonly reused: number }
  readonly messages: number
  /** Whether the new prompt equals the prompt that was sent. */
  readonly same: boolean
  /** How many entries have each verdict. */
  readonly verdicts: Readonly<Record<string, number>>
}

export async function replayCall(
  thread: Thread,
  { window, reserve, policy }: ReplayChanges,
  policies: Policies,
): Promise<readonly ReplayedCall[]> {
  const named = policy === undefined ? undefined : ((await policies.find(policy)) ?? fail())
  const changes: Partial<CompileOptions> = {
    ...(window !== undefined && { window }),
    ...(reserve !== undefined && { reserve }),
    ...(named && { policy: policyOf(named.policy) }),
  }
  const calls = await thread.replay(changes)
  return calls.map(({ receipt, prompt, reused, same }) => ({
    receipt: receipt.id,
    head: receipt.head,
    tokens: { sent: receipt.tokens.predicted, replayed: prompt.compiled.tokens, reused },
    messages: prompt.messages.length,
    same,
    verdicts: verdictCounts(prompt.compiled.plan),
  }))
}

function fail(): never {
  throw unknownPolicyError()
}
