import type { Message } from './conversation.ts'
import { installPeers } from './peers.ts'
import { loadLangChain } from './peers/langchain.ts'
import { loadMastra } from './peers/mastra.ts'
import { messageTokens, words } from './tokens.ts'

/**
 * Another way to make a prompt fit, for timing. Contract: `trim` throws `OutOfTime` once `deadline` has passed, if it
 * can.
 */
export interface Trimmer {
  readonly name: string
  prepare(log: readonly Message[]): (limit: number, deadline: number) => Promise<number[]>
}

export class OutOfTime extends Error {}

export async function loadTrimmers(peers: boolean): Promise<Trimmer[]> {
  if (!peers) return [chatPrompt]
  installPeers()
  const langchain = await loadLangChain()
  const mastra = await loadMastra()
  return [
    {
      name: 'LangChain trimMessages (counts remembered)',
      prepare: (log) => {
        const converted = log.map((message, index) => langchain.convert(message, index))
        const costs = log.map((message) => messageTokens(message, words))
        return (limit, deadline) => {
          const cost = (index: number): number => costs[index] ?? 0
          const tick = clock(deadline)
          return langchain.trim(converted, limit, (index) => {
            tick()
            return cost(index)
          })
        }
      },
    },
    {
      name: 'Mastra TokenLimiterProcessor',
      prepare: (log) => {
        const converted = log.map((message) => mastra.convert(message))
        return (limit) => mastra.trim(converted, limit)
      },
    },
    chatPrompt,
  ]
}

/**
 * The shape of Ollama's `chatPrompt`: system messages and the newest messages, and for every message dropped from the
 * front the whole candidate prompt is counted again.
 */
const chatPrompt: Trimmer = {
  name: "the shape of Ollama's chatPrompt",
  prepare: (log) => (limit, deadline) => {
    const tick = clock(deadline)
    for (let from = 0; from < log.length - 1; from++) {
      const candidate = indexesFrom(log, from)
      let tokens = 0
      for (const index of candidate) {
        tick()
        tokens += messageTokens(log[index] as Message, words)
      }
      if (tokens <= limit) return Promise.resolve(candidate)
    }
    return Promise.resolve(indexesFrom(log, log.length - 1))
  },
}

function indexesFrom(log: readonly Message[], from: number): number[] {
  const indexes: number[] = []
  for (let index = 0; index < log.length; index++) {
    if (index >= from || log[index]?.role === 'system') indexes.push(index)
  }
  return indexes
}

/** Looks at the time once in a thousand calls. */
function clock(deadline: number): () => void {
  let calls = 0
  return () => {
    if (++calls % 1000 === 0 && performance.now() > deadline) throw new OutOfTime()
  }
}
