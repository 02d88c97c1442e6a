import type { LlamaContextSequence, LlamaModel, Token, TokenBias } from 'node-llama-cpp'
import { PromptTooLarge, type Evaluation } from './evaluation.ts'
import { seedOf } from './spoken.ts'

export interface AnswerOptions {
  /** The most tokens of an answer. */
  readonly limit: number
  /** Told of the answer as it is made. */
  readonly tell?: (piece: string) => void
  /** Ends the answer where it stands. */
  readonly signal?: AbortSignal
}

export interface EngineAnswer extends Evaluation {
  readonly text: string
  readonly completion: number
  readonly finish: 'stop' | 'length'
}

export interface GoingOn extends AnswerOptions {
  readonly model: LlamaModel
  readonly tokenBias: TokenBias
}

export async function goOn(
  window: LlamaContextSequence,
  tokens: Token[],
  contextSize: number,
  { model, tokenBias, limit, tell, signal }: GoingOn,
): Promise<EngineAnswer> {
  const refuse = (): never => {
    throw new PromptTooLarge(tokens.length, contextSize)
  }
  if (tokens.length >= contextSize) refuse()
  // The last token is always evaluated anew: what comes next hangs on it.
  await window.adaptStateToTokens(tokens.slice(0, -1), false)
  const reused = window.nextTokenIndex
  const said: Token[] = []
  let text = ''
  let evaluated = 0
  let finish: EngineAnswer['finish'] = 'length'
  const most = Math.min(limit, contextSize - tokens.length)
  const sampling = { temperature: 1, topK: 0, topP: 1, seed: seedOf(tokens), tokenBias, yieldEogToken: true }
  for await (const token of window.evaluate(tokens.slice(reused), {
    ...sampling,
    contextShift: { strategy: refuse },
  })) {
    evaluated ||= window.nextTokenIndex
    if (model.isEogToken(token)) {
      finish = 'stop'
      break
    }
    const piece = model.detokenize([token], false, said)
    said.push(token)
    text += piece
    tell?.(piece)
    if (said.length >= most || signal?.aborted === true) break
  }
  return { tokens: evaluated, reused, text, completion: said.length, finish }
}
