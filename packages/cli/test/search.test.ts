import { afterAll, beforeAll, expect, test } from 'vitest'
import { gardenFolder, type DataFolder } from './support/data-folder.ts'
import { runCommand } from './support/terminal.ts'

let garden: DataFolder

beforeAll(async () => void (garden = await gardenFolder()))
afterAll(() => garden[Symbol.dispose]())

async function linesOf(words: readonly string[], columns: number, coloured = false): Promise<string[]> {
  const environment = coloured ? {} : { NO_COLOR: '1' }
  const { output } = await runCommand(['search', ...words], garden.path, { tty: true, columns, environment })
  return output.trimEnd().split('\n')
}

test('a terminal shows the hits below their threads: who said it, in which turn, and its number', async () => {
  expect(await linesOf(['it'], 80)).toEqual([
    '  said by    turn  entry  text',
    'garden  What grows in the shade of my wall?',
    '  user          2     #2  What if I plant it in winter?',
    '  user          2     #2  Must I water it this week?',
    '  assistant     1     #1  Ferns and hostas. They like it cool, and they do not …',
  ])
  expect((await linesOf(['roots'], 80)).at(-1)).toMatch(/ #1 {2}…\S.* roots of the old trees at all\.$/)
  expect((await linesOf(['it'], 140))[2]).toMatch(/^ {2}user +2 +#2 +[0-9a-f]{12} {2}What if I plant it in winter\?$/)
})

test.each([40, 60, 80, 100, 140])('no line is wider than a terminal of %i columns', async (columns) => {
  const lines = await linesOf(['the'], columns)
  expect(lines.length).toBeGreaterThan(2)
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns)
})

test('the words are marked on a terminal, whatever their case and accents', async () => {
  const lines = await linesOf(['FÉRNS', 'like'], 100, true)
  expect(lines.at(-1)).toContain('\u001b[7mFerns\u001b[27m and hostas. They \u001b[7mlike\u001b[27m it')
  const { output } = await runCommand(['search', 'ferns'], garden.path)
  expect(output).not.toContain('\u001b')
})
