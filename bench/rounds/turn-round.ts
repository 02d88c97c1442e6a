import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Thread } from 'minutebook'
import { answerRounds, type Round } from './round.ts'
import {
  kinds,
  linesOfThread,
  openStage,
  stores,
  summed,
  tracks,
  type TurnCosts,
  type TurnStage,
} from './turn-stage.ts'

// A side of `turn.ts`: started by it, on the sources of one checkout.
const { values: options } = parseArgs({
  options: { sizes: { type: 'string', default: '10,1000' }, turns: { type: 'string', default: '5' } },
})
const sizes = options.sizes.split(',').map(Number)
const turns = Number(options.turns)
/** Turns of a short thread are those just before and just after its size, so that it stays short. */
const few = 4
const isShort = (size: number): boolean => size <= 10

/** One of the combinations that are measured, with its long threads by size. */
interface Staged {
  readonly stage: TurnStage
  readonly name: string
  readonly long: ReadonlyMap<number, Thread>
}

const folder = mkdtempSync(join(tmpdir(), 'minutebook-bench-'))
try {
  await main()
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function main(): Promise<void> {
  const lines = new Map<number, string[]>()
  for (const size of sizes) lines.set(size, await linesOfThread(isShort(size) ? Math.max(0, size - few / 2 - 1) : size))
  const sets: Staged[] = []
  for (const kept of stores) {
    for (const track of tracks) {
      const stage = await openStage(kept, track, join(folder, `${track}.db`))
      const long = new Map<number, Thread>()
      for (const size of sizes.filter((each) => !isShort(each)))
        long.set(size, await opened(stage, lines.get(size) ?? []))
      sets.push({ stage, name: `${kept}, ${track}`, long })
    }
  }
  await answerRounds(
    () => playRound(sets, lines),
    () => Promise.all(sets.map(({ stage }) => stage.close())),
  )
}

/** The first turn of a thread reads its whole log, and is not measured. */
async function opened(stage: TurnStage, lines: readonly string[]): Promise<Thread> {
  const thread = await stage.thread(lines)
  await stage.play(thread, 'plain', 1)
  return thread
}

async function playRound(sets: readonly Staged[], lines: ReadonlyMap<number, readonly string[]>): Promise<Round> {
  const figures: Record<string, Record<string, number>> = {}
  const hash = createHash('sha256')
  for (const { stage, name, long } of sets) {
    for (const size of sizes) {
      for (const kind of kinds) {
        const plays: TurnCosts[] = []
        const thread = long.get(size)
        if (thread) plays.push(await stage.play(thread, kind, turns))
        else
          for (let played = 0; played < turns; played += few)
            plays.push(await stage.play(await opened(stage, lines.get(size) ?? []), kind, few))
        figures[`${name}, ${size.toLocaleString('en')} turns, ${kind}`] = summed(plays)
      }
    }
    for (const prompt of stage.takePrompts()) hash.update(prompt)
  }
  return { figures, prompts: hash.digest('hex') }
}
