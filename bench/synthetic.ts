import { chatReply, chatSentence, longAnswer } from './chatter.ts'
import type { Conversation, Message, Question, ToolCall } from './conversation.ts'
import type { Fact } from './facts.ts'
import { makeFacts } from './facts.ts'
import { makeOrders } from './orders.ts'
import type { Random } from './random.ts'
import { createRandom } from './random.ts'
import type { Topic } from './words.ts'
import { topics } from './words.ts'

/** The styles of conversation that the generator knows. */
export const styles = ['chatty', 'lengthy', 'tools'] as const
export type Style = (typeof styles)[number]

/**
 * A conversation with facts that are stated once amid chatter, and questions about them with their evidence labelled.
 * The same arguments give the same conversation, byte for byte.
 */
export function generate(style: Style, seed: number, exchanges: number): Conversation {
  const random = createRandom(seed * 31 + styles.indexOf(style))
  const draft: Draft = { messages: [], questions: [] }
  const facts = makeFacts(random, Math.floor(exchanges / 4))
  const turns = random.shuffled([...Array(exchanges).keys()])
  const factAt = new Map(facts.map((fact, index) => [turns[index] as number, fact]))
  let topic = random.pick(topics)
  for (let exchange = 0; exchange < exchanges; exchange++) {
    if (exchange % 8 === 0) topic = random.pick(topics)
    writers[style](draft, random, topic, factAt.get(exchange))
  }
  return {
    dataset: `generated ${style}`,
    id: `${style}-${seed}`,
    messages: draft.messages,
    questions: random.shuffled([...draft.questions, ...pairs(random, draft.questions)]),
  }
}

interface Draft {
  readonly messages: Message[]
  readonly questions: Question[]
}

/** Writes one exchange, with the fact in it when there is one. */
type Writer = (draft: Draft, random: Random, topic: Topic, fact: Fact | undefined) => void

const writers: Readonly<Record<Style, Writer>> = {
  chatty: (draft, random, topic, fact) => {
    const inReply = random.next() < 0.25
    say(
      draft,
      'user',
      chat(random, topic, random.between(0, 2), inReply ? undefined : fact),
      inReply ? undefined : fact,
    )
    say(
      draft,
      'assistant',
      `${chatReply(random, topic)}${inReply && fact !== undefined ? ` By the way: ${fact.statement}` : ''}`,
      inReply ? fact : undefined,
    )
  },
  lengthy: (draft, random, topic, fact) => {
    const inAnswer = random.next() < 0.2
    say(
      draft,
      'user',
      `${chat(random, topic, random.between(1, 4), inAnswer ? undefined : fact)} What would you suggest for the ${random.pick(topic.nouns)}?`,
      inAnswer ? undefined : fact,
    )
    const halves = [longAnswer(random, topic, random.between(8, 20)), longAnswer(random, topic, random.between(4, 14))]
    say(
      draft,
      'assistant',
      halves.join(inAnswer && fact !== undefined ? `\n\nAs you noted elsewhere: ${fact.statement}\n\n` : '\n\n'),
      inAnswer ? fact : undefined,
    )
  },
  tools: (draft, random, topic, fact) => {
    say(draft, 'user', chat(random, topic, random.between(0, 2), fact), fact)
    const { customer, lookup, records, question } = makeOrders(random)
    const call: ToolCall = {
      id: `call_${draft.messages.length}`,
      name: lookup,
      input: { customer, limit: random.between(3, 9) },
    }
    draft.messages.push({ role: 'assistant', text: '', calls: [call] })
    const isAsked = random.next() < 0.15 && !draft.questions.some(({ text }) => text === question)
    say(draft, 'tool', JSON.stringify(records), isAsked ? { statement: '', question } : undefined, call)
    say(draft, 'assistant', `${chatReply(random, topic)} I looked up what ${customer} has ordered.`)
  },
}

function say(draft: Draft, role: Message['role'], text: string, fact?: Fact, answers?: ToolCall): void {
  if (fact !== undefined) draft.questions.push({ text: fact.question, evidence: [draft.messages.length] })
  draft.messages.push(answers === undefined ? { role, text } : { role, text, answers })
}

/** Some sentences of chatter, with the fact somewhere between them. */
function chat(random: Random, topic: Topic, extra: number, fact: Fact | undefined): string {
  const sentences = Array.from({ length: 1 + extra }, () => chatSentence(random, topic))
  if (fact !== undefined) sentences.splice(random.between(0, sentences.length), 0, fact.statement)
  return sentences.join(' ')
}

/** Questions that need two facts. */
function pairs(random: Random, questions: readonly Question[]): Question[] {
  const order = random.shuffled(questions).slice(0, 2 * Math.floor(questions.length / 8))
  return order.flatMap((one, index) => {
    const other = order[index + 1]
    if (index % 2 === 1 || other === undefined) return []
    return [{ text: `Two things: ${one.text} And ${other.text}`, evidence: [...one.evidence, ...other.evidence] }]
  })
}
