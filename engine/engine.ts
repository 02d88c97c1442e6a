import { getLlama, LlamaLogLevel, type LlamaContextSequence, type LlamaModel, type Token } from 'node-llama-cpp'
import { tinyModel } from './tiny-model.ts'

/** llama.cpp with a model in memory, without any chat session: those cut long prompts silently. */
export interface Engine {
  /** The number of tokens in a prompt; <|im_start|> and the like are one token each, as in a rendered template. */
  tokenize(text: string): number
  /**
   * Puts the prompt into a window of that size.
   * Rejects with PromptTooLarge unless at least one token of the window is left for an answer.
   */
  evaluate(text: string, contextSize: number): Promise<Evaluation>
  close(): Promise<void>
}

export interface Evaluation {
  /** The tokens that stand in the window now. */
  readonly tokens: number
  /** How many of them were still there from the prompt before: the length of the common beginning. */
  readonly reused: number
}

export class PromptTooLarge extends Error {
  readonly tokens: number
  readonly contextSize: number

  constructor(tokens: number, contextSize: number) {
    super(`The prompt has ${tokens} tokens; a window of ${contextSize} holds at most ${contextSize - 1} and an answer.`)
    this.name = 'PromptTooLarge'
    this.tokens = tokens
    this.contextSize = contextSize
  }
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
  const evaluate = oneAtATime(async (text: string, contextSize: number): Promise<Evaluation> =>
    fill(await windowOf(contextSize), model.tokenize(text, true), contextSize),
  )
  return {
    tokenize: (text) => model.tokenize(text, true).length,
    evaluate,
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

function oneAtATime<Arguments extends readonly unknown[], Result>(
  work: (...values: Arguments) => Promise<Result>,
): (...values: Arguments) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve()
  return (...values) => {
    const next = last.then(() => work(...values))
    last = next.catch(() => undefined)
    return next
  }
}
