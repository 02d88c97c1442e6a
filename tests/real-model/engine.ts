import { getLlama, LlamaLogLevel, type LlamaContextSequence, type LlamaModel, type Token } from 'node-llama-cpp'
import { goOn, type AnswerOptions, type EngineAnswer } from './answer.ts'
import { PromptTooLarge, type Evaluation } from './evaluation.ts'
import { spokenTokens } from './spoken.ts'
import { tinyModel } from './tiny-model.ts'

/** llama.cpp with a model in memory, without any chat session: those cut long prompts silently. */
export interface Engine {
  /** The number of tokens in a prompt; <|im_start|> and the like are one token each, as in a rendered template. */
  tokenize(text: string): number
  /** The same as the numbers of the tokens. */
  tokens(text: string): readonly number[]
  /**
   * Puts the prompt into a window of that size. Rejects with PromptTooLarge unless at least one token of the window is
   * left for an answer.
   */
  evaluate(text: string, contextSize: number): Promise<Evaluation>
  /**
   * Puts the prompt into a window of that size and lets the model go on until it ends, the limit is reached or the
   * window is full. Rejects like `evaluate`, before anything is said.
   */
  answer(text: string, contextSize: number, options: AnswerOptions): Promise<EngineAnswer>
  close(): Promise<void>
}

/** Loads a GGUF file, the generated tiny one unless told otherwise. */
export async function openEngine(modelPath: string = tinyModel().modelPath): Promise<Engine> {
  const llama = await getLlama({ gpu: false, build: 'never', logLevel: LlamaLogLevel.error })
  const model = await llama.loadModel({ modelPath })
  const windows = new Map<number, Promise<LlamaContextSequence>>()
  const windowOf = (contextSize: number): Promise<LlamaContextSequence> => {
    const window = windows.get(contextSize) ?? openWindow(model, contextSize)
    windows.set(contextSize, window)
    return window
  }
  const tokenBias = spokenTokens(model)
  const queue = oneAtATime()
  const evaluate = queue(async (text: string, contextSize: number): Promise<Evaluation> =>
    fill(await windowOf(contextSize), model.tokenize(text, true), contextSize),
  )
  const answer = queue(async (text: string, contextSize: number, options: AnswerOptions): Promise<EngineAnswer> =>
    goOn(await windowOf(contextSize), model.tokenize(text, true), contextSize, { ...options, model, tokenBias }),
  )
  return {
    tokenize: (text) => model.tokenize(text, true).length,
    tokens: (text) => model.tokenize(text, true),
    evaluate,
    answer,
    close: () => llama.dispose(),
  }
}

async function openWindow(model: LlamaModel, contextSize: number): Promise<LlamaContextSequence> {
  const context = await model.createContext({ contextSize, threads: 1 })
  return context.getSequence()
}

async function fill(window: LlamaContextSequence, tokens: Token[], contextSize: number): Promise<Evaluation> {
  await window.adaptStateToTokens(tokens, false)
  const reused = window.nextTokenIndex
  const refuse = (): never => {
    throw new PromptTooLarge(tokens.length, contextSize)
  }
  // By default node-llama-cpp makes room in a full window by forgetting its beginning.
  await window.evaluateWithoutGeneratingNewTokens(tokens.slice(reused), { contextShift: { strategy: refuse } })
  // llama.cpp rounds a window up to the next 256 tokens.
  if (window.nextTokenIndex >= contextSize) refuse()
  return { tokens: window.nextTokenIndex, reused }
}

type Work<Arguments extends readonly unknown[], Result> = (...values: Arguments) => Promise<Result>

/** Whatever is made with it waits for all that was begun before. */
function oneAtATime(): <Arguments extends readonly unknown[], Result>(
  work: Work<Arguments, Result>,
) => Work<Arguments, Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (work) =>
    (...values) => {
      const next = last.then(() => work(...values))
      last = next.catch(() => undefined)
      return next
    }
}
