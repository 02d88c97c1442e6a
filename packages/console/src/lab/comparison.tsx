import type { ReactElement } from 'react'
import { CopyPicture, type Picture } from '../picture/picture.tsx'
import { windowDrawing } from '../inspector/window-picture.ts'
import { LogStrip } from '../inspector/log-strip.tsx'
import type { Inspection } from '../api/calls.ts'
import { grouped, percentOf, plural, signedPercent } from '../ui/text.ts'
import { WindowStrip } from '../inspector/window-strip.tsx'
import { Badge } from '../ui/ui.tsx'
import { isUntouched } from './changes.ts'
import type { Preview } from './use-lab.ts'

interface ComparisonProps {
  readonly recorded: Inspection
  readonly preview: Preview | undefined
  /** How far the count of new text may be off. */
  readonly margin: number
}

/** The recorded window, and below it the changed one, both to the same scale. */
export function Comparison({ recorded, preview, margin }: ComparisonProps): ReactElement {
  const call = preview?.call
  const largest = Math.max(
    recorded.window,
    recorded.tokens,
    ...(call && !('problem' in call) ? [call.window, call.tokens] : []),
  )
  const scale = (window: number, tokens: number): string =>
    `${Math.max(20, (100 * Math.max(window, tokens)) / largest)}%`
  return (
    <div className="space-y-3">
      <div className="space-y-1.5">
        <h2 className="flex flex-wrap items-baseline gap-2 font-semibold">
          As recorded{' '}
          <span className="font-mono text-xs font-normal text-muted">
            {grouped(recorded.tokens)} of {grouped(recorded.window)} tokens,{' '}
            {percentOf(recorded.tokens, recorded.window)} · {recorded.policy}
          </span>
          <span className="grow" />
          <CopyPicture
            name={`windows-${recorded.receipt.id}`}
            label="Copy picture of both windows"
            picture={() => windowsPicture(recorded, preview)}
          />
        </h2>
        <div style={{ width: scale(recorded.window, recorded.tokens) }}>
          <WindowStrip
            label="The recorded window"
            shares={recorded.shares}
            window={recorded.window}
            tokens={recorded.tokens}
          />
        </div>
        <LogStrip entries={recorded.entries} />
      </div>
      <div className="min-h-40 space-y-1.5" data-made>
        {call && 'problem' in call && <NotMade code={call.problem.code} message={call.problem.message} />}
        {call && !('problem' in call) && (
          <>
            <h2 className="flex flex-wrap items-baseline gap-2 font-semibold">
              {isUntouched(preview.changes) ? 'Recomputed' : 'With your changes'}
              <span className="font-mono text-xs font-normal text-muted">
                {grouped(call.tokens)} of {grouped(call.window)} tokens, {percentOf(call.tokens, call.window)} ·{' '}
                {call.policy}
              </span>
              {call.same ? (
                <Badge tone="good" title="Its hash is the receipt’s">
                  identical to what was sent
                </Badge>
              ) : (
                <Badge tone="accent">
                  {signedPercent((call.tokens - recorded.tokens) / Math.max(1, recorded.tokens))} tokens
                </Badge>
              )}
              {call.estimated.texts > 0 && (
                <Badge
                  tone="warn"
                  title={`${plural(call.estimated.texts, 'text', 'texts')} without a recorded count: an estimate, scaled to the known counts of this thread`}
                >
                  {grouped(call.estimated.tokens)} tokens estimated, ±{percentOf(margin, 1)}
                </Badge>
              )}
              {call.overflow > 0 && <Badge tone="bad">{grouped(call.overflow)} over</Badge>}
            </h2>
            <div style={{ width: scale(call.window, call.tokens) }}>
              <WindowStrip label="The changed window" shares={call.shares} window={call.window} tokens={call.tokens} />
            </div>
            <LogStrip entries={call.entries} />
          </>
        )}
      </div>
    </div>
  )
}

function windowsPicture(recorded: Inspection, preview: Preview | undefined): Picture {
  const turn = recorded.turn === null ? '' : ` at turn ${recorded.turn}`
  const { shares, window, tokens } = recorded
  const call = preview && !('problem' in preview.call) ? preview.call : undefined
  const drawing = windowDrawing([
    { title: `The window${turn}, as recorded`, shares, window, tokens },
    ...(call && !call.same ? [{ ...call, title: 'With other settings' }] : []),
  ])
  return { title: `The window${turn}`, drawing }
}

function NotMade({ code, message }: { readonly code: string; readonly message: string }): ReactElement {
  return (
    <div role="alert" className="space-y-1 rounded-md border border-warn/40 bg-warn-soft p-3">
      <p className="font-medium text-warn">
        {code === 'window_overflow' ? 'This would not fit' : 'This prompt cannot be made'}
      </p>
      <p>{message}</p>
    </div>
  )
}
