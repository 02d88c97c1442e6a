import { mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { csvRows } from '../../tests/support/csv.ts'
import { program } from '../program.ts'
import { shownIn } from '../shown.ts'

test('a row for each seed, with the mean and the spread that the page shows', async () => {
  const page = new URL('./README.md', import.meta.url)
  const file = join(mkdtempSync(join(tmpdir(), 'fifty-seeds-')), 'fifty-seeds.csv')
  const { code, stdout, stderr } = await program('fifty-seeds', {})('--out', file)
  expect([code, stderr]).toEqual([0, ''])
  expect(shownIn(page, stdout.replace(file, 'fifty-seeds.csv'))).toEqual([])

  const text = readFileSync(file, 'utf8')
  const [head = [], ...rows] = csvRows(text.trim())
  expect(rows.map(([seed]) => Number(seed))).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
  expect(readFileSync(page, 'utf8')).toContain(text.split('\n').slice(0, 4).join('\n'))

  const worth = rows.map((row) => Number(row[head.indexOf('netWorth')]))
  const mean = worth.reduce((sum, each) => sum + each, 0) / 50
  expect(stdout).toContain(` ${Math.round(mean * 100) / 100} `)
  expect(new Set(worth).size).toBeGreaterThan(40)
})
