import { existsSync, readFileSync } from 'node:fs'
import { sqliteStore } from '@minutebook/sqlite'
import { openBook } from 'minutebook'
import { traits } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { startScript } from '../../support/process/script-of-test.ts'
import { temporaryFolder } from '../../support/sqlite/folder.ts'

const pathOf = temporaryFolder()

async function runChild(...words: readonly [file: string, effects: string, where: string]): Promise<string> {
  const { process: child, ended } = startScript('sqlite/wait-child.ts', ...words)
  await ended
  return child.signalCode ?? `code ${child.exitCode}`
}

/** The appends of such a turn: the message, the answer with its calls, decisions (some refused), starts, results, the last answer. */
const appends = 16
const places = [
  ...Array.from({ length: appends }, (_, index) => [`before append ${index + 1}`, `after append ${index + 1}`]).flat(),
  ...['order', 'pay'].flatMap((name) => [`in ${name} before its effect`, `in ${name} after its effect`]),
]

describe('kill -9 of a turn that waits', () => {
  test.each(places)('%s: each call is decided once and runs at most once, and nothing is lost', async (where) => {
    const [file, effects] = [pathOf(`${where}.db`), pathOf(`${where}.effects`)]
    expect(await runChild(file, effects, where)).toBe('SIGKILL')
    expect(await runChild(file, effects, 'nowhere')).toBe('code 0')
    using store = sqliteStore(file)
    const book = openBook({ store })
    const thread = book.thread('t')
    const entries = await thread.entries()
    expect(await thread.verify()).toMatchObject({ ok: true, problems: [] })
    expect(entries.filter(({ kind }) => traits[kind].chained).map(({ kind }) => kind)).toEqual([
      'user',
      'assistant',
      'tool',
      'tool',
      'tool',
      'assistant',
    ])
    const decisions = entries.filter(({ kind }) => kind === 'decision').map(({ text }) => JSON.parse(text) as Decided)
    expect(
      decisions.map(({ call, do: done }) => [call, done]).toSorted(([one], [other]) => Number(one) - Number(other)),
    ).toEqual([
      [0, 'run'],
      [1, 'run'],
      [2, 'answer'],
    ])
    const ran = existsSync(effects) ? readFileSync(effects, 'utf8').trim().split('\n') : []
    for (const name of ['order', 'pay']) {
      const times = ran.filter((each) => each === name).length
      const result = entries.find(({ kind, answers }) => kind === 'tool' && answers?.id === name)
      // Only if it was killed while the tool ran, nobody knows whether it did.
      expect([result?.text === 'ok', times]).toEqual(
        result?.status === 'cancelled' ? [false, expect.any(Number)] : [true, 1],
      )
      expect(times).toBeLessThanOrEqual(1)
    }
    expect(await book.waiting()).toEqual({ calls: [] })
    expect((await thread.visible()).at(-1)).toMatchObject({ text: 'All done.', status: 'complete' })
  })

  test('the places are those that such a turn has', async () => {
    expect(await runChild(pathOf('places.db'), pathOf('places.effects'), `before append ${appends + 1}`)).toBe('code 0')
  })
})

interface Decided {
  readonly call: number
  readonly do: string
}
