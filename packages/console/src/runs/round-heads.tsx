import type { Column } from '@minutebook/experiment/run'
import type { ReactElement } from 'react'
import { readable } from '../ui/text.ts'
import { roundStep } from './axis.ts'
import type { Columns } from './use-columns.ts'

interface RoundHeadsProps {
  readonly rounds: readonly Column[]
  readonly columns: Columns
}

/** The numbers of the rounds; in wide columns also what is played in each. */
export function RoundHeads({ rounds, columns: { items, sizes, width } }: RoundHeadsProps): ReactElement {
  const step = roundStep(sizes.column, leastRoom)
  return (
    <>
      <div
        role="columnheader"
        aria-colindex={1}
        className="monitor-name items-center bg-page text-muted"
        style={{ width: sizes.names }}
      >
        Participant
      </div>
      {items.map(({ index, start, size }) => {
        const column = rounds[index - 1]
        if (!column)
          return (
            <div
              key={index}
              role="presentation"
              className="absolute top-0 flex h-full items-center px-1 text-muted"
              style={{ left: start, width: size }}
            >
              {size >= 40 ? 'Start' : '0'}
            </div>
          )
        if (column.round % step !== 0 || (step > 1 && start + leastRoom > width)) return null
        return (
          <div
            key={index}
            role="columnheader"
            aria-colindex={index + 1}
            className={`absolute top-0 flex h-full items-center gap-1.5 border-l border-line whitespace-nowrap ${size >= leastWords ? 'px-2' : 'px-1'}`}
            style={{ left: start, width: step > 1 ? leastRoom : size }}
          >
            <span className="font-mono font-medium">{column.round}</span>
            {size >= leastWords && (
              <>
                <span className="truncate text-muted">{readable(column.name)}</span>
                {column.play !== 'sequence' && (
                  <span className="ml-auto shrink-0 text-[11px] text-muted">{column.play}</span>
                )}
              </>
            )}
          </div>
        )
      })}
    </>
  )
}

/** Pixels for a number of a round. */
const leastRoom = 28
/** Pixels of a column that has words. */
export const leastWords = 100
