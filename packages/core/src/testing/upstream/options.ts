import type { TokenCounter } from '../../tokens/tokens.ts'
import type { Profile } from '../../compiler/profile.ts'
import type { UpstreamAnswers } from './answer.ts'
import type { UpstreamFaults } from './faults.ts'
import type { OnOverflow } from './overflow.ts'

/** What a strict server answers, and what it refuses. */
export interface StrictUpstreamOptions extends UpstreamFaults {
  /** What it answers: 'ok' where nothing is said. */
  readonly answer?: UpstreamAnswers
  /** Tokens that prompt and answer have together; without end where not given. */
  readonly window?: number
  /** Tokens that the model can be loaded with at most, if a request asks for more than `window`. Default: `window`. */
  readonly limit?: number
  /** The window that it says it has, where that is not the one it has. */
  readonly claims?: number
  readonly onOverflow?: OnOverflow
  /** One word, one token where not given. */
  readonly counter?: TokenCounter
  /** What the model's template demands. Calls without results and results without calls are refused in any case. */
  readonly profile?: Profile
  /** The models it has; without a list it lists one and takes any name. */
  readonly models?: readonly string[]
}
