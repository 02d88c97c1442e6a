import type { Play } from '@minutebook/experiment/run'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Where a process is to die: at the first place of this kind in a round of this play, from a round on. */
export interface KillPoint {
  readonly kind: string
  /** None: before the first round. */
  readonly play?: Play | undefined
  readonly from: number
}

/** What a process does that runs experiments; all of it comes in every round, whatever its play. */
const kinds: readonly string[] = [
  ...['roundStart', 'effect', 'played', 'roundEnd'].flatMap((event) => [
    `before ${event}`,
    `amid ${event}`,
    `after ${event}`,
  ]),
  ...['ask', 'assistant', 'tool'].flatMap((entry) => [`before ${entry}`, `amid ${entry}`, `after ${entry}`]),
  'before ring',
  'amid ring',
  'after ring',
  'before claim',
  'amid claim',
  'after claim',
  'hook begins',
  'hook ends',
  'changes',
  'run begins',
  'run ends',
  'model is called',
  'model speaks',
  'model ends',
]

const plays: readonly Play[] = ['parallel', 'sequence', 'addressed']

/** Spread over the kinds, the plays and the rounds of a run, and its beginning; a few of them are one of each sort. */
export function killPlan(kills: number, rounds: number): readonly KillPoint[] {
  const from = (index: number, count: number): number => 1 + Math.floor((index * (rounds - 6)) / count)
  if (kills <= samples.length)
    return samples.slice(0, kills).map((sample, index) => ({ ...sample, from: sample.play ? from(index, kills) : 0 }))
  const all = kinds.flatMap((kind) => plays.map((play) => ({ kind, play })))
  const count = kills - beginnings.length
  // A stride that has no divisor in common with their number goes through all of them.
  const others = Array.from({ length: count }, (_, index): KillPoint => ({
    ...all[(index * 43) % all.length]!,
    from: from(index, count),
  }))
  return [...beginnings.map((kind): KillPoint => ({ kind, from: 0 })), ...others]
}

const samples: readonly Pick<KillPoint, 'kind' | 'play'>[] = [
  { kind: 'after begun' },
  { kind: 'model speaks', play: 'parallel' },
  { kind: 'run ends', play: 'sequence' },
  { kind: 'model ends', play: 'sequence' },
  { kind: 'hook ends', play: 'addressed' },
  { kind: 'after roundEnd', play: 'parallel' },
]

/** A run begins once: whoever dies amid that has died before or after it. */
const beginnings: readonly string[] = ['after begun', 'before begun']

/** Kills this process where the plan says so: once for each point, over all processes that share the folder. */
export function executioner(folder: string): {
  readonly at: (kind: string) => void
  readonly started: (round: number, play: Play | undefined) => void
} {
  const plan = JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8')) as readonly KillPoint[]
  const done = new Set(readdirSync(folder))
  let now: { readonly round: number; readonly play?: Play | undefined } = { round: 0 }
  return {
    started: (round, play) => (now = { round, play }),
    at: (kind) => {
      for (const [index, point] of plan.entries()) {
        if (point.kind !== kind || point.play !== now.play || now.round < point.from || done.has(`killed ${index}`))
          continue
        if (isFirst(join(folder, `killed ${index}`))) process.kill(process.pid, 'SIGKILL')
        done.add(`killed ${index}`)
      }
    },
  }
}

function isFirst(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx'))
    return true
  } catch {
    return false
  }
}

/** The points at which no process has died. */
export function missedIn(folder: string): readonly KillPoint[] {
  const plan = JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8')) as readonly KillPoint[]
  const done = new Set(readdirSync(folder))
  return plan.filter((_, index) => !done.has(`killed ${index}`))
}
