import { roundHadOtherEffect, turnHadOtherEffect, type RoundComparison } from '@minutebook/experiment/run'
import { useMemo, type ReactElement } from 'react'
import type { Comparison } from '../api/runs.ts'
import { Badge } from '../ui/ui.tsx'
import { Turn } from './compared-turn.tsx'
import { Changed, Sign, Values } from './compared-values.tsx'

/** The rounds of two runs. Equal rounds are folded, different ones are shown side by side. */
export function Compared({
  comparison: { left, right, changes, rounds },
  isOnly,
}: {
  readonly comparison: Comparison
  /** Hides rounds and turns in which only prompts and words differ. */
  readonly isOnly: boolean
}): ReactElement {
  const groups = useMemo(() => groupsOf(rounds, isOnly), [rounds, isOnly])
  return (
    <div className="space-y-3">
      {changes && <Changed changes={changes} left={left} right={right} />}
      {groups.map((group) =>
        group.kind === 'other' ? (
          <Round
            key={group.round.round}
            round={isOnly ? { ...group.round, turns: group.round.turns.filter(turnHadOtherEffect) } : group.round}
            left={left}
            right={right}
          />
        ) : (
          <details
            key={group.from}
            data-alike={group.rounds.length}
            className="rounded-md border border-line bg-surface"
          >
            <summary className="px-3 py-2">
              <span aria-hidden="true" className="mr-2 font-mono font-semibold text-good">
                =
              </span>
              {group.from === group.to
                ? `Round ${group.from} ${isOnly ? 'differs in nothing else' : 'is the same'}`
                : `Rounds ${group.from} to ${group.to} ${isOnly ? 'differ in nothing else' : 'are the same'}`}
            </summary>
            <div className="space-y-3 p-3">
              {group.rounds.map((round) => (
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

/** Neighbouring rounds that are equal, or one that differs. */
type RoundGroup =
  | { readonly kind: 'alike'; readonly from: number; readonly to: number; readonly rounds: readonly RoundComparison[] }
  | { readonly kind: 'other'; readonly round: RoundComparison }

/** Groups neighbours that are equal, or that differ in nothing that matters, so they can be folded. */
export function groupsOf(rounds: readonly RoundComparison[], isOnly = false): readonly RoundGroup[] {
  const groups: RoundGroup[] = []
  for (const round of rounds) {
    const last = groups.at(-1)
    if (isOnly ? roundHadOtherEffect(round) : !round.isSame) groups.push({ kind: 'other', round })
    else if (last?.kind === 'alike')
      groups[groups.length - 1] = { ...last, to: round.round, rounds: [...last.rounds, round] }
    else groups.push({ kind: 'alike', from: round.round, to: round.round, rounds: [round] })
  }
  return groups
}
