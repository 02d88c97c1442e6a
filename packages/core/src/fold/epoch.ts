import { traits } from '../log/kind.ts'
import type { Settings } from '../policy/settings.ts'
import { at } from './column.ts'
import type { View } from './columns.ts'
import { layoutOf, usedBy, wholeCost, type Layout } from './layout.ts'
import { roomsOf, systemsFirst } from './rooms.ts'

/** The stretch between two compactions: as long as it lasts, a prompt begins with the one before it. */
export interface Epoch extends Layout {
  readonly number: number
  /** The length of the log when it began. */
  readonly since: number
  /** Whether anything was ever left out. */
  readonly compacted: boolean
  /** Whether even the floor had to be clipped: such an epoch lasts for one prompt. */
  readonly overflowed: boolean
}

export const firstEpoch: Epoch = { number: 0, since: 0, compacted: false, overflowed: false, cut: 0, bare: 0, outlineRoom: 0, stepsRoom: 0, clipped: null }

/** The epoch after one more entry. `repaired`: an earlier prompt showed a call as interrupted that now has its result. */
export function nextEpoch(epoch: Epoch, view: View, settings: Settings, repaired: boolean): Epoch {
  const { epochs } = settings.policy
  if (!epochs) return epoch
  const next = { number: epoch.number + 1, since: view.length }
  if (epoch.compacted && shrinks(view) && wholeCost(view, settings) <= settings.whole) return { ...firstEpoch, ...next }
  if (overflows(epoch, view, settings)) {
    const layout = layoutOf(view, settings, epochs.low)
    const rooms = roomsOf(view, settings)
    return { ...layout, ...next, compacted: true, overflowed: usedBy(view, settings, layout, rooms) > rooms.base }
  }
  if (!repaired && !shrinks(view) && !movesToHead(view, settings)) return epoch
  return { ...epoch, ...next }
}

function overflows(epoch: Epoch, view: View, settings: Settings): boolean {
  if (!epoch.compacted) return wholeCost(view, settings) > settings.whole
  if (epoch.overflowed) return true
  const rooms = roomsOf(view, settings)
  const outlined = Math.max(rooms.outline, epoch.outlineRoom + epoch.stepsRoom)
  return usedBy(view, settings, epoch, rooms) > rooms.base - rooms.recall - outlined
}

/** A result that is shorter than the words that stood in for it leaves more room than the prompt before had. */
function shrinks({ columns: { full }, length }: View): boolean {
  return at(full, length) < at(full, length - 1)
}

function movesToHead(view: View, settings: Settings): boolean {
  if (!traits[at(view.columns.entries, view.length - 1).kind].pinned) return false
  return view.exchanges === 0 ? view.notes > 0 : systemsFirst(settings)
}
