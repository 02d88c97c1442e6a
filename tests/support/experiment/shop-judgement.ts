import { interruptions } from '../../../packages/core/src/turns/tool.ts'
import type { Evidence } from './evidence.ts'
import type { KillPoint } from './kill-plan.ts'

/** Dies before the parcel is sent and after it, in either play. */
export const shopPlan: readonly KillPoint[] = (['parallel', 'sequence'] as const).flatMap((play) => [
  { kind: 'run begins', play, from: 1 },
  { kind: 'run ends', play, from: 3 },
])

/** What became of a shop whose clerks were killed. */
export interface ShopJudgement {
  readonly status: string
  /** Parcels that were sent more than once. */
  readonly twice: readonly string[]
  /** Calls that ended as interrupted, and what they were told. */
  readonly interrupted: number
  readonly told: readonly string[]
  /** Calls that were done, but whose parcels are not among those sent. */
  readonly unsent: readonly string[]
  /** Parcels that were counted, beside those that should be. */
  readonly counted: readonly [sent: unknown, done: number]
  /** Turns that are not complete. */
  readonly incomplete: number
  readonly turns: number
}

export function judgeShop({ status, events, environments }: Evidence, shipped: readonly string[]): ShopJudgement {
  const all = events.map(
    (event) =>
      JSON.parse(event) as {
        readonly type: string
        readonly status?: string
        readonly told?: string
        readonly input?: { readonly parcel: string }
      },
  )
  const effects = all.filter(({ type }) => type === 'effect')
  const done = effects.filter((effect) => effect.status === 'done').map(({ input }) => input!.parcel)
  const interrupted = effects.filter((effect) => effect.status === 'interrupted')
  const played = all.filter(({ type }) => type === 'played')
  return {
    status,
    twice: shipped.filter((parcel, index) => shipped.indexOf(parcel) < index),
    interrupted: interrupted.length,
    told: [...new Set(interrupted.map(({ told }) => (told === interruptions.unknown ? 'interrupted' : `${told}`)))],
    unsent: done.filter((parcel) => !shipped.includes(parcel)),
    counted: [(environments.at(-1)![1] as { readonly sent: number }).sent, done.length],
    incomplete: played.filter((turn) => turn.status !== 'complete').length,
    turns: played.length,
  }
}
