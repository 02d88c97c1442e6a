import { MinutebookError } from '../log/error.ts'
import { errorText, fieldsOf, type Fields } from './wire.ts'

/** What a server says when it refuses a prompt that is longer than its window. */
export interface ContextOverflow {
  /** The window that it has. Undefined if the server does not say. */
  readonly window?: number | undefined
  /** How many tokens it counted in the prompt. Undefined if the server does not say, or includes the answer. */
  readonly prompt?: number | undefined
}

/**
 * Was a prompt refused because it is too long? Reads a server's refusal. Returns undefined if it is about anything
 * else. `said`: its body, parsed if it is JSON.
 *
 * @example
 * overflowIn({ error: { message: "This model's maximum context length is 8192 tokens." } }) // { window: 8192 }
 */
export function overflowIn(said: unknown): ContextOverflow | undefined {
  const error = fieldsOf(fieldsOf(said)['error'] ?? said)
  const text = withoutSeparators(errorText(said).slice(0, mostText).toLowerCase())
  if (!isOverflow(error, text)) return undefined
  const window = sizeOf(error['n_ctx']) ?? firstOf(windowPhrases, text)
  const prompt =
    sizeOf(error['n_prompt_tokens']) ?? (text.includes('at least') ? undefined : firstOf(promptPhrases, text))
  return { ...(window !== undefined && { window }), ...(prompt !== undefined && { prompt }) }
}

/**
 * What the server said, read from the error of a refused call. Undefined for any other error.
 *
 * @example
 * overflowOf(new MinutebookError('context_overflow', '…', { told: { window: 8192 } })) // { window: 8192 }
 */
export function overflowOf(error: unknown): ContextOverflow | undefined {
  if (!MinutebookError.isInstance(error) || error.code !== 'context_overflow') return undefined
  const told = fieldsOf(error.details['told'])
  const [window, prompt] = [sizeOf(told['window']), sizeOf(told['prompt'])]
  return { ...(window !== undefined && { window }), ...(prompt !== undefined && { prompt }) }
}

/** Decided by the code if there is one, or else by the words that servers use. A limit per minute is not a window. */
function isOverflow({ code, type }: Fields, text: string): boolean {
  if (code === 'context_length_exceeded' || type === 'exceed_context_size_error') return true
  if (['rate limit', 'per minute', 'quota'].some((limit) => text.includes(limit))) return false
  if (
    ['prompt is too long', 'input token count', '`inputs` tokens + `max_new_tokens`'].some((phrase) =>
      text.includes(phrase),
    )
  )
    return true
  return text.includes('context') && tooLong.some((phrase) => text.includes(phrase))
}

const tooLong: readonly string[] = [
  'exceed',
  'longer than',
  'too long',
  'too large',
  'maximum context length',
  'overflow',
  'larger than',
  'does not fit',
  'not enough',
]

/** Servers say it at the beginning. Later text may be quoted from the request, so it is not read. */
const mostText = 300

/** Each finds the window in the words of one kind of server. */
const windowPhrases: readonly RegExp[] = [
  // OpenAI, vLLM, OpenRouter; SGLang; LM Studio
  /context (?:length|size|window)(?: is| of|:)?(?: only)? (\d{1,9})/,
  // llama.cpp, SGLang
  /context (?:length|size|window) \((\d{1,9})/,
  // Mistral; Anthropic
  /(\d{1,9}) maximum/,
  // Text Generation Inference, Together
  /must be <= (\d{1,9})/,
  // Gemini
  /tokens allowed \((\d{1,9})\)/,
]

/** Each finds the size of the prompt. */
const promptPhrases: readonly RegExp[] = [
  /(\d{1,9})(?: tokens)? (?:in the messages|from the input messages|of text input)/,
  /messages resulted in (\d{1,9}) tokens/,
  /prompt contains (\d{1,9})/,
  /prompt is too long: (\d{1,9}) tokens/,
  /(?:request|input|token count) \((\d{1,9})/,
  /given: (\d{1,9}) `inputs` tokens/,
]

function firstOf(phrases: readonly RegExp[], text: string): number | undefined {
  for (const phrase of phrases) {
    const size = sizeOf(Number(phrase.exec(text)?.[1]))
    if (size !== undefined) return size
  }
  return undefined
}

/** Turns 8,192 into 8192. */
function withoutSeparators(text: string): string {
  return text.replaceAll(/(\d),(?=\d{3})/g, '$1')
}

function sizeOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined
}
