import { describe, expect, test } from 'vitest'
import { testDatabase } from '../../support/postgres/database.ts'
import { serve, type Config, type Running } from '../../../packages/server/src/index.ts'
import { diceOf, type Dice } from '../../support/dice.ts'
import { testConfig } from '../../support/server/gateway.ts'
import { native, type Native } from '../../support/server/native.ts'
import { judge } from './truth/judge.ts'
import { startScribe } from './truth/scribe.ts'
import { chatTalker, models, turnTalker, type Talker } from './truth/talkers.ts'

/** Questions of all stores together. TRUTH_TURNS=20000 for the figure of the record. */
const turns = Number(process.env['TRUTH_TURNS'] ?? 300)
const seed = Number(process.env['TRUTH_SEED'] ?? Date.now() % 1e9)
const database = testDatabase()

/**
 * What the record says of a call is what the model saw: clients of both protocols and turns of the server, with
 * whatever tools, changes of mind, restarts, forks and erasures. Afterwards every receipt verifies, and every dump is
 * what the upstream received.
 */
describe.each(['SQLite', 'Postgres', 'Postgres, two instances'] as const)('on %s', (store) => {
  test(`${Math.ceil(turns / 3)} questions: nothing is derived differently than it was sent`, async () => {
    const dice = diceOf(seed)
    await using scribe = await startScribe()
    await using servers = await startServers(store, {
      upstreams: [{ url: scribe.url }],
      models,
      defaultModel: 'middle1',
      tools: ['look', 'count'].map((name) => ({
        name,
        description: `Can ${name}.`,
        parameters: { type: 'object', required: ['a'], properties: { b: { type: 'number' }, a: { type: 'string' } } },
        url: `${scribe.url}/tool`,
      })),
    })
    const erasedIn = new Set<string>()
    let talkers: Talker[] = []
    let [count, forks, erasures, restarts] = [0, 0, 0, 0]
    const talker = (): Talker =>
      (dice.isLucky(0.7) ? chatTalker : turnTalker)(diceOf(dice.below(2 ** 31)), `talk-${count}-${dice.below(1e6)}`)
    for (; count < turns / 3; count++) {
      if (talkers.length < 6) talkers.push(talker())
      const speaking = dice.pick(talkers)
      await speaking.speak(servers.any(dice))
      const thread = speaking.thread()
      if (dice.isLucky(0.03)) talkers = talkers.filter((one) => one !== speaking)
      if (thread !== undefined && dice.isLucky(0.04)) {
        forks++
        await servers.any(dice).ask('POST', `/threads/${encodeURIComponent(thread)}/fork`, { as: `fork-${count}` })
        if (erasedIn.has(thread)) erasedIn.add(`fork-${count}`)
      }
      if (thread !== undefined && dice.isLucky(0.02)) {
        erasures++
        erasedIn.add(thread)
        await eraseSomething(servers.any(dice), thread, dice)
      }
      if (dice.isLucky(4 / turns)) {
        restarts++
        await servers.restart(dice)
      }
    }
    const { threads, recorded, right, erased, wrong } = await judge(servers.any(dice), scribe, erasedIn, (thread) =>
      thread.startsWith('fork-'),
    )
    console.log(
      `${store}, seed ${seed}: ${count} questions, ${scribe.chats()} model calls, ${threads} threads, ${forks} forks, ${erasures} erasures, ${restarts} restarts: ${right} dumps are what was received, ${erased} cannot be told since something was erased, ${wrong.length} are wrong`,
    )
    expect(wrong.slice(0, 5), `seed ${seed}`).toEqual([])
    expect(recorded, 'every model call is on record').toBe(scribe.chats())
    expect(right).toBeGreaterThan(count / 2)
  }, 7_200_000)
})

interface Servers extends AsyncDisposable {
  any(dice: Dice): Native
  /** Ends one of them, and starts it again. */
  restart(dice: Dice): Promise<void>
}

async function startServers(store: string, settings: Partial<Config>): Promise<Servers> {
  const fresh = store === 'SQLite' ? undefined : await database.fresh()
  const config = testConfig({ drainNotice: 0, ...(fresh && { database: fresh.url }), ...settings })
  const start = (): Promise<Running> => serve(config, { log: 'silent' })
  const running = [await start(), ...(store.endsWith('instances') ? [await start()] : [])]
  return {
    any: (dice) => {
      const { url, token } = dice.pick(running)
      return native(url, token)
    },
    restart: async (dice) => {
      const index = dice.below(running.length)
      await running[index]!.close({ patience: 1000 })
      running[index] = await start()
    },
    [Symbol.asyncDispose]: async () => {
      for (const one of running) await one.close({ patience: 0 })
      await fresh?.drop()
    },
  }
}

async function eraseSomething(at: Native, thread: string, dice: Dice): Promise<void> {
  const path = `/threads/${encodeURIComponent(thread)}`
  const { entries = [] } = (await at.ask('GET', `${path}/entries`)).body as {
    readonly entries?: readonly { readonly id: string }[]
  }
  if (entries.length > 0) await at.ask('POST', `${path}/erase`, { entries: [dice.pick(entries).id] })
}
