import { gapTexts, type Gaps } from '@minutebook/experiment/run'
import type { ReactElement } from 'react'

/** Signs for what the model did not get to see in a turn; the words are for everybody else. */
export function GapMarks({ gaps }: { readonly gaps: Gaps }): ReactElement | null {
  const texts = gapTexts(gaps)
  if (texts.length === 0) return null
  const { question, turn, earlier, window } = gaps
  return (
    <span
      data-gaps={[
        question !== undefined && 'question',
        turn > 0 && 'turn',
        earlier > 0 && 'earlier',
        window && 'window',
      ]
        .filter(Boolean)
        .join(' ')}
      title={`The model did not see all of it: ${texts.join('; ')}`}
      className="shrink-0 whitespace-nowrap"
    >
      <span aria-hidden="true">
        {question !== undefined && <span className="font-bold text-warn">✂</span>}
        {(turn > 0 || earlier > 0) && <span className={turn > 0 ? 'font-bold text-warn' : 'text-muted'}>⋯</span>}
        {window && <span className="text-warn">⚠</span>}
      </span>
      <span className="sr-only">{texts.join(', ')}</span>
    </span>
  )
}
