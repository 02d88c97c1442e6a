import { memo, type ReactElement } from 'react'
import { grouped } from '../inspector/number.ts'
import { readable } from '../transcript/readable.ts'
import { GapMarks } from './gap-marks.tsx'
import type { GridCell } from './grid.ts'

/** A sign beside the word, for those who do not tell colours apart. */
export const turnLooks: Readonly<Record<GridCell['status'], { readonly sign: string; readonly tone: string }>> = {
  playing: { sign: '●', tone: 'text-accent' },
  complete: { sign: '✓', tone: 'text-good' },
  partial: { sign: '◐', tone: 'text-warn' },
  cancelled: { sign: '⊘', tone: 'text-warn' },
  failed: { sign: '✕', tone: 'text-bad' },
  waiting: { sign: '·', tone: 'text-muted' },
  idle: { sign: '', tone: 'text-muted' },
}

/** What a participant did in a round, in a few words. */
export const TurnCell = memo(function TurnCell({
  cell: { status, turns, prompt, completion, tools, words, gaps },
}: {
  readonly cell: GridCell
}): ReactElement {
  const { sign, tone } = turnLooks[status]
  if (status === 'idle') return <span className="sr-only">did not play</span>
  return (
    <>
      <span className="flex h-4 items-center gap-1.5 text-[11px] leading-4">
        <span aria-hidden="true" className={`${tone} ${status === 'playing' ? 'monitor-playing' : ''}`}>
          {sign}
        </span>
        <span className={status === 'complete' ? 'sr-only' : tone}>{status}</span>
        <GapMarks gaps={gaps} />
        {turns.length > 1 && <span className="text-muted">{turns.length} turns</span>}
        <span className="ml-auto truncate font-mono text-muted tabular-nums">
          {prompt + completion > 0 && (
            <>
              {grouped(prompt)} → {grouped(completion)}
              <span className="sr-only"> tokens</span>
            </>
          )}
        </span>
      </span>
      <span className="line-clamp-2 h-9 text-[12.5px] leading-[18px] [overflow-wrap:anywhere]">{readable(words)}</span>
      <span className="flex h-4.5 gap-1 overflow-hidden">
        {tools.map(({ tool, count, isVain }) => (
          <span
            key={tool}
            className={`truncate rounded bg-sunken px-1 font-mono text-[11px] leading-4.5 ${isVain ? 'text-muted line-through' : ''}`}
          >
            {readable(tool)}
            {count > 1 && ` ×${count}`}
          </span>
        ))}
      </span>
    </>
  )
})
