import * as o200k from 'gpt-tokenizer/encoding/o200k_base'
import { countPieces } from './count-pieces.ts'
import type { Overhead, TokenCounter } from './tokens.ts'

/** The part of a gpt-tokenizer/encoding module that is used. */
export interface GptEncoding {
  countTokens(text: string, options: { disallowedSpecial: Set<string> }): number
}

/** What `gptTokenizer` can be given. */
export interface GptTokenizerOptions {
  /** The counter's name, for receipts. Default: 'o200k_base', or 'gpt-tokenizer' with another encoding. */
  readonly name?: string
  /** Default: four tokens a message and three a prompt, as OpenAI's models need. */
  readonly overhead?: Overhead
}

/**
 * Exact counts for OpenAI's models. Needs the package gpt-tokenizer (`npm install gpt-tokenizer@4`); if it is missing,
 * the import fails with Node's own error. Special-token text such as `<|endoftext|>` counts as plain text, which it is
 * in a message.
 *
 * @example
 * import * as cl100k from 'gpt-tokenizer/encoding/cl100k_base'
 * gptTokenizer() // o200k_base: GPT-4o and later, gpt-oss
 * gptTokenizer(cl100k, { name: 'cl100k_base' }) // GPT-4, GPT-3.5
 */
export function gptTokenizer(encoding: GptEncoding = o200k, options: GptTokenizerOptions = {}): TokenCounter {
  // With its default options the package throws on special-token text.
  const plain = { disallowedSpecial: new Set<string>() }
  return {
    name: options.name ?? (encoding === o200k ? 'o200k_base' : 'gpt-tokenizer'),
    overhead: options.overhead ?? { message: 4, prompt: 3 },
    // Runs without a blank are counted in pieces, which may add up to a little more.
    margin: { below: 0.02, above: 0 },
    count: (text) => countPieces(text, (piece) => encoding.countTokens(piece, plain)),
  }
}
