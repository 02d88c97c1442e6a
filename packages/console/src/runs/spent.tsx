import type { ReactElement } from 'react'
import { grouped } from '../inspector/number.ts'
import type { Spending } from './types.ts'

/** What model calls took: tokens, and what they cost where that is known. */
export function Spent({
  spending: { prompt, completion, calls, cost },
}: {
  readonly spending: Spending
}): ReactElement {
  return (
    <span
      className="whitespace-nowrap tabular-nums"
      title={`${grouped(calls)} model calls: ${grouped(prompt)} tokens of prompts, ${grouped(completion)} of answers`}
    >
      {grouped(prompt + completion)} tokens{cost !== undefined && ` · $${cost < 1 ? cost.toFixed(4) : cost.toFixed(2)}`}
    </span>
  )
}
