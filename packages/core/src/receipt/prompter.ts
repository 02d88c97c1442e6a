import { estimator } from '../count/estimator.ts'
import { MinutebookError } from '../log/error.ts'
import type { Message } from '../log/message.ts'
import type { CompileOptions } from '../policy/settings.ts'
import type { CallSettings } from './call-settings.ts'
import { createDeriver } from './derive.ts'
import { createFollower } from './follower.ts'
import type { LiveLog } from '../record/live-log.ts'
import { promptOf, type Prompt } from './prompt.ts'
import { isReceipt, receiptFrom } from './receipt.ts'
import { createReuseMeter } from './reuse.ts'

/** Makes the prompts of a log. */
export interface Prompter {
  next(log: LiveLog): Prompt
  /** How many tokens of a prompt that is about to be sent stood at the beginning of the one sent before. */
  reused(log: LiveLog, prompt: Prompt): number
}

/** Remembers what it counted: a log that has grown costs only what is new. */
export function createPrompter(options: CompileOptions, settings: CallSettings): Prompter {
  const follow = createFollower(options)
  const reuse = createReuseMeter(options.counter ?? estimator)
  let before: Prompt | undefined
  return {
    next: (log) => promptOf(follow(log.branch()), settings.tools, settings.wire),
    reused: (log, prompt) => {
      const reused = reuse(prompt.messages, promptBefore(log, options, before))
      before = prompt
      return reused
    },
  }
}

/** The prompt of the newest model call on record, on whatever branch: `mine` where it is that one. Empty where there is none, or where it cannot be derived any more. */
function promptBefore(log: LiveLog, options: CompileOptions, mine: Prompt | undefined): readonly Message[] {
  const entry = log.entries.findLast(isReceipt)
  if (!entry) return []
  const receipt = receiptFrom(entry)
  if (receipt.hash === mine?.hash) return mine.messages
  try {
    return createDeriver(log.entries, options)(receipt).messages
  } catch (error) {
    if (MinutebookError.isInstance(error)) return []
    throw error
  }
}
