// Which messages must be in a prompt, and how? The invariants about what is kept.
import { canonicalJson, parsedCall } from 'minutebook/store'
import type { SentMessage } from './attempt.ts'
import {
  checkPrompt,
  firstWord,
  hasWord,
  newestRound,
  newestUser,
  pairProblem,
  requiredTokens,
  wordsOf,
  type Invariant,
  type Trial,
} from './invariant.ts'
import { interrupted, ordinary, toolLoop } from './sample.ts'

/** What is asked of a prompt only if there is room for what must be in it. */
function ifRequiredFits(
  check: (prompt: readonly SentMessage[], trial: Trial) => string | undefined,
): Invariant['check'] {
  const checked = checkPrompt(check)
  return async (trial) => (requiredTokens(trial) > trial.window ? undefined : checked(trial))
}

function lacksNewestUser(prompt: readonly SentMessage[], { sent }: Trial): string | undefined {
  const newest = newestUser(sent)
  const word = newest && firstWord(newest)
  if (word === undefined) return undefined
  return prompt.some(({ kind, text }) => kind === 'user' && hasWord(text, word))
    ? undefined
    : `The newest user message (${word}) is not in the prompt.`
}

function lacksSystem(prompt: readonly SentMessage[], { sent }: Trial): string | undefined {
  const kept = new Set(prompt.filter(({ kind }) => kind === 'system').flatMap(({ text }) => wordsOf(text)))
  const missing = sent.filter(({ kind }) => kind === 'system').flatMap(({ text }) => wordsOf(text))
  const word = missing.find((each) => !kept.has(each))
  return word === undefined ? undefined : `The word ${word} of the system text is not in the prompt.`
}

function hasSystemLater(prompt: readonly SentMessage[], { sent }: Trial): string | undefined {
  const wanted = new Set(sent.filter(({ kind }) => kind === 'system').flatMap(({ text }) => wordsOf(text)))
  const others = prompt.findIndex(({ kind }) => kind !== 'system')
  const later = others < 0 ? [] : prompt.slice(others)
  const late = later.find(({ kind, text }) => kind === 'system' && wordsOf(text).some((word) => wanted.has(word)))
  return late === undefined ? undefined : `System text (${firstWord(late)}) comes after other messages.`
}

function lacksNewestResult(prompt: readonly SentMessage[], { sent }: Trial): string | undefined {
  const words = newestRound(sent).flatMap((message) => (message.kind === 'tool' ? (firstWord(message) ?? []) : []))
  const missing = words.find((word) => !prompt.some(({ kind, text }) => kind === 'tool' && hasWord(text, word)))
  return missing === undefined ? undefined : `The newest result (${missing}) is not in the prompt.`
}

function orderProblem(prompt: readonly SentMessage[], { sent }: Trial): string | undefined {
  const keys = sent.map(({ key }) => key)
  const seen = new Set<string>()
  let next = 0
  for (const message of prompt) {
    const { kind, key } = message
    if (kind === 'system' || seen.has(key) || !keys.includes(key)) continue
    seen.add(key)
    const at = keys.indexOf(key, next)
    if (at < 0) return `${firstWord(message) ?? kind} comes after a message that was said later.`
    next = at + 1
  }
  return undefined
}

function doubled(prompt: readonly SentMessage[], { sent }: Trial): string | undefined {
  const timesIn = (list: readonly SentMessage[], key: string): number => list.filter((each) => each.key === key).length
  const twice = sent.find(
    ({ key, allText }) => wordsOf(allText).length > 0 && timesIn(prompt, key) > timesIn(sent, key),
  )
  return twice && `${wordsOf(twice.allText)[0]} is in the prompt ${timesIn(prompt, twice.key)} times.`
}

function raised(prompt: readonly SentMessage[], { sent }: Trial): string | undefined {
  const theirs = new Set(
    sent.filter(({ kind }) => kind === 'user' || kind === 'tool').flatMap(({ text }) => wordsOf(text)),
  )
  const systems = prompt.filter(({ kind }) => kind === 'system')
  const word = systems.flatMap(({ text }) => wordsOf(text)).find((each) => theirs.has(each))
  return word === undefined ? undefined : `${word} was not said by the system, and is sent with the system role.`
}

function changedCall(prompt: readonly SentMessage[], { sent }: Trial): string | undefined {
  const made = new Map(sent.flatMap(({ calls }) => calls.map((call) => [call.id, call] as const)))
  for (const call of prompt.flatMap(({ calls }) => calls)) {
    const original = made.get(call.id)
    if (!original) return `The call ${call.id ?? call.name} was never made.`
    if (
      call.name !== original.name ||
      canonicalJson(parsedCall(call).input) !== canonicalJson(parsedCall(original).input)
    )
      return `The call ${call.id ?? call.name} has other arguments than the ones it was made with.`
  }
  return undefined
}

export const keptMessages: readonly Invariant[] = [
  {
    id: 'newest-user',
    says: 'The newest user message is in the prompt, at least its beginning.',
    reason: 'https://github.com/ollama/ollama/issues/18107',
    make: ordinary,
    check: ifRequiredFits(lacksNewestUser),
  },
  {
    id: 'system-kept',
    says: 'All system text is in the prompt, word for word.',
    reason: 'https://github.com/ollama/ollama/issues/8531',
    make: ordinary,
    check: ifRequiredFits(lacksSystem),
  },
  {
    id: 'system-first',
    says: 'System text that came first comes first.',
    reason: 'https://github.com/ggml-org/llama.cpp/issues/27367',
    make: ordinary,
    check: checkPrompt(hasSystemLater),
  },
  {
    id: 'task-kept',
    says: 'A long loop of tool calls keeps the task that it works on.',
    reason: 'https://github.com/ollama/ollama/issues/17778',
    make: toolLoop,
    check: ifRequiredFits(lacksNewestUser),
  },
  {
    id: 'newest-result',
    says: 'The results that the model waits for are in the prompt, at least their beginning.',
    reason: 'https://github.com/mastra-ai/mastra/issues/24110',
    make: toolLoop,
    check: ifRequiredFits(lacksNewestResult),
  },
  {
    id: 'tool-pairs',
    says: 'Each call is followed by its result, and each result follows its call.',
    reason: 'https://github.com/BerriAI/litellm/issues/4931',
    make: ordinary,
    check: checkPrompt(pairProblem),
  },
  {
    id: 'open-calls',
    says: 'A call that never got its result is not sent without one.',
    reason: 'https://github.com/openai/openai-agents-python/issues/4322',
    make: interrupted,
    check: checkPrompt(pairProblem),
  },
  {
    id: 'order',
    says: 'Messages are in the order in which they were said.',
    reason: 'https://github.com/microsoft/autogen/pull/4653',
    make: ordinary,
    check: checkPrompt(orderProblem),
  },
  {
    id: 'once',
    says: 'No message is in the prompt twice.',
    reason: 'https://github.com/ag-ui-protocol/ag-ui/issues/2054',
    make: ordinary,
    check: checkPrompt(doubled),
  },
  {
    id: 'roles',
    says: 'What users and tools said is not sent with the system role.',
    reason: 'https://github.com/openclaw/openclaw/issues/64613',
    make: ordinary,
    check: checkPrompt(raised),
  },
  {
    id: 'arguments',
    says: 'A call has the arguments that it was made with.',
    reason: 'https://github.com/cortexkit/magic-context/issues/431',
    make: ordinary,
    check: checkPrompt(changedCall),
  },
]
