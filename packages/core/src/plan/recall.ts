import { checkedCount } from '../count/tokens.ts'
import { at } from '../fold/column.ts'
import { exchangeStart, spokenStep } from '../fold/columns.ts'
import type { Fold } from '../fold/fold.ts'
import { bringUpToDate } from '../fold/indexing.ts'
import { keptUser, pinsFirst, wholeCost, type Layout } from '../fold/layout.ts'
import { ownCost, roomsOf } from '../fold/rooms.ts'
import { traits } from '../log/kind.ts'
import { argumentsText } from '../log/message.ts'
import { framing } from '../policy/framing.ts'
import { countLines } from '../policy/marked.ts'
import { recalledHead } from '../policy/recalled.ts'
import { rank } from '../recall/rank.ts'
import { asks, selectUnits, type Unit } from '../recall/selection.ts'
import type { RecallPart } from './part.ts'

/** How many entries the next prompt's recall looks through: none if everything fits. */
export function recallable(fold: Fold): number {
  const { settings } = fold
  if (!settings.policy.recall || fold.exchanges === 0 || wholeCost(fold, settings) <= settings.whole) return 0
  return exchangeStart(fold, fold.exchanges - 1)
}

/** What the latest user entry asks about among the entries before the cut, in at most `room` tokens. */
export function recallPart(fold: Fold, layout: Layout, room: number): RecallPart | undefined {
  const { settings, columns } = fold
  const setting = settings.policy.recall
  if (!setting || fold.exchanges === 0 || room <= settings.prices.recall) return undefined
  const asked = exchangeStart(fold, fold.exchanges - 1)
  const query = at(columns.entries, asked)
  if (query.kind !== 'user') return undefined
  bringUpToDate(fold, asked)
  const share = setting.largest * (asks(query.text) ? 1 : setting.statement)
  const largest = Math.min(room, Math.floor(Math.max(0, roomsOf(fold, settings).base) * share))
  const before = Math.min(layout.cut, asked)
  const present = [keptUser(fold, layout.cut).index, pinsFirst(fold, settings, layout.cut) ? fold.firstUser : -1]
  const unitOf = (entry: number): Unit | undefined => (present.includes(entry) ? undefined : recallUnit(fold, entry))
  const ranking = rank(columns.index, query.text, { count: asked, before, most: Math.max(256, largest / 4), reads: setting.reads })
  const units = selectUnits(ranking, setting, largest - settings.prices.recall, unitOf)
  if (units.length === 0) return undefined
  const entries = units.flatMap(({ entries: each }) => each).map((index) => ({ index, tokens: recalledCost(fold, index) }))
  return { shape: 'recall', tier: 'recall', entries, tokens: entries.reduce((sum, { tokens }) => sum + tokens, settings.prices.recall) }
}

/** The entry, or the whole step of a call or a result. Never a note: the newest are in every prompt, and older ones are done with. */
function recallUnit(fold: Fold, index: number): Unit | undefined {
  const { columns } = fold
  const entry = at(columns.entries, index)
  if (traits[entry.kind].pinned || !traits[entry.kind].chained || (entry.text === '' && entry.calls.length === 0)) return undefined
  const entries = entry.calls.length === 0 && entry.kind !== 'tool' ? [index] : spokenStep(fold, index)
  return { from: entries[0]!, entries, tokens: entries.reduce((sum, each) => sum + recalledCost(fold, each), 0) }
}

/** Stored counts and the few characters around them: the text itself is not counted again. */
function recalledCost(fold: Fold, index: number): number {
  const { columns: { text, entries, memory }, settings: { prices } } = fold
  const known = memory.recalled.get(index)
  if (known !== undefined) return known
  const entry = at(entries, index)
  const count = (words: string): number => checkedCount(prices.counter, words)
  const lines = entry.calls.reduce((sum, call) => sum + countLines(argumentsText(call)), countLines(entry.text) - 1)
  const calls = entry.calls.length === 0 ? 0 : ownCost(fold, index) - at(text, index) + entry.calls.length * count(`\n${framing.call('')}`)
  const cost = at(text, index) + calls + lines * prices.mark + count(recalledHead(entry)) + count('\n')
  memory.recalled.set(index, cost)
  return cost
}
