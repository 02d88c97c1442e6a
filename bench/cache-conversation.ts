import { chatSentence } from './chatter.ts'
import type { Conversation, Message } from './conversation.ts'
import type { Random } from './random.ts'
import { createRandom } from './random.ts'
import { o200k } from './tokens.ts'
import type { Topic } from './words.ts'
import { topics } from './words.ts'

/**
 * A long plain chat for measuring reuse alone: a system message of about 800 tokens and 200 exchanges, user messages
 * around 60 tokens and answers around 220, both log-normal.
 */
export function cacheConversation(exchanges = 200): Conversation {
  const random = createRandom(7)
  const messages: Message[] = [{ role: 'system', text: textOf(random, random.pick(topics), 800) }]
  for (let exchange = 0; exchange < exchanges; exchange++) {
    const topic = random.pick(topics)
    messages.push({ role: 'user', text: textOf(random, topic, random.lognormal(60, 0.7)) })
    messages.push({ role: 'assistant', text: textOf(random, topic, random.lognormal(220, 0.6)) })
  }
  return { dataset: 'cache conversation', id: 'cache', messages, questions: [] }
}

function textOf(random: Random, topic: Topic, tokens: number): string {
  const words: string[] = []
  let left = Math.max(5, Math.round(tokens))
  while (left > 0) {
    const sentence = chatSentence(random, topic)
    const count = o200k.count(` ${sentence}`)
    words.push(count <= left ? sentence : sentence.split(' ').slice(0, left).join(' '))
    left -= count
  }
  return words.join(' ')
}
