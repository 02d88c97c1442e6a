// Who is compared, how is each called, and what does none of them claim?
import { existsSync, readFileSync } from 'node:fs'
import {
  compile,
  defaultPolicy,
  firstAndRecent,
  lastMessages,
  tiered,
  type Message as AnyMessage,
  type Policy,
} from 'minutebook'
import type { CountMessages } from '@minutebook/conformance'
import type { Message } from '../conversation.ts'
import { loadAiSdk } from '../peers/ai-sdk.ts'
import { loadLangChain } from '../peers/langchain.ts'
import { loadLlamaIndex } from '../peers/llamaindex.ts'
import { loadMastra } from '../peers/mastra.ts'
import { words } from '../tokens.ts'
import type { WireMessage } from '../wire-message.ts'

type Fit = (
  messages: WireMessage[],
  window: number,
  count: (messages: readonly WireMessage[]) => number,
) => readonly AnyMessage[] | Promise<readonly AnyMessage[]>

/** A way to make prompts, as it is compared. */
export interface Contestant {
  readonly name: string
  /** The package with its version, or where the code is. */
  readonly version: string
  /** How it is called, and who counts. */
  readonly call: string
  /** Invariants that it does not promise, each with the reason. */
  readonly unclaimed: Readonly<Record<string, string>>
  readonly ours: boolean
  readonly counter?: CountMessages
  readonly fit: Fit
}

const ourVersion = `minutebook ${versionOf('minutebook')}`
const noCache = 'It fills the window in every turn.'
const noMarker = 'It adds no text of its own.'
const noRepair = 'It does not repair what it is given.'
const noClip = 'It does not shorten messages.'
const noWindow = 'It is not told the window.'
const bySize = 'It drops by number, not by size.'
const noError = 'It has no error for this.'

/** What none promises that only leaves messages out. */
const onlyLeavesOut = { 'open-calls': noRepair, oversized: noClip, said: noMarker, reused: noCache }

/** What none promises that does not look at the size of a prompt. */
function ignoresSize(reason: string): Contestant['unclaimed'] {
  const ofSize = { fits: reason, whole: reason, oversized: reason, refused: reason, reused: reason }
  return { ...ofSize, 'open-calls': noRepair, said: noMarker }
}

/** All of them, or only those whose packages the root installs. */
export async function contestants({ withPeers }: { readonly withPeers: boolean }): Promise<readonly Contestant[]> {
  return [
    ours('default', 'defaultPolicy()', defaultPolicy(), {}),
    ours('tiered', 'tiered({ verbatim: 2 })', tiered({ verbatim: 2 }), { reused: noCache }),
    ours('firstAndRecent', 'firstAndRecent()', firstAndRecent(), { reused: noCache }),
    ours('lastMessages', 'lastMessages(8)', lastMessages(8), {
      whole: bySize,
      grows: bySize,
      reused: noCache,
      said: 'It has no marker.',
    }),
    await langchain(),
    ...(withPeers ? [await mastra(), await llamaIndex()] : []),
    await aiSdk(),
    slidingWindow,
    lastOnes,
  ]
}

function ours(name: string, call: string, policy: Policy, unclaimed: Contestant['unclaimed']): Contestant {
  const counter = { ...words, overhead: 1 }
  return {
    name: `Minutebook ${name}`,
    version: ourVersion,
    call: `\`compile(messages, { window, reserve: 0, policy: ${call}, counter })\``,
    unclaimed,
    ours: true,
    fit: (messages, window) => compile(messages, { window, reserve: 0, policy, counter }).messages,
  }
}

async function langchain(): Promise<Contestant> {
  const trimmer = await loadLangChain()
  return {
    name: 'LangChain trimMessages',
    version: `@langchain/core ${versionOf('@langchain/core')}`,
    call: "`trimMessages(messages, { maxTokens: window, tokenCounter, strategy: 'last', includeSystem: true, startOn: 'human' })`, with the options that its documentation recommends for chats. `includeSystem` keeps the first message if that is a system message; a second one is not kept.",
    unclaimed: { ...onlyLeavesOut, refused: noError },
    ours: false,
    fit: async (messages, window, count) => {
      const converted = messages.map((message, index) => trimmer.convert(toBench(message), index))
      const before = JSON.stringify(converted)
      const kept = await trimmer.trim(converted, window, (index) => count(messages.slice(index, index + 1)))
      return keptOf(messages, kept, before === JSON.stringify(converted))
    },
  }
}

async function mastra(): Promise<Contestant> {
  const limiter = await loadMastra()
  return {
    name: 'Mastra TokenLimiter',
    version: `@mastra/core ${versionOf('@mastra/core')}`,
    call: '`new TokenLimiterProcessor({ limit: window }).processLLMRequest({ prompt })`, in its default mode (`best-fit`). It counts with an estimate of its own, so here all tokens are counted with that.',
    unclaimed: {
      ...onlyLeavesOut,
      unusual: 'It is documented to throw if there are only system messages, or none.',
    },
    ours: false,
    counter: (messages) => limiter.count(messages.map((message) => limiter.convert(toBench(message as WireMessage)))),
    fit: async (messages, window) => {
      const converted = messages.map((message) => limiter.convert(toBench(message)))
      const before = JSON.stringify(converted)
      const kept = await limiter.limit(converted, window)
      return keptOf(messages, kept, before === JSON.stringify(converted))
    },
  }
}

async function llamaIndex(): Promise<Contestant> {
  const memory = await loadLlamaIndex()
  return {
    name: 'LlamaIndex Memory',
    version: `@llamaindex/core ${versionOf('@llamaindex/core')}`,
    call: '`createMemory(messages, { tokenLimit: window, shortTermTokenLimitRatio: 1, memoryBlocks }).getLLM()`, with the system messages at the beginning as static blocks, which it always sends. It counts only contents, so here all tokens are counted like that.',
    unclaimed: { ...onlyLeavesOut, refused: noError },
    ours: false,
    counter: (messages) => memory.count(messages as readonly WireMessage[]),
    fit: async (messages, window) => keptOf(messages, await memory.trim(messages, window), true),
  }
}

async function aiSdk(): Promise<Contestant> {
  const pruner = await loadAiSdk()
  return {
    name: 'AI SDK pruneMessages',
    version: `ai ${versionOf('ai')}`,
    call: "`pruneMessages({ messages, reasoning: 'before-last-message', toolCalls: 'before-last-2-messages', emptyMessages: 'remove' })`, the example of its documentation. It makes prompts smaller and is not told the window.",
    unclaimed: {
      ...ignoresSize(noWindow),
      unusual: 'It is asked to remove empty messages.',
      grows: 'It prunes whatever the size.',
    },
    ours: false,
    fit: (messages) => pruner.prune(messages),
  }
}

/** The window of Ollama's server, from its description: drop from the front until the system messages and the rest fit. */
const slidingWindow: Contestant = {
  name: 'sliding window (Ollama)',
  version: '`bench/conformance/contestants.ts`, after `chatPrompt` in `server/prompt.go` of ollama/ollama at 0159e10a',
  call: 'drops messages from the front until the rest fits, keeps all system messages and the last message, and does not begin inside a round of calls',
  unclaimed: { ...onlyLeavesOut, refused: noError },
  ours: false,
  fit: (messages, window, count) => {
    let prompt: readonly WireMessage[] = messages
    for (const index of messages.keys()) {
      const from = startOfRound(messages, index)
      prompt = [...messages.slice(0, from).filter(({ role }) => role === 'system'), ...messages.slice(from)]
      if (count(prompt) <= window) break
    }
    return prompt
  },
}

function startOfRound(messages: readonly WireMessage[], index: number): number {
  let start = index
  while (start > 0 && messages[start]?.role === 'tool') start--
  return messages[start]?.tool_calls === undefined ? index : start
}

const lastOnes: Contestant = {
  name: 'last 8 messages',
  version: '`bench/conformance/contestants.ts`',
  call: 'the system messages and `messages.slice(-8)` of the others, as many programs do it',
  unclaimed: { ...ignoresSize(bySize), unusual: bySize, grows: bySize },
  ours: false,
  fit: (messages) => [
    ...messages.filter(({ role }) => role === 'system'),
    ...messages.filter(({ role }) => role !== 'system').slice(-8),
  ],
}

/** If the library changed its own copies, it would have changed what a program passes: so are the messages here. */
function keptOf(messages: WireMessage[], kept: readonly number[], isUnchanged: boolean): WireMessage[] {
  const prompt = kept.flatMap((index) => messages[index] ?? [])
  if (!isUnchanged) messages.length = 0
  return prompt
}

function toBench({ role, content, tool_calls: calls, tool_call_id: id }: WireMessage): Message {
  return {
    role,
    text: content ?? '',
    ...(calls && {
      calls: calls.map((call) => ({
        id: call.id,
        name: call.function.name,
        input: JSON.parse(call.function.arguments) as Record<string, string>,
      })),
    }),
    ...(id !== undefined && { answers: { id, name: 'look_up', input: {} } }),
  }
}

/** Of an installed package. */
function versionOf(name: string): string {
  const found = [`../peers/node_modules/${name}`, `../../node_modules/${name}`, '../../packages/core']
    .map((folder) => new URL(`${folder}/package.json`, import.meta.url))
    .find((file) => existsSync(file))
  return (JSON.parse(readFileSync(found!, 'utf8')) as { version: string }).version
}
