import type { Message, TokenCounter } from 'minutebook'
import { countTools } from '../../packages/core/src/tokens/tokens.ts'

/** What a chat template adds to what messages say, found by counting. */
export interface TemplateOverhead {
  readonly message: number
  readonly prompt: number
  readonly call: number
}

export interface OverheadSource {
  readonly render: (messages: readonly Message[], tools?: readonly object[]) => string
  /** The tokens of a rendered prompt, special tokens as one each. */
  readonly countPrompt: (text: string) => number
  /** The counter that messages will be counted with. */
  readonly count: (text: string) => number
}

/**
 * The most that any role, kind of text and call was seen to cost beside its text. Needs a template that takes each
 * message alone.
 */
export function fitOverhead(
  { render, countPrompt, count }: OverheadSource,
  tools: readonly object[] = [],
): TemplateOverhead {
  const promptOf = (...messages: readonly Message[]): number => countPrompt(render(messages))
  const empty = promptOf()
  const message = Math.max(
    ...roles.flatMap((role) => texts.map((content) => promptOf({ role, content }) - empty - count(content))),
  )
  const calls = texts.flatMap((content) => argumentSets.map((given) => ({ content, given })))
  const call = Math.max(
    ...calls.map(({ content, given }) => {
      const calling = {
        role: 'assistant',
        content,
        tool_calls: [{ type: 'function', function: { name, arguments: given } }],
      }
      return promptOf(calling) - empty - message - count(content) - count(name) - count(given)
    }),
  )
  const counter: TokenCounter = { name: 'fitting', count, overhead: { message, call } }
  const withTools = tools.length === 0 ? 0 : countPrompt(render([], tools)) - countTools(counter, tools)
  return { message, call, prompt: Math.max(empty, withTools) }
}

const roles = ['system', 'user', 'assistant', 'tool']
const texts = [
  '',
  'word',
  ' word',
  '  word',
  '\nword',
  '\n\nword',
  '\tword',
  '42',
  '.',
  '"',
  '{"a":1}',
  '[]',
  '港口',
  '🚀',
  'word ',
  'word\n',
  'word  \n',
]
const name = 'search'
const argumentSets = ['{}', '{"about":"x"}', '{"limit":42}', '{"list":[1,2]}', '[]', '']
