// What is kept of a run? Every question with what was expected and what each context brought, in bench/results/answers.json.
import type { Provenance } from '../evidence/provenance.ts'

export interface AnswersData extends Provenance {
  readonly model: string
  readonly protocol: string
  readonly window: number
  readonly reserve: number
  readonly conversations: readonly PlayedConversation[]
  /** By what the model got, in the order of the tables. */
  readonly contexts: readonly { readonly name: string; readonly isCompared: boolean }[]
  readonly questions: readonly AskedQuestion[]
}

export interface PlayedConversation {
  readonly id: string
  readonly messages: number
  /** By the counter o200k, without what a template adds. */
  readonly tokens: number
}

export interface AskedQuestion {
  readonly conversation: string
  readonly text: string
  readonly expected: string
  /** How many messages come after the fact. */
  readonly messagesSince: number
  /** By context. */
  readonly answers: Readonly<Record<string, GivenAnswer>>
}

export interface GivenAnswer {
  readonly given: string
  readonly isRight: boolean
  /** Whether the sentence with the fact was in what was sent. */
  readonly isFactSent: boolean
  readonly refusal?: string
  readonly promptTokens?: number
}

/**
 * Several runs as one: of the same model, asked in the same way about other conversations. Throws if they do not belong
 * together. Where and when it was run is of the last one.
 */
export function joinedData(runs: readonly AnswersData[]): AnswersData {
  const [first, ...others] = runs as readonly [AnswersData, ...AnswersData[]]
  const settingOf = ({ model, protocol, window, reserve, contexts }: AnswersData): string =>
    JSON.stringify([model, protocol, window, reserve, contexts])
  for (const other of others)
    if (settingOf(other) !== settingOf(first))
      throw new Error(`These runs differ in their setting: ${settingOf(first)} and ${settingOf(other)}.`)
  const conversations = runs.flatMap((run) => run.conversations)
  if (new Set(conversations.map(({ id }) => id)).size < conversations.length)
    throw new Error('A conversation is in two of these runs. Give each run another --seed.')
  return {
    ...runs.at(-1)!,
    command: runs.map(({ command }) => command).join('` and `'),
    isChanged: runs.some(({ isChanged }) => isChanged),
    conversations,
    questions: runs.flatMap(({ questions }) => questions),
  }
}

/** Right: the answer names the expected word, and no other one that could be meant. Capitals do not matter. */
export function isRightAnswer(given: string, expected: string, candidates: readonly string[]): boolean {
  const named = candidates.filter((word) => isNamed(given, word))
  return named.length === 1 && named[0] === expected
}

function isNamed(text: string, word: string): boolean {
  const letters = word.replaceAll('-', '[- ]?')
  return new RegExp(`(?<![\\p{L}\\p{N}])${letters}(?![\\p{L}\\p{N}])`, 'iu').test(text)
}
