import fc from 'fast-check'
import { boardOf, type Begun, type Board, type Recorded, type RunEvent } from '@minutebook/experiment/run'
import { describe, expect, test } from 'vitest'
import { mergePatch, newName } from '../../src/experiments/begin.ts'
import { boardAfter, runNews, type RunChange } from '../../src/experiments/board.ts'
import { tableLines } from '../../src/experiments/export.ts'

describe('a merge patch', () => {
  test.each([
    ['replaces what is named', { a: 1, b: 2 }, { b: 3 }, { a: 1, b: 3 }],
    ['goes into maps', { a: { b: 1, c: 2 } }, { a: { b: 3 } }, { a: { b: 3, c: 2 } }],
    ['takes away by null', { a: 1, b: 2 }, { a: null }, { b: 2 }],
    ['replaces lists whole', { a: [1, 2] }, { a: [3] }, { a: [3] }],
    ['makes a map of what was none', { a: 1 }, { a: { b: 2 } }, { a: { b: 2 } }],
    ['leaves null out of what is new', {}, { a: { b: null, c: 1 } }, { a: { c: 1 } }],
    ['keeps the order of what was there', { z: 1, a: 2 }, { z: 3 }, { z: 3, a: 2 }],
  ])('%s', (_, value, changes, wanted) => {
    expect(JSON.stringify(mergePatch(value, changes))).toBe(JSON.stringify(wanted))
  })

  test('reaches no prototype', () => {
    mergePatch({}, JSON.parse('{"__proto__": {"polluted": true}}') as never)
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined()
  })
})

test.each([
  ['Lemonade stand', /^lemonade-stand-[0-9a-z]{6}$/],
  ['lemonade-stand-k3v9x2', /^lemonade-stand-[0-9a-z]{6}$/],
  ['  ', /^run-[0-9a-z]{6}$/],
  ['Ünïcode & Co.', /^n-code-co-[0-9a-z]{6}$/],
  ['x'.repeat(300), /^x{60}-[0-9a-z]{6}$/],
])('a run that is like %j has a name of its own', (like, wanted) => {
  expect(newName(like, (bytes) => new Uint8Array(bytes).fill(7))).toMatch(wanted)
  expect(newName(like, (bytes) => new Uint8Array(bytes).fill(7))).not.toBe(
    newName(like, (bytes) => new Uint8Array(bytes).fill(8)),
  )
})

const begun: Recorded<Begun> = {
  type: 'begun',
  name: 'talk',
  seed: 1,
  definition: 'talk',
  environment: { cash: 1, word: '=1+1' },
  participants: { ann: 'strict' },
  prices: { strict: { input: 1, output: 2 } },
  seq: 0,
}

function eventsOf(rounds: number): Recorded[] {
  const events = Array.from({ length: rounds }, (_, index): RunEvent[] => [
    { type: 'roundStart', round: index + 1, name: '', play: 'sequence', order: ['ann'], changes: { cash: index } },
    {
      type: 'played',
      round: index + 1,
      participant: 'ann',
      turn: 0,
      attempt: 0,
      status: 'complete',
      text: `"${index}",\nsaid`,
      asked: 'a',
      head: 'b',
      calls: [{ receipt: 'r', hash: 'h', prompt: 1_000_000, completion: 500_000, verdicts: {} }],
    },
    { type: 'roundEnd', round: index + 1, applied: [], changes: {} },
  ]).flat()
  return [begun, ...events.map((event, index) => ({ ...event, seq: index + 1 }))]
}

async function told(boards: readonly Board[]): Promise<RunChange[]> {
  const news: RunChange[] = []
  for await (const one of runNews(
    (async function* () {
      yield* boards
    })(),
  ))
    news.push(one)
  return news
}

test('news put together are the board, whichever boards were seen, and what is over is not told again', async () => {
  const events = eventsOf(12)
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(fc.integer({ min: 1, max: events.length }), { minLength: 1 }), async (lengths) => {
      const boards = lengths
        .toSorted((one, other) => one - other)
        .map((length) => boardOf('one', begun, events.slice(0, length)))
      const news = await told(boards)
      let board: Board | undefined
      for (const [index, one] of news.entries()) {
        board = boardAfter(board, one)
        expect(board).toEqual(boards[index])
      }
    }),
  )
  const every = await told(events.map((_, index) => boardOf('one', begun, events.slice(0, index + 1))))
  expect(Math.max(...every.slice(1).map(({ data }) => data.rounds.length))).toBe(1)
})

test('a table quotes what must be quoted, and begins no formula', () => {
  const lines = [...tableLines(boardOf('one', begun, eventsOf(1)), begun)]
  expect(lines).toEqual([
    'run,seed,round,name,participant,model,turn,status,calls,prompt_tokens,completion_tokens,tokens,cost,tools,env.cash,env.word,text',
    `one,1,1,,ann,strict,0,complete,1,1000000,500000,1500000,2,,0,'=1+1,"""0"",\nsaid"`,
  ])
})
