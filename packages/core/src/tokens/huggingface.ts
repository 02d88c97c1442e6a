import { Tokenizer } from '@huggingface/tokenizers'
import { countPieces } from './byte-pieces.ts'
import type { Overhead, TokenCounter } from './tokens.ts'

/** What `huggingFaceTokenizer` can be given. */
export interface HuggingFaceOptions {
  /** The parsed tokenizer_config.json; few tokenizers need it. */
  readonly config?: object
  /** Of the counter, for receipts; best the model's name. */
  readonly name?: string
  /** Default: five tokens a message and five a prompt, which covers the llama3, qwen and gemma templates. */
  readonly overhead?: Overhead
}

/**
 * Exact counts for any model that has a tokenizer.json; pass it parsed. Needs the package
 * @huggingface/tokenizers beside minutebook (`npm install @huggingface/tokenizers`); without it
 * Node says at import that it cannot find that package.
 *
 * Special-token text in a message (`<|eot_id|>`) is spelled out here. llama.cpp, Ollama and vLLM
 * make it the one special token, other engines spell it out: the larger count is the safe one.
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
    // Runs without a blank are counted in pieces, which may come to a little more.
    margin: { below: 0.02, above: 0 },
    count: (text) => countPieces(text, (piece) => tokenizer.encode(piece, { add_special_tokens: false }).ids.length),
  }
}

/** Added tokens that are not special (runs of spaces, `<think>`) are ordinary text to every engine and stay. */
function withoutSpecialTokens(tokenizerJson: object): object {
  const added: unknown = 'added_tokens' in tokenizerJson ? tokenizerJson.added_tokens : undefined
  const kept = Array.isArray(added) ? added.filter((token: { special?: unknown }) => token.special !== true) : []
  return { ...tokenizerJson, added_tokens: kept }
}
