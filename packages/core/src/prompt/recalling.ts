import type { Fold } from './fold.ts'
import type { Layout } from './layout.ts'
import type { RecallPart } from './part.ts'

export function recallPart(_fold: Fold, _layout: Layout, _room: number): RecallPart | undefined {
  return undefined
}
