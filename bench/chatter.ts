import type { Random } from './random.ts'
import type { Topic } from './words.ts'
import { matters, people } from './words.ts'

/** One sentence that states nothing anybody will ask about, though it may name people who are asked about. */
export function chatSentence(random: Random, { nouns, verbs, qualities }: Topic): string {
  const noun = (): string => random.pick(nouns)
  const verb = (): string => random.pick(verbs)
  const quality = (): string => random.pick(qualities)
  const person = (): string => random.pick(people)
  return random.pick([
    () => `The ${noun()} looks rather ${quality()} today.`,
    () => `I tried to ${verb()} the ${noun()} but it stayed ${quality()}.`,
    () => `${person()} says the ${noun()} is more ${quality()} than the ${noun()}.`,
    () => `Maybe we should ${verb()} again before the ${noun()} gets ${quality()}.`,
    () => `I keep thinking about the ${noun()} and the ${quality()} ${noun()}.`,
    () => `${person()} and ${person()} came along to ${verb()} for a while.`,
    () => `Honestly the ${noun()} was ${quality()}, so we chose to ${verb()} later.`,
    () => `Did I mention how ${quality()} the ${noun()} has been?`,
    () => `A ${quality()} ${noun()} is still better than none.`,
    () => `${person()} went on about the ${random.pick(matters)} again while we tried to ${verb()}.`,
    () => `I still owe ${person()} an answer about the ${random.pick(matters)} and the ${random.pick(matters)}.`,
    () => `${person()} never knows what to say about a ${random.pick(matters)}.`,
    () => `It took all morning to ${verb()} near the ${noun()}.`,
  ])()
}

/** A short reply that could follow anything. */
export function chatReply(random: Random, topic: Topic): string {
  const opening = random.pick([
    'Sounds good.',
    'I see.',
    'That makes sense.',
    'Oh, lovely.',
    'Fair enough.',
    'Ha, typical.',
    'Right.',
    'Thanks for telling me.',
  ])
  return `${opening} ${chatSentence(random, topic)} ${random.pick([`How did the ${random.pick(topic.nouns)} go?`, 'What happens next?', 'Anything else?', 'Shall we go on?'])}`
}

/** A long answer in Markdown, the way assistants write them. */
export function longAnswer(random: Random, topic: Topic, sentences: number): string {
  const parts = [`Here is how I would approach the ${random.pick(topic.nouns)}.`]
  let left = sentences
  while (left > 0) {
    const taken = Math.min(left, random.between(3, 6))
    const lines = Array.from({ length: taken }, () => chatSentence(random, topic))
    parts.push(
      random.next() < 0.5
        ? lines.join(' ')
        : `### ${capital(random.pick(topic.nouns))}\n${lines.map((line, index) => `${index + 1}. **${capital(random.pick(topic.nouns))}**: ${line}`).join('\n')}`,
    )
    left -= taken
  }
  return parts.join('\n\n')
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}
