import { checkedCount } from '../count/tokens.ts'
import type { OutlineLine } from '../digest/outline.ts'
import { at } from '../fold/column.ts'
import { spokenBetween, type View } from '../fold/columns.ts'
import { stepDigest } from '../fold/remains.ts'
import type { Settings } from '../policy/settings.ts'

/** The steps of a turn between two indexes, in brief, oldest first: the newest a line each, the rest gathered in one. */
export function stepLines(view: View & { readonly settings: Settings }, from: number, to: number, room: number): OutlineLine[] {
  const { columns, settings: { digesting } } = view
  const lines: OutlineLine[] = []
  let end = to
  let spent = 0
  let step = lastStepBefore(view, to)
  for (; step >= 0 && at(columns.steps, step) >= from; step--) {
    const start = at(columns.steps, step)
    const digest = stepDigest(view, start, end, digesting)
    const older = gathered(view, from, start)
    if (spent + digest.tokens + older.reduce((sum, line) => sum + line.tokens, 0) > room) break
    lines.unshift({ from: start, to: end, own: true, text: digest.text, tokens: digest.tokens })
    spent += digest.tokens
    end = start
  }
  const rest = gathered(view, from, end)
  return spent + rest.reduce((sum, line) => sum + line.tokens, 0) > room ? [] : [...rest, ...lines]
}

function gathered(view: View & { readonly settings: Settings }, from: number, to: number): OutlineLine[] {
  const messages = spokenBetween(view, from, to)
  if (messages === 0) return []
  const text = `[Earlier: ${messages} more messages of this turn]`
  return [{ from, to, own: false, text, tokens: checkedCount(view.settings.digesting.counter, `${text}\n`) }]
}

function lastStepBefore(view: View, index: number): number {
  let step = view.steps - 1
  while (step >= 0 && at(view.columns.steps, step) >= index) step--
  return step
}
