// What must be the same from call to call? The invariants about repeating, cost and side effects.
import type { SentMessage } from './attempt.ts'
import { fitsWhole, type Invariant, type Problem, type Trial } from './invariant.ts'
import { ordinary, steady, toolLoop } from './sample.ts'

const keysOf = (prompt: readonly SentMessage[] | undefined): string[] => prompt?.map(({ key }) => key) ?? []

async function repeats(trial: Trial): Promise<Problem | undefined> {
  const [one, other] = [await trial.run(), await trial.run()]
  if (keysOf(one.prompt).join('\n') === keysOf(other.prompt).join('\n')) return undefined
  return { says: 'The same input has another prompt the second time.', prompt: messagesOf(other.prompt) }
}

/** Where a prompt is made: behind each user message. */
function placesOf({ sent }: Trial): number[] {
  return sent.flatMap(({ kind }, index) => (kind === 'user' ? [index + 1] : []))
}

async function onlyGrows(trial: Trial): Promise<Problem | undefined> {
  if (!fitsWhole(trial)) return undefined
  const [before, last] = placesOf(trial).slice(-2)
  if (before === undefined || last === undefined) return undefined
  const [shorter, longer] = [await trial.run(before), await trial.run(last)]
  if (!shorter.prompt || !longer.prompt) return undefined
  const keys = keysOf(longer.prompt)
  if (keysOf(shorter.prompt).every((key, index) => keys[index] === key)) return undefined
  return {
    says: `Everything fits, and yet the prompt does not begin with the one before it, of the first ${before} messages.`,
    prompt: messagesOf(longer.prompt),
  }
}

/** What is reused must be at least this share of the prompt before, and that in at least this share of the turns. */
const enough = 1 / 2
/** With fewer turns after the first that does not fit, nothing can be said. */
const fewestTurns = 8

async function isReused(trial: Trial): Promise<Problem | undefined> {
  const { count, messages, window } = trial
  const places = placesOf(trial)
  const turns = places.map((place, index) => count(messages.slice(places[index - 1] ?? 0, place)))
  if (Math.max(...turns) * 6 > window) return undefined
  let previous: readonly SentMessage[] | undefined
  let [reused, asked] = [0, 0]
  for (const place of places) {
    const { prompt } = await trial.run(place)
    if (!prompt) return undefined
    if (previous && count(messages.slice(0, place)) > window) {
      asked++
      const same = prompt.findIndex(({ key }, index) => previous?.[index]?.key !== key)
      const common = previous.slice(0, same < 0 ? prompt.length : same)
      if (count(messagesOf(common)) >= count(messagesOf(previous)) * enough) reused++
    }
    previous = prompt
  }
  if (asked < fewestTurns || reused >= asked * enough) return undefined
  return {
    says: `In ${asked - reused} of ${asked} turns that do not fit whole, less than half of the previous prompt is still at the beginning of the prompt.`,
    prompt: messagesOf(previous ?? []),
  }
}

function messagesOf(prompt: readonly SentMessage[] | undefined): SentMessage['message'][] {
  return prompt?.map(({ message }) => message) ?? []
}

export const stablePrompts: readonly Invariant[] = [
  {
    id: 'repeatable',
    says: 'The same input has the same prompt.',
    reason: 'https://github.com/MervinPraison/PraisonAI/issues/1808',
    make: ordinary,
    check: repeats,
  },
  {
    id: 'grows',
    says: 'While everything fits, each prompt begins with the one before it.',
    reason: 'https://github.com/openclaw/openclaw/issues/90301',
    make: ordinary,
    check: onlyGrows,
  },
  {
    id: 'reused',
    says: 'In a long chat, most prompts begin with at least half of the one before it.',
    reason: 'https://github.com/NousResearch/hermes-agent/issues/15866',
    make: steady,
    share: 1 / 10,
    check: isReused,
  },
  {
    id: 'input-kept',
    says: 'The messages that were passed are not changed.',
    reason: 'https://github.com/langchain-ai/langchainjs/issues/7582',
    make: ordinary,
    check: async (trial) => {
      const { isInputChanged, prompt } = await trial.run()
      return isInputChanged
        ? { says: 'It changed the messages that it was given.', prompt: messagesOf(prompt) }
        : undefined
    },
  },
  {
    id: 'ends',
    says: 'It ends: the tokens are not counted again and again.',
    reason: 'https://github.com/BerriAI/litellm/issues/3329',
    make: toolLoop,
    check: async (trial) => {
      const { isEndless } = await trial.run()
      return isEndless ? { says: 'It asked for counts without end.' } : undefined
    },
  },
]
