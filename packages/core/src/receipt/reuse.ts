import { checkedCount, overheadOf, type TokenCounter } from '../count/tokens.ts'
import { canonicalJson } from '../log/canonical.ts'
import { argumentsText, readMessage, type Message } from '../log/message.ts'

/** Counts how many tokens of a prompt stood at the beginning of the one before; a message that is sent again is not counted again. */
export function createReuseMeter(counter: TokenCounter): (prompt: readonly Message[], before: readonly Message[]) => number {
  const counted = new WeakMap<Message, number>()
  const tokensOf = (message: Message): number => {
    const tokens = counted.get(message) ?? messageTokens(counter, message)
    counted.set(message, tokens)
    return tokens
  }
  return (prompt, before) => {
    let tokens = 0
    for (const [index, message] of prompt.entries()) {
      const other = before[index]
      if (other === undefined || (other !== message && canonicalJson(other) !== canonicalJson(message))) break
      tokens += tokensOf(message)
    }
    return tokens
  }
}

/**
 * What a message of a prompt costs by a counter, with what a template puts around it.
 *
 * @example
 * messageTokens(estimator, { role: 'user', content: 'The harbour was quiet.' }) // 12
 */
export function messageTokens(counter: TokenCounter, message: Message): number {
  const overhead = overheadOf(counter)
  const { text, calls, images, reasoning } = readMessage(message)
  const count = (part: string): number => (part === '' ? 0 : checkedCount(counter, part))
  const ofCalls = calls.reduce((sum, call) => sum + overhead.call + count(call.name) + count(argumentsText(call)), 0)
  return overhead.message + count(text) + count(reasoning) + ofCalls + images.length * overhead.image
}
