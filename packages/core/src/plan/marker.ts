import { checkedCount } from '../count/tokens.ts'
import type { Fold } from '../fold/fold.ts'
import { earlierMarker } from '../fold/rooms.ts'
import { markerText } from '../policy/policy.ts'
import type { MarkerPart } from './part.ts'

/** The one marker, where messages are omitted or were before the log began. */
export function markerParts(fold: Fold, omitted: number): MarkerPart[] {
  const { policy, prices } = fold.settings
  if (policy.marker === null || (omitted === 0 && earlierMarker(fold, fold.settings) < 0)) return []
  const text = markerText(policy.marker, omitted)
  return [{ shape: 'marker', tier: 'marker', text, tokens: prices.ours + checkedCount(prices.counter, text) }]
}
