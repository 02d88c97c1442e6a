import { Tokenizer } from '@huggingface/tokenizers'
import { countPieces } from './count-pieces.ts'
import type { Overhead, TokenCounter } from './tokens.ts'

/** What `huggingFaceTokenizer` can be given. */
export interface HuggingFaceOptions {
  /** The parsed tokenizer_config.json. Few tokenizers need it. */
  readonly config?: object
  /** The counter's name, for receipts. Use the model's name. Default: 'huggingface'. */
  readonly name?: string
  /** Default: five tokens a message and five a prompt, which covers the llama3, qwen and gemma templates. */
  readonly overhead?: Overhead
}

/**
 * Exact counts for any model that has a tokenizer.json; pass it parsed. Needs the package @huggingface/tokenizers (`npm
 * install @huggingface/tokenizers`); if it is missing, the import fails with Node's own error.
 *
 * Special-token text in a message (`<|eot_id|>`) is counted as plain text. llama.cpp, Ollama and vLLM turn it into one
 * special token, other servers do not. The larger count is the safe one.
 *
 * @example
 * const json = JSON.parse(await readFile('tokenizer.json', 'utf8'))
 * huggingFaceTokenizer(json, { name: 'qwen3' }).count('The harbour was quiet.') // 5
 */
export function huggingFaceTokenizer(tokenizerJson: object, options: HuggingFaceOptions = {}): TokenCounter {
  const tokenizer = new Tokenizer(withoutSpecialTokens(tokenizerJson), options.config ?? {})
  return {
    name: options.name ?? 'huggingface',
    overhead: options.overhead ?? { message: 5, prompt: 5 },
    // Runs without a blank are counted in pieces, which may add up to a little more.
    margin: { below: 0.02, above: 0 },
    count: (text) => countPieces(text, (piece) => tokenizer.encode(piece, { add_special_tokens: false }).ids.length),
  }
}

/** Added tokens that are not special (runs of spaces, `<think>`) stay: every server reads them as ordinary text. */
function withoutSpecialTokens(tokenizerJson: object): object {
  const added: unknown = 'added_tokens' in tokenizerJson ? tokenizerJson.added_tokens : undefined
  const kept = Array.isArray(added) ? added.filter((token: { special?: unknown }) => token.special !== true) : []
  return { ...tokenizerJson, added_tokens: kept }
}
