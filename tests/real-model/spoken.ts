import { TokenBias, type LlamaModel, type Token } from 'node-llama-cpp'

/**
 * What makes the answers of a model with random weights readable: only tokens that are plain words or punctuation, and
 * an end after about a dozen of them. What the model is given is untouched.
 */
export function spokenTokens(model: LlamaModel): TokenBias {
  const bias = new TokenBias(model.tokenizer)
  const { eos } = model.tokens
  for (const token of model.iterateAllTokens()) {
    if (token !== eos && !isWord(model.detokenize([token]))) bias.set(token, 'never')
  }
  if (eos !== null) bias.set(eos, { logit: endLikelihood })
  return bias
}

/** Among about 1,500 words that are all as likely. */
const endLikelihood = 4.5

/** Seeds an answer, so that the same prompt gets the same one. */
export function seedOf(tokens: readonly Token[]): number {
  return tokens.reduce<number>((seed, token) => Math.imul(seed ^ token, 0x01000193) >>> 0, 0x811c9dc5)
}

function isWord(text: string): boolean {
  return /^ [a-z]{2,12}[.,]?$/.test(text)
}
