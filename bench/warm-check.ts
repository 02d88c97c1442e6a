import { compile, defaultPolicy } from 'minutebook'
import { advance, createFold } from 'minutebook/fold'
import type { Conversation } from './conversation.ts'
import type { Budget } from './strategy.ts'
import { o200k } from './tokens.ts'
import { toWire } from './wire-message.ts'

/**
 * What goes wrong between the ways to one prompt: a fold that grew message by message must give what compiling all
 * messages at once gives, and a question asked on a fork must leave its parent as it was.
 */
export function warmFaults({ id, messages, questions }: Conversation, budget: Budget): string[] {
  const options = { ...budget, counter: o200k, policy: defaultPolicy() }
  const wired = messages.map(toWire)
  const question = toWire({ role: 'user', text: questions[0]?.text ?? 'What did I say first?' })
  const faults: string[] = []
  let fold = createFold<(typeof wired)[number]>(options)
  for (const [index, message] of wired.entries()) {
    fold = advance(fold, message)
    if (message.role !== 'user' || index % 5 !== 0) continue
    const before = JSON.stringify(compile(fold).messages)
    compile(advance(fold, question))
    if (JSON.stringify(compile(fold).messages) !== before)
      faults.push(`${id}, message ${index}: a question on a fork changed its parent`)
    if (JSON.stringify(compile(wired.slice(0, index + 1), options).messages) !== before)
      faults.push(`${id}, message ${index}: warm and cold prompts differ`)
  }
  return faults
}
