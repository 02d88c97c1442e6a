import type { Store } from '../log/store.ts'
import type { WindowSource } from '../models/window-source.ts'
import type { Model } from '../wire/model.ts'
import type { CallSettings } from '../receipt/call-settings.ts'
import type { Clock } from '../record/clock.ts'
import type { LiveLog } from '../record/live-log.ts'
import type { Meter } from '../receipt/prediction.ts'
import type { Prompter } from '../receipt/prompter.ts'
import type { WindowShortfall } from '../receipt/receipt.ts'
import type { Tool } from '../tool/tool.ts'
import type { Fitting } from './fitting.ts'
import type { NoteReading } from '../truncation/truncation.ts'
import type { TurnControl } from './turn.ts'

/** All that running a turn needs. */
export interface Running {
  readonly store: Store
  readonly log: LiveLog
  readonly term: number
  readonly control: TurnControl
  readonly manner: Manner
  /** Reads what others have written to the log. */
  readonly refresh: () => Promise<void>
}

/** How a thread's turns are run. */
export interface Manner {
  readonly model: Model
  readonly tools: readonly Tool[]
  readonly settings: CallSettings
  /** As they are on record. */
  readonly settingsText: string
  /** As receipts name them. */
  readonly settingsHash: string
  readonly clock: Clock | undefined
  readonly notes: 'off' | 'block' | 'tool'
  readonly journal: boolean
  /** Model calls in one turn, at most. */
  readonly steps: number
  /** Milliseconds that a turn may take, and one model call in it. */
  readonly deadline: number | undefined
  readonly callTimeout: number | undefined
  readonly prompter: Prompter
  readonly windowSource: WindowSource | undefined
  /** The same for a window that the server told when it refused a prompt. */
  readonly refitted: (fitting: Fitting) => Manner
  /** If a larger window was asked for. */
  readonly shortfall: WindowShortfall | undefined
  /** Looks at what was sent and read; nobody does by default. */
  readonly reading: { readonly note: NoteReading; readonly meter: Meter; readonly isEstimated: boolean } | undefined
}
