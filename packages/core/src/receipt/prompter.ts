import { estimator } from '../count/estimator.ts'
import type { Message } from '../log/message.ts'
import type { CompileOptions } from '../policy/settings.ts'
import type { CallSettings } from './call-settings.ts'
import { createDeriver, derivable, type Derivation } from './derive.ts'
import { createFollower } from './follower.ts'
import type { LiveLog } from '../record/live-log.ts'
import { promptOf, type Prompt } from './prompt.ts'
import { isReceipt, receiptFrom } from './receipt.ts'
import { createReuseMeter } from './reuse.ts'

/** Makes the prompts of a log. */
export interface Prompter {
  /** The one that would be sent now. */
  next(log: LiveLog): Prompt
  /** The one that is about to be sent, and how many of its tokens stood at the beginning of the one sent before. */
  call(log: LiveLog): PromptToSend
}

export interface PromptToSend {
  readonly prompt: Prompt
  readonly reused: number
}

/** Remembers what it counted: a log that has grown costs only what is new. */
export function createPrompter(options: CompileOptions, settings: CallSettings, settingsHash: string): Prompter {
  const follow = createFollower(options)
  const reuse = createReuseMeter(options.counter ?? estimator)
  let before: Prompt | undefined
  const next = (log: LiveLog): Prompt => promptOf(follow(log.branch()), settings.tools, settings.wire)
  return {
    next,
    call: (log) => {
      // First the one before, mostly from the beginning of this branch: then the branch is followed once for both.
      const earlier = messagesBefore(log, options, before, new Map([[settingsHash, { settings, follow }]]))
      const prompt = (before = next(log))
      return { prompt, reused: reuse(prompt.messages, earlier) }
    },
  }
}

/** Of the newest model call on record, on whatever branch: `mine` where it is that one. None where there is no call, or where its prompt cannot be derived any more. */
function messagesBefore(log: LiveLog, options: CompileOptions, mine: Prompt | undefined, known: Map<string, Derivation>): readonly Message[] {
  const entry = log.entries.findLast(isReceipt)
  if (!entry) return []
  const receipt = receiptFrom(entry)
  if (receipt.hash === mine?.hash) return mine.messages
  return derivable(createDeriver(log.entries, options, {}, known), receipt)?.messages ?? []
}
