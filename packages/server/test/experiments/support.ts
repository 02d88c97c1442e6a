import type { Native } from '../../../../tests/support/server/native.ts'
import { within } from '../../../../tests/support/patience.ts'

/** Counts to three with a tool; `secret` is seen by nobody. */
export const counting = `name: counting
environment: { total: 0, secret: hidden-canary-value }
participants:
  ann: { model: { name: strict, temperature: 0, seed: 7 }, system: system-canary-text, sees: [total], tools: [add] }
  bob: { model: strict, sees: [total], hears: all }
tools:
  add: { description: Adds one., parameters: { count: integer }, changes: { total: total + input.count } }
hooks:
  roundEnd: { secret: "secret + '!'" }
goals: { success: { three: total >= 3 } }
limits: { rounds: 5 }
`

interface Asked {
  readonly messages: readonly { readonly role: string; readonly content?: unknown }[]
  readonly tools?: readonly unknown[]
}

/** Ann adds one each round, and says so; bob says nothing of worth. */
export function countingAnswer({
  messages,
  tools = [],
}: Asked):
  | string
  | { readonly calls: readonly { readonly name: string; readonly arguments: Readonly<Record<string, unknown>> }[] } {
  if (tools.length === 0) return 'Go on, ann.'
  return messages.at(-1)?.role === 'tool' ? 'I added one.' : { calls: [{ name: 'add', arguments: { count: 1 } }] }
}

/** Waits until a run stands so. */
export async function standing(
  who: Native,
  run: string,
  ...wanted: readonly string[]
): Promise<Readonly<Record<string, unknown>>> {
  for (let waited = 0; ; waited += 50) {
    const { body } = await who.ask('GET', `/runs/${run}`)
    if (wanted.includes(String(body['status']))) return body
    if (waited > within(60_000))
      throw new Error(`The run is ${String(body['status'])}: ${JSON.stringify(body).slice(0, 2000)}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

/** Waits until nothing happens in a run any more: turns that were under way when it was paused are over. */
export async function idle(who: Native, run: string): Promise<void> {
  for (let [before, after] = [-1, 0]; before !== after;) {
    before = after
    await new Promise((resolve) => setTimeout(resolve, within(500)))
    const { body } = await who.ask('GET', `/threads/~${Buffer.from(`run/${run}/ann`).toString('base64url')}`)
    after = Number(body['entries'] ?? 0)
  }
}
