import { expect, test } from 'vitest'
import { history } from 'minutebook'
import { sqliteStore } from '@minutebook/sqlite'
import { startScript } from '../../support/process/script-of-test.ts'
import { nextLine } from '../../support/process/script.ts'
import { temporaryFolder } from '../../support/sqlite/folder.ts'

const pathOf = temporaryFolder()

test('a writer that is killed again and again loses nothing that was acknowledged, and doubles nothing', async () => {
  const path = pathOf('killed.db')
  const acknowledged: string[] = []
  for (let kill = 0; kill < 5; kill++) {
    const child = startScript('sqlite/writer.ts', path)
    expect(await nextLine(child)).toBe('open')
    let left = 40 + kill * 37
    for await (const line of child.lines) {
      const ids = line.split(' ')
      // The last line may have been cut in two by the kill.
      if (ids.length === 2 && ids[1]?.length === 64) acknowledged.push(...ids)
      if (--left === 0) child.process.kill('SIGKILL')
    }
    await child.ended

    using store = sqliteStore(path)
    const log = await store.read('t')
    const ids = log.map(({ id }) => id)
    expect(new Set(ids).size).toBe(ids.length)
    expect(log.map(({ seq }) => seq)).toEqual(ids.map((_, index) => index))
    const there = new Set(ids)
    expect(acknowledged.filter((id) => !there.has(id))).toEqual([])
    // Pairs were appended, so whatever came after the last acknowledgement is there in pairs, on one line.
    expect(log.length % 2).toBe(0)
    expect(history(log).map(({ id }) => id)).toEqual(ids)
    expect(await store.search('answer', { limit: Infinity })).toHaveLength(log.length / 2)
  }
  expect(acknowledged.length).toBeGreaterThan(400)
})
