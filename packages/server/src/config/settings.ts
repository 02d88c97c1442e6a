import type { Profile } from 'minutebook'
import type { ProtocolName } from '../protocol-name.ts'

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
  /** Names, beside this machine's own, under which clients may reach the server. */
  readonly allowHosts: readonly string[]
  /** Web origins, beside this machine's own, whose pages may speak to the server. */
  readonly allowOrigins: readonly string[]
  readonly models: Readonly<Record<string, ModelConfig>>
  readonly policy: PolicyConfig
  /** What happens to a chat while the store cannot be reached: answered 503, or passed on unrecorded. */
  readonly onStoreFailure: 'refuse' | 'pass'
  /** Bytes of the body of a chat, at most. */
  readonly bodyLimit: number
  /** Whether chats are recorded where the request says nothing. */
  readonly record: boolean
}

export interface UpstreamConfig {
  readonly url: string
  /** Both unless told: an Ollama server speaks OpenAI's protocol too. */
  readonly protocol?: ProtocolName | undefined
  /** Sent as `Authorization: Bearer …` in place of what the client sends. */
  readonly key?: string | undefined
  /** The models it has; without a list it takes what no other lists. */
  readonly models?: readonly string[] | undefined
}

export interface KeyConfig {
  readonly name: string
  /** Of the key, in hexadecimal: the key itself is kept nowhere. */
  readonly sha256: string
  /** Whose threads it reads and writes: `default` unless told. */
  readonly tenant: string
  /** Whether it may read the record under `/minutebook/v1`. */
  readonly operator: boolean
  /** false: it is for chats alone, and for such as hold no system messages. */
  readonly system?: boolean | undefined
}

export interface ModelConfig {
  /** Tokens that prompt and answer have together. */
  readonly window?: number | undefined
  /** Set in every request to Ollama's `/api/chat`. */
  readonly num_ctx?: number | undefined
  /** Tokens kept for the answer where the request asks for none. */
  readonly reserve?: number | undefined
  /** `estimate` unless told, `o200k`, or the path of a tokenizer.json. */
  readonly counter?: string | undefined
  readonly profile?: Profile | undefined
}

/** How conversations that do not fit are fitted. */
export interface PolicyConfig {
  readonly preset: 'default' | 'lastMessages' | 'tiered' | 'firstAndRecent'
  /** Of `default`. */
  readonly recall?: 'off' | 'gated' | 'eager' | undefined
  readonly epochs?: boolean | undefined
  /** Of `lastMessages`: how many. */
  readonly messages?: number | undefined
  /** Of `tiered`: how many exchanges. */
  readonly verbatim?: number | undefined
  readonly overflow?: 'error' | 'keep' | undefined
  /** Whether the model is asked for notes to self; then every chat is rewritten. */
  readonly notes?: boolean | undefined
  readonly journal?: boolean | undefined
}
