import { compile, defaultPolicy } from 'minutebook'
import { advance, createFold, entriesOf } from 'minutebook/fold'
import { verdicts } from 'minutebook/compile'
import type { Policy } from 'minutebook'
import type { Fold } from 'minutebook/fold'
import type { Conversation, Question } from './conversation.ts'
import { generate, styles } from './synthetic.ts'
import { words } from './tokens.ts'
import { toWire } from './wire-message.ts'

/** What recall keeps of the evidence when it reads as many postings as it likes, and when it is bounded. */
export interface BoundedReading {
  readonly dataset: string
  readonly entries: number
  readonly questions: number
  readonly bounded: number
  readonly unbounded: number
}

/** One long log of each kind: generated, or all conversations of a dataset one after the other. */
export function measureBoundedReading(
  exchanges: number,
  asked: number,
  conversations: readonly Conversation[],
): BoundedReading[] {
  const generated = styles.map((style) => generate(style, 7, exchanges))
  const datasets = [...new Set(conversations.map(({ dataset }) => dataset))]
  const joined = datasets.map((dataset) => join(conversations.filter((each) => each.dataset === dataset)))
  return [...generated, ...joined].map((conversation) => {
    const questions = sample(conversation.questions, asked)
    const policy = defaultPolicy()
    const unbounded = { ...policy, recall: policy.recall && { ...policy.recall, reads: Number.MAX_SAFE_INTEGER } }
    return {
      dataset: conversation.dataset,
      entries: conversation.messages.length,
      questions: questions.length,
      bounded: retention(conversation, questions, policy),
      unbounded: retention(conversation, questions, unbounded),
    }
  })
}

function retention(conversation: Conversation, questions: readonly Question[], policy: Policy): number {
  const empty: Fold = createFold({ window: 8192, reserve: 512, policy, counter: words })
  const fold = conversation.messages.reduce<Fold>((before, message) => advance(before, toWire(message)), empty)
  const kept = questions.map(({ text, evidence }) => {
    const asked = advance(fold, { role: 'user', content: text })
    const { plan } = compile(asked)
    const sent = new Set<number>()
    for (const { index, verdict } of verdicts(plan, entriesOf(asked)))
      if (verdict === 'verbatim' || verdict === 'recalled') sent.add(index)
    return evidence.filter((index) => sent.has(index)).length / evidence.length
  })
  return (100 * kept.reduce((sum, share) => sum + share, 0)) / kept.length
}

function join(conversations: readonly Conversation[]): Conversation {
  let offset = 0
  const questions: Question[] = []
  for (const { messages, questions: own } of conversations) {
    for (const { text, evidence } of own) questions.push({ text, evidence: evidence.map((index) => index + offset) })
    offset += messages.length
  }
  const [first] = conversations
  return {
    dataset: first?.dataset ?? '',
    id: 'joined',
    messages: conversations.flatMap(({ messages }) => messages),
    questions,
  }
}

/** Evenly spread, so that old and new evidence are asked for alike. */
function sample<T>(items: readonly T[], count: number): T[] {
  const step = Math.max(1, items.length / count)
  return Array.from({ length: Math.min(count, items.length) }, (_, index) => items[Math.floor(index * step)] as T)
}
