export { strictUpstream, type StrictUpstream } from './upstream/upstream.ts'
export type { OnOverflow, StrictUpstreamOptions, UpstreamFaults } from './upstream/chat.ts'
export type {
  PrefixReuse,
  UpstreamAnswer,
  UpstreamAnswers,
  UpstreamCall,
  UpstreamRequest,
} from './upstream/protocols.ts'
