import { estimator } from '../count/estimator.ts'
import type { Message } from '../log/message.ts'
import type { Steps } from '../log/steps.ts'
import type { CompileOptions } from '../policy/settings.ts'
import { unread } from '../record/forgotten.ts'
import type { CallSettings } from './call-settings.ts'
import { checkpointDue, type Cadence, type CheckpointDue, type Moment } from './checkpoint-due.ts'
import { createDeriving, derivable, type Derivation } from './derive.ts'
import { createFollower } from './follower.ts'
import type { LiveLog } from '../record/live-log.ts'
import { promptOf, type Prompt } from './prompt.ts'
import { isTaken, receiptFrom, type KeptReceipt } from './receipt.ts'
import { createReuseMeter } from './reuse.ts'

/**
 * Makes the prompts of a log, step by step: a long log is worked through the first time. They are of the log as it stands when
 * the first step is made. Throws `forgotten` where that needs more of the log than is known.
 */
export interface Prompter {
  /** The one that would be sent now. */
  next(log: LiveLog): Steps<Prompt>
  /** The one that is about to be sent, and how many of its tokens stood at the beginning of the one sent before. */
  call(log: LiveLog): Steps<PromptToSend>
  /** The one of the branch that ends with `head`. */
  at(log: LiveLog, head: string): Steps<Prompt>
  /** The messages of a call on record; none where they cannot be derived any more. */
  sentBy(log: LiveLog, receipt: KeptReceipt): Steps<readonly Message[]>
}

function momentOf(log: LiveLog): Moment {
  return { start: log.start, erasures: log.erasures, kept: log.kept, entries: log.entries.slice(), branch: log.branch() }
}

export interface PromptToSend {
  readonly prompt: Prompt
  readonly reused: number
  /** To be called when the answer is on record: keeps a checkpoint where one is due. Never fails. */
  readonly keep: () => Promise<void>
}

/** Remembers what it counted: a log that has grown costs only what is new. */
export function createPrompter(options: CompileOptions, settings: CallSettings, cadence: Cadence): Prompter {
  const follow = createFollower(options)
  const reuse = createReuseMeter(options.counter ?? estimator)
  let before: Prompt | undefined
  const known = (): Map<string, Derivation> => new Map([[cadence.settingsHash, { settings, follow }]])
  const next = function* ({ start, branch }: Pick<Moment, 'start' | 'branch'>): Steps<Prompt> {
    if (start && start.settings !== cadence.settingsHash) throw unread()
    return yield* promptOf(yield* follow(branch, start), settings.tools, settings.wire)
  }
  return {
    next: (log) => next({ start: log.start, branch: log.branch() }),
    call: function* (log) {
      const now = momentOf(log)
      // First the one before, mostly from the beginning of this branch: then the branch is followed once for both.
      const earlier = yield* messagesBefore(now, options, before, known())
      const due = yield* checkpointDue(now, follow, cadence)
      const prompt = (before = yield* next(now))
      return { prompt, reused: reuse(prompt.messages, earlier), keep: () => keep(log, due) }
    },
    at: function* (log, head) {
      return yield* promptOf(yield* follow(log.branch(head)), settings.tools, settings.wire)
    },
    sentBy: function* (log, receipt) {
      const prompt = yield* derivable(createDeriving(log.entries.slice(), options, {}, known(), log.start), receipt)
      return prompt?.messages ?? []
    },
  }
}

/** A checkpoint can be lost: nobody waits for it. */
async function keep(log: LiveLog, due: CheckpointDue | undefined): Promise<void> {
  try {
    const checkpoint = due?.()
    if (checkpoint) await log.keep(checkpoint)
  } catch {
    // The next turn tries again.
  }
}

/** Of the newest model call on record, on whatever branch: `mine` where it is that one. None where there is no call, or where its prompt cannot be derived any more. */
function* messagesBefore({ entries, start }: Moment, options: CompileOptions, mine: Prompt | undefined, known: Map<string, Derivation>): Steps<readonly Message[]> {
  const entry = entries.findLast(isTaken)
  if (!entry && start) throw unread()
  if (!entry) return []
  const receipt = receiptFrom(entry)
  if (receipt.hash === mine?.hash) return mine.messages
  const prompt = yield* derivable(createDeriving(entries, options, {}, known, start), receipt)
  return prompt?.messages ?? []
}
