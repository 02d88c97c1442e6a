// How does a real model answer? TinyLlama on llama.cpp, from the folder that install.sh made, with a window that drops the oldest messages.
import { homedir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { WireMessage } from '../wire-message.ts'

export interface ChatModel {
  /** Answers at temperature 0, one question at a time. `tell` gets the answer in pieces, while it is made. */
  answer(messages: readonly WireMessage[], limit: number, tell?: (piece: string) => void): Promise<ChatAnswer>
}

export interface ChatAnswer {
  readonly text: string
  /** Tokens of the prompt after messages were dropped, and of the answer. */
  readonly promptTokens: number
  readonly answerTokens: number
  /** Whether it ended by itself, or at the limit. */
  readonly finish: 'stop' | 'length'
  /** Messages of the request that the model did not see. */
  readonly dropped: number
}

export const modelName = 'tinyllama-1.1b-chat'

/** Where install.sh puts the engine and the weights, if it is not told. */
export const modelFolder: string = join(
  process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'),
  'minutebook-tinyllama',
)

export interface ChatModelOptions {
  /** Where install.sh put the engine and the weights. */
  readonly folder: string
  /** Tokens of the context window, for prompt and answer. */
  readonly window: number
  readonly threads: number
}

type Token = number & { readonly brand: 'token' }

/** What is used of node-llama-cpp, which this repository does not install. */
interface LlamaPackage {
  getLlama(options: { readonly gpu: false; readonly build: 'never' }): Promise<{
    loadModel(options: { readonly modelPath: string }): Promise<LlamaModel>
  }>
}
interface LlamaModel {
  readonly tokens: { readonly bos: Token | null }
  tokenize(text: string, specialTokens: boolean): Token[]
  detokenize(tokens: readonly Token[], specialTokens?: boolean, before?: readonly Token[]): string
  isEogToken(token: Token): boolean
  createContext(options: { readonly contextSize: number; readonly threads: number }): Promise<{
    getSequence(): LlamaSequence
  }>
}
interface LlamaSequence {
  readonly nextTokenIndex: number
  adaptStateToTokens(tokens: readonly Token[], allowShift: boolean): Promise<void>
  evaluate(tokens: readonly Token[], options: object): AsyncIterable<Token>
}

export async function loadChatModel({ folder, window, threads }: ChatModelOptions): Promise<ChatModel> {
  const entry = pathToFileURL(join(folder, 'node_modules/node-llama-cpp/dist/index.js')).href
  const engine = (await import(entry)) as LlamaPackage
  const llama = await engine.getLlama({ gpu: false, build: 'never' })
  const model = await llama.loadModel({ modelPath: join(folder, 'model.gguf') })
  const sequence = (await model.createContext({ contextSize: window, threads })).getSequence()
  const tokensOf = (messages: readonly WireMessage[]): Token[] => [
    ...(model.tokens.bos === null ? [] : [model.tokens.bos]),
    ...model.tokenize(promptOf(messages), true),
  ]
  let last: Promise<unknown> = Promise.resolve()
  const answer: ChatModel['answer'] = async (messages, limit, tell) => {
    const kept = cut(messages, (some) => tokensOf(some).length <= window - limit)
    const tokens = tokensOf(kept)
    if (tokens.length > window - limit) throw new Error(`The newest message alone has more than ${window} tokens.`)
    // The last token is always evaluated again: what comes next depends on it.
    await sequence.adaptStateToTokens(tokens.slice(0, -1), false)
    const said: Token[] = []
    let finish: ChatAnswer['finish'] = 'length'
    for await (const token of sequence.evaluate(tokens.slice(sequence.nextTokenIndex), {
      temperature: 0,
      yieldEogToken: true,
    })) {
      if (model.isEogToken(token)) {
        finish = 'stop'
        break
      }
      tell?.(model.detokenize([token], false, said))
      said.push(token)
      if (said.length >= limit) break
    }
    const text = model.detokenize(said).trim()
    const dropped = messages.length - kept.length
    return { text, promptTokens: tokens.length, answerTokens: said.length, finish, dropped }
  }
  return {
    answer: (messages, limit, tell) => {
      const next = last.then(() => answer(messages, limit, tell))
      last = next.catch(() => undefined)
      return next
    },
  }
}

/**
 * As Ollama's server does it: messages are dropped from the front until the rest fits, but system messages and the
 * newest message stay.
 */
export function cut(
  messages: readonly WireMessage[],
  fits: (messages: readonly WireMessage[]) => boolean,
): readonly WireMessage[] {
  const from = (index: number): readonly WireMessage[] => [
    ...messages.slice(0, index).filter(({ role }) => role === 'system'),
    ...messages.slice(index),
  ]
  let [fewest, most] = [0, messages.length - 1]
  // The fewest dropped messages with which it fits: the more are dropped, the better it fits.
  while (fewest < most) {
    const middle = Math.floor((fewest + most) / 2)
    if (fits(from(middle))) most = middle
    else fewest = middle + 1
  }
  return from(fewest)
}

/** The chat template of TinyLlama 1.1B Chat. */
function promptOf(messages: readonly WireMessage[]): string {
  const said = messages.map(({ role, content }) => `<|${role}|>\n${content ?? ''}</s>\n`)
  return `${said.join('')}<|assistant|>\n`
}
