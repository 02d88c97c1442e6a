export { strictUpstream, type StrictUpstream } from './upstream/upstream.ts'
export { omittedThinking, redactedThinking, signedThinking, type SignedThinking } from './upstream/anthropic-rules.ts'
export type { OnOverflow, StrictUpstreamOptions, UpstreamFaults } from './upstream/chat.ts'
export type {
  PrefixReuse,
  UpstreamAnswer,
  UpstreamAnswers,
  UpstreamCall,
  UpstreamRequest,
} from './upstream/protocols.ts'
