import type { Profile } from 'minutebook'
import type { ModelPrice } from '@minutebook/inspect'
import type { Stabiliser } from 'minutebook/inspect'
import type { PolicyConfig } from '@minutebook/experiment/run'
import { getHeapStatistics } from 'node:v8'
import type { Scope } from './caller.ts'

/** All settings of a server, checked. */
export interface Config {
  readonly host: string
  /** 0: any that is free. */
  readonly port: number
  /** The folder of the record and of the address file. */
  readonly data: string
  /** Of a Postgres database, in place of files in the data folder. */
  readonly database?: string | undefined
  readonly upstreams: readonly UpstreamConfig[]
  /** With keys, every request needs one. */
  readonly keys: readonly KeyConfig[]
  /** Names under which clients may reach the server, in addition to this machine's own. */
  readonly allowHosts: readonly string[]
  /** Web origins whose pages may use the server, in addition to this machine's own. */
  readonly allowOrigins: readonly string[]
  readonly models: Readonly<Record<string, ModelConfig>>
  /** What models cost, by their names. The cost of a call is shown only for these. */
  readonly prices: Readonly<Record<string, ModelPrice>>
  readonly policy: PolicyConfig
  /** What happens to a chat while the store cannot be reached: it is answered with 503, or passed on unrecorded. */
  readonly onStoreFailure: 'refuse' | 'pass'
  /** Bytes of the body of a chat, at most. */
  readonly bodyLimit: number
  /** Bytes of memory that bodies of requests under way may take together, about. Default: a quarter of the heap. */
  readonly bodiesLimit?: number | undefined
  /**
   * About how many characters of a thread may be held in memory; images count as they are sent. More is refused with
   * `thread_too_large`.
   */
  readonly threadLimit: number
  /** What may be changed in chats, so that upstreams can use their caches. */
  readonly stabilise: readonly Stabiliser[]
  /** Whether chats are recorded if the request does not say so. `always`: also responses with `store: false`. */
  readonly record: boolean | 'always'
  /** What answers in threads that name no model. */
  readonly defaultModel?: string | undefined
  /** Policies that threads and chats can name, in addition to the presets. */
  readonly policies: Readonly<Record<string, PolicyConfig>>
  /** Tools that the server runs in turns of its own. */
  readonly tools: readonly ToolConfig[]
  /** Servers that have more of them. */
  readonly mcp: readonly McpConfig[]
  readonly states: readonly StateConfig[]
  /** Who is told that a call waits for a decision. */
  readonly webhooks: readonly WebhookConfig[]
  /**
   * How `/v1/responses` and `/v1/conversations` are answered. `auto`: from the record of this server, by an upstream
   * that serves `/v1/responses`, else on its chats. `chats`: always on its chats. `pass`: by the upstream alone.
   */
  readonly responses: 'auto' | 'chats' | 'pass'
  /** Without it there is no limit. */
  readonly rateLimit?: RateLimitConfig | undefined
  /** Connections to Postgres, at most. */
  readonly poolSize: number
  /** Milliseconds that one statement of Postgres may take. Long work may take twelve times as long. */
  readonly databaseTimeout: number
  /** Turns that this instance runs at once. */
  readonly slots: number
  /** Turns sent here that may wait in addition to those; further ones are answered with 503. */
  readonly queueLimit: number
  /** The limits of runs; a definition with higher limits is refused. */
  readonly runLimits: RunLimitsConfig
  /**
   * Milliseconds after which a model call of such a turn is aborted, so a silent upstream cannot hold its slot forever.
   */
  readonly callTimeout: number
  /**
   * Milliseconds in which a closing server reports that it is not ready and still takes requests, so a load balancer
   * notices.
   */
  readonly drainNotice: number
  /** Milliseconds after the newest entry of a thread when the thread is removed. Default: threads are kept. */
  readonly keep?: number | undefined
  /** Without it there are no spans. */
  readonly telemetry?: TelemetryConfig | undefined
}

/** A model server. */
export interface UpstreamConfig {
  readonly url: string
  /** Default: both. An Ollama server speaks OpenAI's protocol too. Turns ask any other server in OpenAI's. */
  readonly protocol?: ProtocolName | undefined
  /** Sent as `Authorization: Bearer …` instead of what the client sends. */
  readonly key?: string | undefined
  /** The models that it has. Without a list it takes every model that no other lists. */
  readonly models?: readonly string[] | undefined
}

/** A key of the settings. */
export interface KeyConfig {
  readonly name: string
  /** Of the key, in hexadecimal: the key itself is not kept. */
  readonly sha256: string
  /** Whose threads it reads and writes. Default: `default`. */
  readonly tenant: string
  /** What it may do. Default: `app`. */
  readonly scope: Scope
  /** false: the key is for chats alone, and only for those without words of the system. */
  readonly system?: boolean | undefined
  /**
   * Of an admin: whether it also has what belongs to all tenants: their keys, the upstreams' models and files,
   * addresses. Default: false.
   */
  readonly installation?: boolean | undefined
  /** Whether an app may decide about calls that need approval. Admins always may. Default: false. */
  readonly decide?: boolean | undefined
}

/** What the server should know of a model. */
export interface ModelConfig {
  /** Tokens that prompt and answer have together. */
  readonly window?: number | undefined
  /** Set in every request to Ollama's `/api/chat`. */
  readonly num_ctx?: number | undefined
  /** Tokens reserved for the answer if the request asks for none. */
  readonly reserve?: number | undefined
  /** `estimate` (default), `o200k`, or the path of a tokenizer.json. */
  readonly counter?: string | undefined
  readonly profile?: Profile | undefined
}

/**
 * A tool that the server runs: a POST of JSON to an address that only the settings can name. Without an address, the
 * client runs it, or a person answers: the turn waits for the result.
 */
export interface ToolConfig {
  readonly name: string
  readonly description?: string | undefined
  /** A JSON Schema. */
  readonly parameters: Readonly<Record<string, unknown>>
  readonly url?: string | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Whether each call must be approved before it runs. Default: false. */
  readonly approve?: boolean | undefined
  /** Milliseconds after which a call that waits is refused. Default: no limit. */
  readonly decideWithin?: number | undefined
  /** The names of the states that it gets with each call, as of the call. Default: none. */
  readonly states?: readonly string[] | undefined
  /** Whether it may run again if a crash left it unknown whether it ran. Default: false. */
  readonly mayRepeat?: boolean | undefined
  /** Milliseconds. */
  readonly timeout?: number | undefined
}

/** A server of tools that speaks MCP: at an address, or as a program that is started. */
export interface McpConfig {
  readonly name: string
  readonly url?: string | undefined
  readonly command?: readonly string[] | undefined
  readonly headers?: Readonly<Record<string, string>> | undefined
  /** Which of its tools are used. Default: all. */
  readonly tools?: readonly string[] | undefined
  /** Which of its tools need approval before they run: `true` for all. Default: none. */
  readonly approve?: true | readonly string[] | undefined
  readonly mayRepeat?: boolean | undefined
}

/** A state: the newest valid result of some tools. */
export interface StateConfig {
  readonly name: string
  readonly tools: readonly string[]
  /** A JSON Schema; results that do not fit it are ignored. */
  readonly schema?: Readonly<Record<string, unknown>> | undefined
}

/** An address that is told when a call begins to wait for a decision. Only the settings can name it. */
export interface WebhookConfig {
  readonly name: string
  readonly url: string
  /** What requests are signed with: `whsec_` and 24 to 64 bytes in base64. */
  readonly secret: string
  /** The tenants whose calls it is told of. Default: all. */
  readonly tenants?: readonly string[] | undefined
  /** Whether it is told the arguments of the call, too. Default: false. */
  readonly input?: boolean | undefined
}

/** How much one key may ask for. */
export interface RateLimitConfig {
  /** In a minute, for each key. */
  readonly requests: number
  /** Turns and chats at once, for each key. A run counts as many as it may play at once. */
  readonly turns?: number | undefined
}

export interface RunLimitsConfig {
  readonly rounds: number
  /** Of all model calls of a run. Default: no limit. */
  readonly tokens?: number | undefined
}

/** Where traces are sent. */
export interface TelemetryConfig {
  /** Takes spans as OTLP over HTTP. */
  readonly endpoint: string
  /** Whether spans contain what was said. Default: false. */
  readonly content?: boolean | undefined
}

/** The protocols that clients and upstreams speak; nothing is translated between them. */
export type ProtocolName = 'anthropic' | 'ollama' | 'openai'

/**
 * What the parts of a server may hold, in bytes except for the last two. The rest is for everything else, and for wrong
 * estimates.
 */
export interface HeapShares {
  /** Bodies of requests under way. */
  readonly bodies: number
  /** Threads that requests under way have read. */
  readonly threads: number
  /** Threads of chats that are kept for the next request; the same number again for responses. */
  readonly cache: number
  /** Of one answer of an upstream. */
  readonly answer: number
  /** Requests of one tenant that may run at once. One that follows a thread holds little, but something. */
  readonly requests: number
  /** About how many characters one thread may hold. */
  readonly threadLimit: number
}

/**
 * Shares of the heap of this process (`--max-old-space-size`), so the same settings serve a small machine and a large
 * one.
 *
 * @example
 * const { bodies } = heapShares()
 */
export function heapShares(heap: number = getHeapStatistics().heap_size_limit): HeapShares {
  const part = (of: number): number => Math.floor(heap / of)
  return {
    bodies: part(4),
    threads: part(8),
    cache: part(16),
    answer: part(64),
    requests: part(512 << 10),
    threadLimit: Math.min(64 << 20, part(64)),
  }
}
