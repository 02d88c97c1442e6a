import { traits } from '../log/kind.ts'
import type { View } from './columns.ts'
import { layoutOf, roomsOf, usedBy, wholeCost, type Layout } from './layout.ts'
import { systemOnlyFirst } from './profile.ts'
import type { Settings } from './settings.ts'

/** The stretch between two compactions: as long as it lasts, a prompt begins with the one before it. */
export interface Epoch extends Layout {
  readonly number: number
  /** The length of the log when it began. */
  readonly since: number
  /** Whether anything was ever left out. */
  readonly compacted: boolean
}

export const firstEpoch: Epoch = { number: 0, since: 0, compacted: false, cut: 0, bare: 0, outlineRoom: 0, stepsRoom: 0 }

/** The epoch after one more entry. `repaired`: an earlier prompt showed a call as interrupted that now has its result. */
export function nextEpoch(epoch: Epoch, view: View, settings: Settings, repaired: boolean): Epoch {
  const { epochs } = settings.policy
  if (!epochs) return epoch
  if (overflows(epoch, view, settings)) {
    const layout = layoutOf(view, settings, epochs.low)
    return { ...layout, number: epoch.number + 1, since: view.length, compacted: true }
  }
  if (!repaired && !movesToHead(view, settings)) return epoch
  return { ...epoch, number: epoch.number + 1, since: view.length }
}

function overflows(epoch: Epoch, view: View, settings: Settings): boolean {
  if (!epoch.compacted) return wholeCost(view, settings) > settings.whole
  const rooms = roomsOf(view, settings)
  const outlined = Math.max(rooms.outline, epoch.outlineRoom + epoch.stepsRoom)
  return usedBy(view, epoch) > rooms.base - rooms.recall - outlined
}

function movesToHead(view: View, { policy, prices }: Settings): boolean {
  const newest = view.columns.entries[view.length - 1]
  if (!newest || !traits[newest.kind].pinned || view.exchanges === 0) return false
  return policy.system !== 'in place' || systemOnlyFirst(prices.profile)
}
