import { migrate, postgresStore } from '@minutebook/postgres'
import { sqliteStore } from '@minutebook/sqlite'
import { words } from '@minutebook/testing'
import { MinutebookError, openBook, type Model, type ModelEvent, type Store, type ThreadOptions } from 'minutebook'
import { figureNames, sumFigures } from 'minutebook/store'
import type { ReadObserver } from 'minutebook/wire'
import { describe, expect, test } from 'vitest'
import { faultyStore } from '../../packages/core/test/support/faulty-store.ts'
import { unlessSilent } from '../../packages/core/test/support/settled.ts'
import { diceOf, type Dice } from '../support/dice.ts'
import { figuresIn, type Sums } from '../support/figures.ts'
import { within } from '../support/patience.ts'
import { testDatabase } from '../support/postgres/database.ts'
import { namedModel } from '../support/relays.ts'
import { temporaryFolder } from '../support/sqlite/folder.ts'

const turns = Number(process.env['FIGURE_TURNS'] ?? 40)
const seed = Number(process.env['FIGURE_SEED'] ?? 20261118)
const file = temporaryFolder()
const database = testDatabase({ prepare: (pool) => migrate(pool) })

const stores: Readonly<Record<string, () => Store>> = {
  SQLite: () => sqliteStore(file('figures.db')),
  Postgres: () => postgresStore(database.pool, { tenant: 'figures' }),
}

describe.each(Object.entries(stores))('on %s', (_, open) => {
  test(
    `the figures are what a scan of all receipts counts, after ${turns} random turns with kills`,
    async () => {
      const behind = open()
      const { threads, deaths } = await playTurns(behind, diceOf(seed))
      const scanned = await scan(behind, threads)
      expect(await readRows(behind)).toEqual(scanned)
      // Otherwise this shows nothing.
      const total = sumFigures(scanned.map(([, , , figures]) => figures))
      expect(reached.filter((name) => total[name] === 0)).toEqual([])
      expect(deaths).toBeGreaterThan(turns / 20)
    },
    within(turns * 400 + 20_000),
  )
})

/**
 * What must have been counted. Many turns reach all figures but one: the default policy says of everything at least how
 * much it is, so it omits nothing. Which of the rare ones a few turns reach is chance.
 */
const reached: readonly (typeof figureNames)[number][] =
  turns < 300 ? ['calls', 'sentTokens', 'verbatim'] : figureNames.filter((name) => name !== 'omitted')

/** What a thread is counted for. */
function placeOf(thread: string): { readonly model: string; readonly owner: string } {
  const number = Number(thread.slice(-1))
  return { model: ['gemma', 'phi'][number % 2]!, owner: ['', 'app', 'ann'][number % 3]! }
}

/** Random turns and relays on a few threads. The process dies now and then, before or after a write. */
async function playTurns(behind: Store, dice: Dice): Promise<{ readonly threads: string[]; readonly deaths: number }> {
  const threads = new Set<string>()
  let deaths = 0
  let minutes = 0
  const clock = {
    now: () => new Date(Date.UTC(2026, 10, 1) + (minutes += dice.below(20)) * 60_000).toISOString(),
    after: () => new Promise<void>(() => undefined),
  }
  const onUsage: ReadObserver = () => (dice.isLucky(0.2) ? 'yes' : 'no')
  const life = () => {
    const store = faultyStore(behind)
    return { store, book: openBook({ store, clock, counter: words, onUsage, window: 700, reserve: 80, notes: 'off' }) }
  }
  let { store, book } = life()
  for (let turn = 0; turn < turns; turn++) {
    const name = `thread ${dice.below(6)}`
    threads.add(name)
    const { model, owner } = placeOf(name)
    if (dice.isLucky(0.2)) store.dieAt(dice.between(1, 4), { written: dice.isLucky(0.5), silent: dice.isLucky(0.3) })
    const text = `Turn ${turn}: ${'what grows in the shade? '.repeat(dice.pick([1, 4, 20, 80]))}`
    const work = name < 'thread 3' ? native() : relayed()
    await unlessSilent(
      work.catch(() => undefined),
      store,
    )
    if (!store.dead) continue
    deaths++
    ;({ store, book } = life())
    const reopened = book
    for (const thread of threads)
      if (thread < 'thread 3') await reopened.thread(thread, nativeOptions(placeOf(thread))).resume().done

    async function native(): Promise<void> {
      const thread = book.thread(name, nativeOptions({ model, owner }))
      const isAgain = dice.isLucky(0.2)
      const output = dice.isLucky(0.15) ? { type: 'object', required: ['a'] } : undefined
      const asked = isAgain ? thread.retry() : thread.send(text, { ...(output && { output }) })
      if (dice.isLucky(0.1)) asked.cancel()
      await asked.done
    }

    async function relayed(): Promise<void> {
      const thread = book.thread(name, { model: namedModel('openai', model), owner: 'unused', ...systemOf(dice) })
      const history = dice.isLucky(0.5) ? {} : { alone: true }
      let relay = await thread.relay([{ role: 'user', content: text }], { ...history, owner })
      if (dice.isLucky(0.2)) relay = await relay.refit({ window: 500 }, { window: 500 })
      const usage = usageOf(dice)
      const finish = (): Promise<unknown> =>
        dice.isLucky(0.2)
          ? relay.stop(dice.pick(['failed', 'cancelled']), dice.pick(['', 'Some']))
          : relay.answer(
              { type: 'end', message: { role: 'assistant', content: answerOf(dice) }, finish: 'stop', usage },
              { onUsage },
            )
      // The gateway may try again if it does not know what became of the first attempt.
      await finish().catch(() => finish())
    }
  }
  return { threads: [...threads], deaths }

  function nativeOptions({ model, owner }: ReturnType<typeof placeOf>): ThreadOptions {
    return { model: randomModel(model, dice), owner, steps: 3, ...systemOf(dice) }
  }
}

/** Now and then a system text that fits no window. */
function systemOf(dice: Dice): Pick<ThreadOptions, 'system'> {
  return dice.isLucky(0.1) ? { system: 'Be brief. '.repeat(600) } : {}
}

function usageOf(dice: Dice): object {
  return {
    prompt: dice.between(10, 90),
    completion: dice.below(30),
    ...(dice.isLucky(0.5) && { cached: dice.below(20) }),
  }
}

function answerOf(dice: Dice): string {
  return dice.pick(['Ferns.', '{"a":1}', 'Moss and ivy. '.repeat(12)])
}

/** A model that answers, fails, is cut off, or refuses the prompt as too long. */
function randomModel(model: string, dice: Dice): Model {
  const answer = async function* (): AsyncGenerator<ModelEvent, void, void> {
    await Promise.resolve()
    if (dice.isLucky(0.15)) throw new Error('The model fails.')
    if (dice.isLucky(0.1)) throw refusal()
    const text = answerOf(dice)
    yield { type: 'text', text }
    if (dice.isLucky(0.1)) throw new Error('The model fails late.')
    const finish = dice.isLucky(0.1) ? 'length' : 'stop'
    yield { type: 'end', message: { role: 'assistant', content: text }, finish, usage: usageOf(dice) }
  }
  return Object.assign(() => answer(), { model })
}

function refusal(): MinutebookError {
  return new MinutebookError('context_overflow', 'The prompt is too long.', '', { told: { window: 450 } })
}

type Row = readonly [hour: number, model: string | null, key: string | null, figures: Sums]

async function readRows(store: Store): Promise<readonly Row[]> {
  return sorted((await store.figures()).map(({ hour, model, key, figures }) => [hour, model, key, { ...figures }]))
}

/** Counts again, from the logs alone. */
async function scan(store: Store, threads: readonly string[]): Promise<readonly Row[]> {
  const rows = new Map<string, Row>()
  for await (const { thread, entry, figures } of figuresIn(store, threads)) {
    const hour = Math.floor(Date.parse(entry.time ?? '') / 3_600_000)
    const { model, owner } = placeOf(thread)
    const before = rows.get(JSON.stringify([hour, model, owner]))?.[3] ?? {}
    rows.set(JSON.stringify([hour, model, owner]), [hour, model, owner, sumFigures([before, figures])])
  }
  return sorted([...rows.values()])
}

function sorted(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((one, other) => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1))
}
