import { setTimeout as pause } from 'node:timers/promises'
import type { Group } from './group.ts'
import type { Node } from './node.ts'
import { say } from './progress.ts'
import type { Settings } from './settings.ts'

/** A primary that was killed. */
export interface PrimaryDeath {
  readonly node: Node
  /** When the kill began, and when nothing of it was left. */
  readonly killed: number
  readonly dead: number
}

export async function killPrimary(group: Group, { death, stall }: Settings): Promise<PrimaryDeath> {
  const node = await group.primary()
  if (stall > 0) {
    node.stall()
    await pause(stall)
  }
  const killed = performance.now()
  await node.kill(death)
  const dead = performance.now()
  say(`${node.name}, the primary, has ${death === 'freeze' ? 'been frozen' : `lost its ${death}`}`)
  return { node, killed, dead }
}

/** What goes on, or does not, after a death. */
export interface Resuming {
  /** For each of those at work, when the first success came that shows it. Undefined until all have one. */
  readonly resumedAfter: (moment: number) => readonly number[] | undefined
  /** What they were told meanwhile. */
  readonly codes: ReadonlySet<string>
}

/** When each of those at work went on. Undefined where some have not for long. */
export async function resumption(
  load: Resuming,
  { dead }: PrimaryDeath,
  { ttl }: Settings,
): Promise<readonly number[] | undefined> {
  for (const end = Date.now() + 30_000 + 4000 * ttl; Date.now() < end; await pause(50)) {
    const resumed = load.resumedAfter(dead)
    if (resumed !== undefined) return resumed
  }
  return undefined
}

/** Starts the killed node again. Resolves when all three are whole, with the milliseconds that it took. */
export async function bringBack(group: Group, node: Node): Promise<number> {
  const restarted = performance.now()
  node.start()
  await group.healthy()
  say(`${node.name} is back as a replica`)
  return performance.now() - restarted
}
