import type { Model } from 'minutebook'
import { defineExperiment, type Experiment, type Recorded } from '@minutebook/experiment/run'
import { setTimeout as pause } from 'node:timers/promises'

/** Milliseconds that a model takes for an answer. */
const thinking = 40

/** Three who count, one after the other and all at once. */
export function crowded(rounds: number): Experiment {
  const participant = { model: { name: 'm' }, tools: ['count'] }
  return defineExperiment({
    name: `crowded ${rounds}`,
    environment: { total: { type: 'integer', initial: 0 } },
    participants: { ann: participant, bob: participant, cy: participant },
    tools: { count: { parameters: { type: 'object' }, changes: ({ total }) => ({ total: Number(total) + 1 }) } },
    rounds: [{ play: 'sequence' }, { play: 'parallel' }],
    limits: { rounds },
  })
}

/** Counts once a turn, after a while. */
export const thinker: Model = Object.assign(
  async function* ({ messages }: Parameters<Model>[0]) {
    await pause(thinking)
    const isSecond = messages.at(-1)?.role === 'tool'
    const call = { id: `call ${messages.length}`, type: 'function', function: { name: 'count', arguments: '{}' } }
    if (isSecond) yield { type: 'end', finish: 'stop', message: { role: 'assistant', content: 'Counted.' } } as const
    else
      yield { type: 'end', finish: 'calls', message: { role: 'assistant', content: '', tool_calls: [call] } } as const
  } as Model,
  { model: 'm', wire: 'openai' as const },
)

/** How long a run waited for each of its rounds, in milliseconds. */
export interface Waits {
  readonly run: string
  /** From the end of the round before to its own end. */
  readonly whole: readonly number[]
  /** The same without the time in which its models thought. */
  readonly idle: readonly number[]
}

export function waitsOf(run: string, events: readonly Recorded[]): Waits {
  const ends = events.filter(({ type }) => type === 'begun' || type === 'roundEnd').map(({ time }) => Date.parse(time!))
  const whole = ends.slice(1).map((end, index) => end - ends[index]!)
  // Two calls a turn; in the first round, and in every second one after it, three turns one after the other.
  return { run, whole, idle: whole.map((wait, index) => wait - thinking * 2 * (index % 2 === 0 ? 3 : 1)) }
}

/** The 95th of a hundred. */
export function p95(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[Math.ceil(values.length * 0.95) - 1]!
}

export function median(values: readonly number[]): number {
  return values.toSorted((left, right) => left - right)[values.length >> 1]!
}
