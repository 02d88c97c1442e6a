import { tokensRead } from 'minutebook/wire'
import { useEffect, useMemo, useState, type ReactElement } from 'react'
import type { CallBrief } from '../api/calls.ts'
import { grouped } from '../ui/text.ts'
import { Button, StripTitle } from '../ui/ui.tsx'

interface ScrubberProps {
  readonly calls: readonly CallBrief[]
  readonly receipt: string
  readonly onChoose: (receipt: string) => void
}

/** Names only what the chart has. */
function legendOf(calls: readonly CallBrief[]): readonly { readonly look: string; readonly name: string }[] {
  const { epochs, read } = scrubPath(calls)
  return [
    { look: 'scrub-key-reused', name: 'reused' },
    { look: 'scrub-key-used', name: 'new' },
    ...(epochs.length > 0 ? [{ look: 'scrub-key-epoch', name: 'compacted' }] : []),
    ...(read === '' ? [] : [{ look: 'scrub-key-read', name: 'read by the server' }]),
  ]
}

/** Milliseconds for each call during playback. */
const pace = 450

/** A chart of how full the window was at each model call. Drag, click or press arrow keys to choose a call. */
export function Scrubber({ calls, receipt, onChoose }: ScrubberProps): ReactElement {
  const [isPlaying, setPlaying] = useState(false)
  const at = calls.findIndex((call) => call.receipt.id === receipt)
  const choose = (to: number): void => {
    const call = calls[Math.max(0, Math.min(calls.length - 1, to))]
    if (call) onChoose(call.receipt.id)
  }
  useEffect(() => {
    if (!isPlaying) return undefined
    if (at >= calls.length - 1) {
      setPlaying(false)
      return undefined
    }
    const timer = setTimeout(() => choose(at + 1), pace)
    return () => clearTimeout(timer)
  })
  const call = calls[at]
  return (
    <div className="space-y-1" role="group" aria-label="Model calls of this branch">
      <StripTitle title="Prompts over time" legend={legendOf(calls)}>
        <span className="grow" />
        <Button
          small
          kind="quiet"
          aria-label={isPlaying ? 'Pause' : 'Play through the calls'}
          disabled={calls.length < 2}
          onClick={() => {
            if (!isPlaying && at >= calls.length - 1) choose(0)
            setPlaying(!isPlaying)
          }}
        >
          {isPlaying ? '❚❚' : '►'}
        </Button>
      </StripTitle>
      <Chart calls={calls} at={at} onChoose={choose} />
      <input
        type="range"
        min={0}
        max={Math.max(0, calls.length - 1)}
        step={1}
        value={Math.max(0, at)}
        onChange={(event) => choose(event.target.valueAsNumber)}
        className="block w-full accent-(--accent)"
        aria-label="Turn"
        aria-valuetext={
          call
            ? `call ${at + 1} of ${calls.length}, turn ${call.turn}, ${grouped(call.receipt.tokens.predicted)} tokens`
            : 'none'
        }
        data-scrubber
      />
    </div>
  )
}

function Chart({
  calls,
  at,
  onChoose,
}: {
  readonly calls: readonly CallBrief[]
  readonly at: number
  readonly onChoose: (at: number) => void
}): ReactElement {
  const { used, reused, epochs, read } = useMemo(() => scrubPath(calls), [calls])
  return (
    <svg
      viewBox={`0 0 ${Math.max(1, calls.length)} 100`}
      preserveAspectRatio="none"
      aria-hidden="true"
      className="h-10 w-full cursor-pointer rounded border border-line bg-surface"
      onClick={(event) =>
        onChoose(
          Math.floor(
            ((event.clientX - event.currentTarget.getBoundingClientRect().left) /
              event.currentTarget.getBoundingClientRect().width) *
              calls.length,
          ),
        )
      }
    >
      <path d={used} className="scrub-used" />
      <path d={reused} className="scrub-reused" />
      {epochs.map((place) => (
        <line
          key={place}
          x1={place}
          x2={place}
          y1={0}
          y2={100}
          className="scrub-epoch"
          vectorEffect="non-scaling-stroke"
          strokeWidth={1}
        />
      ))}
      <path d={read} className="scrub-read" vectorEffect="non-scaling-stroke" strokeWidth={1.5} fill="none" />
      {at >= 0 && <rect x={at} y={0} width={1} height={100} fillOpacity={0.14} className="scrub-current" />}
      {at >= 0 && <rect x={at} y={96} width={1} height={4} className="scrub-current" />}
    </svg>
  )
}

type Usage = Parameters<typeof tokensRead>[0]

/** The fields of a call that the chart needs. */
interface Scrubbed {
  readonly receipt: {
    readonly epoch: number
    readonly tokens: { readonly predicted: number; readonly reused: number; readonly reported?: Usage }
  }
  readonly window: number | null
}

/** Bars of width 1 and height up to 100, and the positions at which a compaction happened. */
interface ScrubPath {
  readonly used: string
  readonly reused: string
  readonly epochs: readonly number[]
  /** A line at what the server read. Empty if it never said. */
  readonly read: string
}

/**
 * How full the window was at each call, as SVG paths: reused tokens at the bottom, new ones above.
 *
 * @example
 * scrubPath([{ window: 100, receipt: { epoch: 0, tokens: { predicted: 50, reused: 20 } } }]).used // 'M0 100V50H1V100Z'
 */
export function scrubPath(calls: readonly Scrubbed[]): ScrubPath {
  const largest = Math.max(1, ...calls.map(({ receipt }) => receipt.tokens.predicted))
  const height = (tokens: number, window: number | null): number =>
    round(100 - Math.min(100, (100 * tokens) / Math.max(1, window ?? largest)))
  const bar = (tokens: number, window: number | null, index: number): string =>
    `M${index} 100V${height(tokens, window)}H${index + 1}V100Z`
  return {
    used: calls.map(({ receipt, window }, index) => bar(receipt.tokens.predicted, window, index)).join(''),
    reused: calls.map(({ receipt, window }, index) => bar(receipt.tokens.reused, window, index)).join(''),
    epochs: calls.flatMap(({ receipt }, index) =>
      index > 0 && receipt.epoch > calls[index - 1]!.receipt.epoch ? [index] : [],
    ),
    read: calls
      .map(({ receipt, window }, index) => {
        const read = receipt.tokens.reported && tokensRead(receipt.tokens.reported)
        return read === undefined ? '' : `M${index} ${height(read, window)}H${index + 1}`
      })
      .join(''),
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
