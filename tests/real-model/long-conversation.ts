import type { Message } from 'minutebook'
import { assistant, call, result, system, user } from '@minutebook/testing'
import { seededRandom } from './random.ts'
import { prose } from './texts.ts'

/**
 * A conversation of ordinary turns, always the same; every sixth uses a tool, every fourth asks about something
 * earlier.
 */
export function longConversation(turns: number): Message[] {
  const random = seededRandom(60)
  const said = (most: number): string => prose(random, 10 + Math.floor(random() * most))
  const messages: Message[] = [system(`You keep the minutes. ${said(30)}`)]
  for (let turn = 0; turn < turns; turn += 1) {
    const earlier = messages[Math.floor(random() * messages.length)]?.content
    messages.push(user(turn % 4 === 3 ? `What was that about ${String(earlier).slice(0, 60)}?` : said(40)))
    if (turn % 6 === 5)
      messages.push(
        assistant(null, call(`call_${turn}`, 'search', { about: said(3) })),
        result(`call_${turn}`, said(80)),
      )
    messages.push(assistant(said(90)))
  }
  return messages
}
