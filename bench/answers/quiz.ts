// What is asked? Long conversations with short facts in them, and a question about each fact that a small model can answer.
import { chatSentence } from '../chatter.ts'
import type { Random } from '../random.ts'
import { createRandom } from '../random.ts'
import { messageTokens, o200k } from '../tokens.ts'
import type { WireMessage } from '../wire-message.ts'
import type { Topic } from '../words.ts'
import { colours, foods, instruments, people, petNames, places, projects, topics } from '../words.ts'

/** A conversation, and what is asked when it is over. */
export interface Quiz {
  readonly id: string
  readonly messages: readonly WireMessage[]
  readonly questions: readonly QuizQuestion[]
}

export interface QuizQuestion {
  readonly text: string
  /** The one right word. */
  readonly expected: string
  /** All words that could be meant, the right one among them. */
  readonly candidates: readonly string[]
  /** The sentence that says it, and the message that the sentence is in. */
  readonly statement: string
  readonly evidence: number
}

export interface QuizSize {
  /** By the counter o200k, at least. */
  readonly tokens: number
  /** At most; there are 180 different ones. */
  readonly questions: number
}

const system =
  'You are an assistant who remembers what the user said about other people. Answer a question with one short sentence.'

/** The same seed and size make the same conversation, byte for byte. */
export function makeQuiz(seed: number, size: QuizSize): Quiz {
  const random = createRandom(seed * 7919)
  const facts = random.shuffled(kinds.flatMap((kind) => people.map((person) => factOf(random, kind, person))))
  const exchanges: Exchange[] = facts.slice(0, size.questions).map((fact) => ({ fact, ...told(random, fact) }))
  for (let tokens = tokensOf(exchanges); tokens < size.tokens;) {
    const exchange = small(random)
    exchanges.push(exchange)
    tokens += tokensOf([exchange])
  }
  const messages: WireMessage[] = [{ role: 'system', content: system }]
  const questions: QuizQuestion[] = []
  for (const { fact, user, assistant } of random.shuffled(exchanges)) {
    if (fact !== undefined) questions.push({ ...fact, evidence: messages.length })
    messages.push({ role: 'user', content: user }, { role: 'assistant', content: assistant })
  }
  return { id: `quiz-${seed}`, messages, questions: random.shuffled(questions) }
}

interface Exchange {
  readonly fact?: Fact
  readonly user: string
  readonly assistant: string
}

type Fact = Omit<QuizQuestion, 'evidence'>

interface Kind {
  readonly candidates: readonly string[]
  says(person: string, word: string): string
  asks(person: string): string
}

/** Questions repeat the words of the fact: whether a model can paraphrase is not what is measured. */
const kinds: readonly Kind[] = [
  {
    candidates: petNames,
    says: (person, name) => `The dog of ${person} is called ${name}.`,
    asks: (person) => `What is the dog of ${person} called?`,
  },
  {
    candidates: places,
    says: (person, place) => `${person} lives in ${place}.`,
    asks: (person) => `In which city does ${person} live?`,
  },
  {
    candidates: colours,
    says: (person, colour) => `The favourite colour of ${person} is ${colour}.`,
    asks: (person) => `What is the favourite colour of ${person}?`,
  },
  {
    candidates: instruments,
    says: (person, instrument) => `${person} plays the ${instrument}.`,
    asks: (person) => `Which instrument does ${person} play?`,
  },
  {
    candidates: foods,
    says: (person, food) => `${person} never eats ${food}.`,
    asks: (person) => `Which food does ${person} never eat?`,
  },
  {
    candidates: projects,
    says: (person, project) => `The project of ${person} is called ${project}.`,
    asks: (person) => `What is the project of ${person} called?`,
  },
]

function factOf(random: Random, kind: Kind, person: string): Fact {
  const { candidates } = kind
  const expected = random.pick(candidates)
  return { text: kind.asks(person), expected, candidates, statement: kind.says(person, expected) }
}

/** The fact after a sentence of chatter, or before it. */
function told(random: Random, { statement }: Fact): Omit<Exchange, 'fact'> {
  const sentences = [statement, chatSentence(random, random.pick(topics))]
  return { user: (random.next() < 0.5 ? sentences : sentences.toReversed()).join(' '), assistant: 'Noted.' }
}

/** Chatter, or a question with its answer: about nothing that is asked later, and often with the same people. */
function small(random: Random): Exchange {
  const topic = random.pick(topics)
  if (random.next() < 0.5) {
    const sentences = Array.from({ length: random.between(1, 3) }, () => chatSentence(random, topic))
    return {
      user: sentences.join(' '),
      assistant: random.pick(['I see.', 'Noted.', 'That makes sense.', 'All right.']),
    }
  }
  return answered(random, topic)
}

function answered(random: Random, { nouns, qualities }: Topic): Exchange {
  const [noun, quality] = [random.pick(nouns), random.pick(qualities)]
  const person = random.pick(people)
  return {
    user: `${person} says that the ${noun} is ${quality}. How does ${person} find the ${noun}?`,
    assistant: `${person} finds the ${noun} ${quality}.`,
  }
}

function tokensOf(exchanges: readonly Exchange[]): number {
  return exchanges.reduce(
    (sum, { user, assistant }) =>
      sum + messageTokens({ role: 'user', text: user }, o200k) + messageTokens({ role: 'assistant', text: assistant }),
    0,
  )
}
