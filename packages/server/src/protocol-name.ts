/** The protocols that clients and upstreams speak; nothing is translated between them. */
export type ProtocolName = 'ollama' | 'openai'
