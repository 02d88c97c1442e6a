import { existsSync, readFileSync } from 'node:fs'
import { sqliteStore } from '@minutebook/sqlite'
import { openBook } from 'minutebook'
import { traits } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { startScript } from '../../support/process/script-of-test.ts'
import { temporaryFolder } from '../../support/sqlite/folder.ts'

const pathOf = temporaryFolder()

/** Runs one turn in a process of its own and says how that ended. */
async function runChild(...words: readonly [file: string, effects: string, where: string]): Promise<string> {
  const { process: child, ended } = startScript('sqlite/turn-child.ts', ...words)
  await ended
  return child.signalCode ?? `code ${child.exitCode}`
}

const places = [
  ...[1, 2, 3, 4, 5].flatMap((n) => [`before append ${n}`, `after append ${n}`]),
  'before call 1',
  'in call 1 after piece 1',
  'in call 1 after piece 3',
  'in once before its effect',
  'in once after its effect',
  'in again before its effect',
  'in again after its effect',
  'before call 2',
  'in call 2 after piece 1',
  'in call 2 after piece 4',
]

describe('kill -9', () => {
  test.each(places)('%s: after a restart the turn is whole', async (where) => {
    const [file, effects] = [pathOf(`${where}.db`), pathOf(`${where}.effects`)]
    expect(await runChild(file, effects, where)).toBe('SIGKILL')
    const before = await entriesAt(file)
    expect(await runChild(file, effects, 'resume')).toBe('code 0')

    using store = sqliteStore(file)
    const thread = openBook({ store }).thread('t')
    const entries = await thread.entries()
    expect(entries.slice(0, before.length).map(({ id }) => id)).toEqual(before)
    expect(await thread.verify()).toMatchObject({ ok: true, problems: [] })
    const chain = entries.filter(({ kind }) => traits[kind].chained).map(({ kind }) => kind)
    const ran = existsSync(effects) ? readFileSync(effects, 'utf8').split('\n') : []
    expect(ran.filter((name) => name === 'once').length).toBeLessThanOrEqual(1)
    if (where === 'before append 1') {
      expect(entries).toEqual([])
      return
    }
    expect(chain).toEqual(['system', 'user', 'assistant', 'tool', 'tool', 'assistant'])
    expect(entries.filter(({ kind }) => kind === 'note').map(({ text }) => text)).toEqual(['both tools ran'])
    expect(entries.filter(({ kind }) => kind === 'journal')).toHaveLength(1)
    expect(ran.filter((name) => name === 'again').length).toBeGreaterThanOrEqual(1)
    expect((await thread.visible()).at(-1)).toMatchObject({ kind: 'assistant', text: 'All done.', status: 'complete' })
  })

  test('the places are those that a turn has', async () => {
    expect(await runChild(pathOf('places.db'), pathOf('places.effects'), 'before append 6')).toBe('code 0')
  })
})

async function entriesAt(file: string): Promise<string[]> {
  using store = sqliteStore(file)
  return (await openBook({ store }).thread('t').entries()).map(({ id }) => id)
}
