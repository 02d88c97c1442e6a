import { createRandom } from '../random.ts'
import { chatSentence } from '../chatter.ts'
import { topics } from '../words.ts'

/** What is said in the entries: prose of log-normal length, so that an entry has about 1 KB and some have many. */
export function makeTexts(count: number): string[] {
  const random = createRandom(11)
  return Array.from({ length: count }, () => {
    const topic = random.pick(topics)
    const length = Math.max(20, Math.round(random.lognormal(meanLength, 0.6)))
    let text = chatSentence(random, topic)
    while (text.length < length) text += ` ${chatSentence(random, topic)}`
    return text.slice(0, length)
  })
}

/** One text of just that length: what is appended while it is measured. */
export function oneText(): string {
  return makeTexts(40).join(' ').slice(0, meanLength)
}

/** What surrounds the text in a stored entry takes the rest of the kilobyte. */
const meanLength = 680
