// How large may a prompt be, and what if something does not fit? The invariants about the window.
import { sentMessage, type Attempt } from './attempt.ts'
import {
  checkPrompt,
  firstWord,
  fitsWhole,
  hasWord,
  newestUser,
  requiredTokens,
  saysSomethingElse,
  wordsOf,
  type Invariant,
  type Problem,
  type Trial,
} from './invariant.ts'
import { ordinary, oversized, tooLarge, unusual, withPairs } from './sample.ts'

/** In this many tokens anything can be said about what is missing. */
const roomToSay = 32

const isTooLarge = ({ prompt }: Attempt, { count, window }: Trial): boolean =>
  prompt !== undefined && count(prompt.map(({ message }) => message)) > window

function problemOf({ prompt, error }: Attempt, says: string): Problem {
  if (prompt) return { says, prompt: prompt.map(({ message }) => message) }
  return { says: `It threw: ${error instanceof Error ? error.message : String(error)}` }
}

async function fitsIfPossible(trial: Trial): Promise<Problem | undefined> {
  if (requiredTokens(trial) > trial.window) return undefined
  const outcome = await trial.run()
  const tokens = trial.count(outcome.prompt?.map(({ message }) => message) ?? [])
  return isTooLarge(outcome, trial)
    ? problemOf(outcome, `The prompt has ${tokens} tokens and the window ${trial.window}.`)
    : undefined
}

async function isWhole(trial: Trial): Promise<Problem | undefined> {
  if (!fitsWhole(trial)) return undefined
  const outcome = await trial.run()
  const same = outcome.prompt?.map(({ key }) => key).join('\n') === trial.sent.map(({ key }) => key).join('\n')
  return same ? undefined : problemOf(outcome, 'Everything fits, and yet the prompt is not the conversation.')
}

/** The tokens of what must be in a prompt, if the texts of results that are larger than the window may be shortened. */
function leastTokens({ sent, count, window }: Trial): number {
  const shortest = sent.map((message) => {
    const isClippable = message.kind === 'tool' && count([message.message]) > window
    return isClippable ? sentMessage({ ...message.message, content: '' }) : message
  })
  return requiredTokens({ sent: shortest, count })
}

async function survives(trial: Trial): Promise<Problem | undefined> {
  const user = newestUser(trial.sent)
  const word = user && firstWord(user)
  if (word === undefined || leastTokens(trial) + roomToSay > trial.window) return undefined
  if (!trial.messages.some((message) => trial.count([message]) > trial.window)) return undefined
  const outcome = await trial.run()
  if (outcome.prompt === undefined) return problemOf(outcome, '')
  if (isTooLarge(outcome, trial)) return problemOf(outcome, 'The prompt is larger than the window.')
  return outcome.prompt.some(({ kind, text }) => kind === 'user' && hasWord(text, word))
    ? undefined
    : problemOf(outcome, `The newest user message (${word}) is not in the prompt.`)
}

async function refuses(trial: Trial): Promise<Problem | undefined> {
  const user = newestUser(trial.sent)
  const word = user && firstWord(user)
  const least = trial.sent.filter((message) => message.kind === 'system' || message === user)
  if (word === undefined || trial.count(least.map(({ message }) => message)) <= trial.window) return undefined
  const outcome = await trial.run()
  const { prompt } = outcome
  if (prompt === undefined) return undefined
  if (isTooLarge(outcome, trial)) return problemOf(outcome, 'It cannot fit, and the prompt is larger than the window.')
  const kept = new Set(prompt.flatMap(({ text }) => wordsOf(text)))
  const words = least.flatMap(({ text }) => wordsOf(text))
  const lost = words.find((each) => !kept.has(each))
  if (!kept.has(word)) return problemOf(outcome, `It cannot fit, and ${word} is left out without an error.`)
  return lost === undefined || saysSomethingElse(prompt, trial)
    ? undefined
    : problemOf(outcome, `It cannot fit, and ${lost} is left out without a word.`)
}

export const windowLimits: readonly Invariant[] = [
  {
    id: 'fits',
    says: 'The prompt fits into the window, if what must be in it does.',
    reason: 'https://github.com/charmbracelet/crush/issues/854',
    make: ordinary,
    check: fitsIfPossible,
  },
  {
    id: 'whole',
    says: 'If everything fits, everything is sent.',
    reason: 'https://github.com/BerriAI/litellm/issues/6505',
    make: ordinary,
    check: isWhole,
  },
  {
    id: 'unusual',
    says: 'Empty texts, half characters, a conversation of system messages alone, and one of none are sent as they are.',
    reason: 'https://github.com/oobabooga/textgen/pull/7655',
    make: unusual,
    check: isWhole,
  },
  {
    id: 'oversized',
    says: 'One message that is larger than the window does not end the conversation.',
    reason: 'https://github.com/charmbracelet/crush/issues/3733',
    make: oversized,
    check: survives,
  },
  {
    id: 'refused',
    says: 'If what must be sent cannot fit, there is an error, or the prompt says what is missing.',
    reason: 'https://github.com/ollama/ollama/issues/3839',
    make: tooLarge,
    check: refuses,
  },
  {
    id: 'said',
    says: 'If something is left out, the prompt says so.',
    reason: 'https://github.com/ollama/ollama/issues/14259',
    make: ordinary,
    check: async (trial) => {
      if (requiredTokens(trial) + roomToSay > trial.window) return undefined
      return checkPrompt((prompt, { sent }) => {
        const kept = new Set(prompt.flatMap(({ allText }) => wordsOf(allText)))
        const gone = sent.find(
          ({ allText }) => wordsOf(allText).length > 0 && !wordsOf(allText).some((w) => kept.has(w)),
        )
        if (gone === undefined || saysSomethingElse(prompt, trial)) return undefined
        return `${wordsOf(gone.allText)[0]} is left out, and nothing says so.`
      })(trial)
    },
  },
  {
    id: 'characters',
    says: 'A text that is shortened is not cut inside a character.',
    reason: 'https://github.com/anthropics/claude-code/issues/3277',
    make: withPairs,
    check: checkPrompt((prompt) => {
      const half = prompt.find(({ allText }) => /\p{Surrogate}/u.test(allText))
      return half && `A text ends in half a character: ${JSON.stringify(half.text.slice(-40))}`
    }),
  },
]
