import { estimator } from '../count/estimator.ts'
import type { Entry } from '../log/entry.ts'
import type { Message } from '../log/message.ts'
import { inSlices, itemWork, type Pause } from '../log/steps.ts'
import type { CompileOptions } from '../policy/settings.ts'
import type { Functions } from './call-settings.ts'
import { createDeriving } from './derive.ts'
import type { Prompt } from './prompt.ts'
import type { KeptReceipt } from './receipt.ts'
import { createReuseMeter } from './reuse.ts'

/** A model call of the past, as it would have been. */
export interface Replayed {
  readonly receipt: KeptReceipt
  readonly prompt: Prompt
  /** How many of its tokens stood at the beginning of the replayed prompt before. */
  readonly reused: number
  /** Whether it is the prompt that was sent. */
  readonly same: boolean
}

/** The prompts of recorded model calls under other options; what is not given stays as it was recorded. */
export async function replay(log: readonly Entry[], receipts: readonly KeptReceipt[], changes: Partial<CompileOptions>, functions: Functions, pause: Pause): Promise<Replayed[]> {
  const derive = createDeriving(log, functions, changes)
  const reuse = createReuseMeter(changes.counter ?? functions.counter ?? estimator)
  let before: readonly Message[] = []
  const calls: Replayed[] = []
  for (const receipt of receipts) {
    const prompt = await inSlices(derive(receipt), pause)
    const reused = reuse(prompt.messages, before)
    before = prompt.messages
    calls.push({ receipt, prompt, reused, same: prompt.hash === receipt.hash })
    await pause(prompt.messages.length * itemWork)
  }
  return calls
}
