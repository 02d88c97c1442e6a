import type { RoundComparison } from '@minutebook/experiment/run'
import { useMemo, type ReactElement } from 'react'
import type { Comparison } from '../api/runs.ts'
import { Badge } from '../ui/ui.tsx'
import { Turn } from './compared-turn.tsx'
import { Changed, Sign, Values } from './compared-values.tsx'

/** The rounds of two runs: what is alike is folded, what differs stands side by side. */
export function Compared({
  comparison: { left, right, changes, rounds },
}: {
  readonly comparison: Comparison
}): ReactElement {
  const stretches = useMemo(() => stretchesOf(rounds), [rounds])
  return (
    <div className="space-y-3 p-4">
      {changes && <Changed changes={changes} left={left} right={right} />}
      {stretches.map((stretch) =>
        stretch.kind === 'other' ? (
          <Round key={stretch.round.round} round={stretch.round} left={left} right={right} />
        ) : (
          <details
            key={stretch.from}
            data-alike={stretch.rounds.length}
            className="rounded-md border border-line bg-surface"
          >
            <summary className="px-3 py-2">
              <span aria-hidden="true" className="mr-2 font-mono font-bold text-good">
                =
              </span>
              {stretch.from === stretch.to
                ? `Round ${stretch.from} is the same`
                : `Rounds ${stretch.from} to ${stretch.to} are the same`}
            </summary>
            <div className="space-y-3 p-3">
              {stretch.rounds.map((round) => (
                <Round key={round.round} round={round} left={left} right={right} />
              ))}
            </div>
          </details>
        ),
      )}
    </div>
  )
}

function Round({
  round: { round, isSame, in: where, environment, turns },
  left,
  right,
}: {
  readonly round: RoundComparison
  readonly left: string
  readonly right: string
}): ReactElement {
  return (
    <section
      aria-label={`Round ${round}`}
      data-round={round}
      data-same={isSame}
      tabIndex={-1}
      className="compared scroll-mt-12 rounded-md border border-line bg-surface"
    >
      <h2 className="flex items-center gap-2 border-b border-line px-3 py-1.5 font-medium">
        <Sign isSame={isSame} />
        Round {round}
        {where !== 'both' && <Badge tone="warn">only in {where === 'left' ? left : right}</Badge>}
      </h2>
      {environment.length > 0 && (
        <Values
          caption={`The environment after round ${round}`}
          title="Variable"
          left={left}
          right={right}
          rows={environment}
        />
      )}
      <ul className="divide-y divide-line">
        {turns.map((turn) => (
          <Turn key={`${turn.participant} ${turn.turn}`} turn={turn} runs={[left, right]} />
        ))}
      </ul>
    </section>
  )
}

/** Rounds that follow each other and are alike, or one that differs. */
type Stretch =
  | { readonly kind: 'alike'; readonly from: number; readonly to: number; readonly rounds: readonly RoundComparison[] }
  | { readonly kind: 'other'; readonly round: RoundComparison }

/** What a comparison is read in: whatever is alike can be folded. */
export function stretchesOf(rounds: readonly RoundComparison[]): readonly Stretch[] {
  const stretches: Stretch[] = []
  for (const round of rounds) {
    const last = stretches.at(-1)
    if (!round.isSame) stretches.push({ kind: 'other', round })
    else if (last?.kind === 'alike')
      stretches[stretches.length - 1] = { ...last, to: round.round, rounds: [...last.rounds, round] }
    else stretches.push({ kind: 'alike', from: round.round, to: round.round, rounds: [round] })
  }
  return stretches
}
