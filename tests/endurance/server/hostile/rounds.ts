import { setTimeout as pause } from 'node:timers/promises'
import { createAsker, type Outcome, type Sending } from './asked.ts'
import { attacker, kinds } from './attacks.ts'
import { createDice, type Dice } from './dice.ts'

/** One request of a round. */
export interface Sent {
  readonly name: string
  /** Milliseconds after the beginning of the round. */
  readonly at: number
  readonly bytes: number
  readonly status: number
  readonly milliseconds: number
}

export interface RoundOptions {
  readonly url: string
  readonly key: string
  readonly seed: number
}

/**
 * How many do something at once, and how many attacks each makes in a round: the work of a round is the same on a fast
 * machine and on a slow one.
 */
const [players, attacks] = [8, 3]

/**
 * Attacks of one key. Resolves when all of them are over, and says what was sent. `largest`: bytes of a body.
 * `everyKind`: each of them at least once, not as chance has it.
 */
export async function hostileRound({
  url,
  key,
  seed,
  largest,
  everyKind,
}: RoundOptions & { readonly largest: number; readonly everyKind: boolean }): Promise<readonly Sent[]> {
  const asker = createAsker(url, key)
  const began = performance.now()
  const sent: Sent[] = []
  const onEnd = ({ name }: Sending, { bytes, status, milliseconds }: Outcome): void =>
    void sent.push({ name, at: performance.now() - began - milliseconds, bytes, status, milliseconds })
  await Promise.all(
    Array.from({ length: players }, async (_, player) => {
      const attack = attacker(createDice(seed + player), asker, { largest, onEnd })
      for (let count = 0; count < (everyKind ? Math.ceil(kinds / players) : attacks); count++)
        await attack(everyKind ? count * players + player : undefined)
    }),
  )
  asker.close()
  return sent.toSorted((one, other) => one.at - other.at)
}

/**
 * As many requests with as many bytes as somebody else sent, at the same times if the server keeps pace, as ordinary
 * chats.
 */
export async function honestRound(
  { url, key, seed }: RoundOptions,
  sent: readonly Pick<Sent, 'at' | 'bytes'>[],
): Promise<readonly Sent[]> {
  const asker = createAsker(url, key)
  const dice = createDice(seed)
  const began = performance.now()
  const done: Sent[] = []
  const queue = [...sent]
  await Promise.all(
    Array.from({ length: players }, async () => {
      for (let next = queue.shift(); next; next = queue.shift()) {
        const body = { model: 'plain', stream: dice.roll() < 0.5, messages: conversation(dice, next.bytes) }
        await pause(Math.max(0, next.at - (performance.now() - began)))
        const at = performance.now() - began
        const { status, bytes, milliseconds } = await asker.ask({
          name: 'chat',
          path: dice.pick(['/v1/chat/completions', '/api/chat']),
          body,
        })
        done.push({ name: 'chat', at, bytes, status, milliseconds })
      }
    }),
  )
  asker.close()
  return done
}

/** Of about so many bytes: a hundred messages at most, as long as they must be. */
function conversation(dice: Dice, bytes: number): object[] {
  const turns = Math.max(1, Math.min(50, Math.floor(bytes / 4000)))
  const length = Math.max(10, bytes / (2 * turns) - 40)
  return [
    { role: 'system', content: 'You are brief.' },
    ...Array.from({ length: turns - 1 }, () => [
      { role: 'user', content: dice.text(length) },
      { role: 'assistant', content: dice.text(length) },
    ]).flat(),
    { role: 'user', content: dice.text(length) },
  ]
}

/** What was sent, by name: how often, with which answers, how long the longest took. */
export function summaryOf(sent: readonly Sent[]): string {
  const names = new Map<string, Sent[]>()
  for (const each of sent) names.set(each.name, [...(names.get(each.name) ?? []), each])
  return [...names]
    .map(([name, all]) => {
      const statuses = new Map<number, number>()
      for (const { status } of all) statuses.set(status, (statuses.get(status) ?? 0) + 1)
      const bytes = all.reduce((sum, each) => sum + each.bytes, 0)
      return `  ${name}: ${all.length}, ${(bytes / 1e6).toFixed(1)} MB, ${[...statuses].map(([status, count]) => `${status} × ${count}`).join(', ')}; the longest ${Math.round(Math.max(...all.map(({ milliseconds }) => milliseconds)))} ms`
    })
    .join('\n')
}
