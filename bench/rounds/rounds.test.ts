import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { memoryStore } from 'minutebook'
import { root } from '../../tests/support/workshop.ts'
import { figureOf, hasSamePrompts, isSlower, playRounds, ratioOf, type Compared } from './compare.ts'
import { comparedTimes, verdictOn } from './compared-times.ts'
import { countedCalls } from './counted-calls.ts'
import type { Round } from './round.ts'
import { startSide } from './side.ts'
import { comparedTurns, turnTables } from './turn-report.ts'

const silent = { step: (): void => undefined, done: (): void => undefined }
const rounds = (times: readonly number[], prompts = 'same'): Round[] =>
  times.map((processor) => ({
    figures: { turn: { processor, elapsed: 2 * processor, append: 2, 'records.put': 0.5 } },
    prompts,
  }))
const usual = [100, 200, 100, 400, 100, 100]
const compared = (now: readonly number[], prompts?: string): Compared => ({
  before: rounds(usual),
  now: rounds(now, prompts),
  again: rounds([110, 200, 90, 400, 100, 100]),
  isSameProgram: true,
})

test('calls of a store are counted by name, also those of what it holds, and do what they did', async () => {
  const counts = new Map<string, number>()
  const store = countedCalls(memoryStore(), counts)
  await store.append('a', [])
  expect(await store.read('a')).toEqual([])
  await store.read('a')
  expect(await store.records.put('a', [{ name: 'b', value: 1 }])).toMatchObject({ ok: true })
  expect(await store.records.find({ name: 'b' })).toMatchObject([{ value: 1 }])
  expect(Object.fromEntries(counts)).toEqual({ append: 1, read: 2, 'records.put': 1, 'records.find': 1 })
})

test('sides are compared round by round, whatever the machine does in between', () => {
  expect(ratioOf(compared([120, 240, 120, 480, 120, 120]).now, compared([]).before, 'turn', 'processor')).toEqual({
    middle: 1.2,
    low: 1.2,
    high: 1.2,
  })
  expect(figureOf(rounds([3, 1, 2]), 'turn', 'elapsed')).toBe(4)
  expect(figureOf(rounds([3, 1, 2, 9]), 'turn', 'elapsed')).toBe(5)
  const many = rounds(Array.from({ length: 20 }, (_, index) => index + 1))
  expect(ratioOf(many, rounds(Array.from({ length: 20 }, () => 1)), 'turn', 'processor')).toEqual({
    middle: 10.5,
    low: 3,
    high: 18,
  })
})

test('slower is what is beyond the distance of a commit from itself, in either direction', () => {
  expect(isSlower(compared([120, 240, 120, 480, 120, 120]), 'turn', 'processor')).toBe(true)
  // 90 after 100 is as far as 111 after 100.
  expect(isSlower(compared([111, 222, 111, 444, 111, 111]), 'turn', 'processor')).toBe(false)
  expect(isSlower({ ...compared([]), now: rounds([900, 900]) }, 'turn', 'processor')).toBeUndefined()
  expect(isSlower(compared([50, 100, 50, 200, 50, 50]), 'turn', 'processor')).toBe(false)
  expect(isSlower(compared([120, 240, 120, NaN, 120, 120]), 'turn', 'processor')).toBeUndefined()
  // The commit is further from itself than twice, in either direction, or its figure is a difference below nothing.
  for (const far of [201, 49, -1])
    expect(
      isSlower(
        { ...compared(usual.map((time) => 9 * time)), again: rounds([far, ...usual.slice(1)]) },
        'turn',
        'processor',
      ),
      String(far),
    ).toBeUndefined()
})

test('the verdict names what is slower and what nobody can tell, and else says that nothing is slower', () => {
  const verdict = (now: readonly Round[]): string => verdictOn({ ...compared([]), now })
  const withFigures = (figures: Readonly<Record<string, number>>): Round[] =>
    rounds(usual).map((round) => ({ ...round, figures: { turn: { ...round.figures['turn'], ...figures } } }))
  expect(verdict(rounds(usual))).toBe('None slower.')
  expect(verdict(withFigures({ append: 3 }))).toBe('Slower: turn, append.')
  expect(verdict(withFigures({ append: 3, 'records.put': NaN }))).toBe(
    'Slower: turn, append. Nobody can tell: turn, records.put.',
  )
  expect(verdict(withFigures({ append: NaN }))).toBe('None slower. Nobody can tell: turn, append.')
  expect(verdict(rounds(usual.slice(1)))).toBe('Nobody can tell what is slower.')
})

test('a comparison shows both sides, their store calls, and prompts that differ', () => {
  const same = comparedTurns(compared([120, 240, 120, 480, 120, 120]), 'HEAD~1')
  expect(same).toMatch(
    /\| turn +\| +0\.1 ms \| +0\.1 ms \| 1\.20× \(1\.20–1\.20\) \| 1\.00× \(0\.90–1\.10\) \| +yes \| +2\.5 \| +2\.5 \|/,
  )
  expect(same).toContain('the same bytes')
  expect(same).toContain('append 2, records.put 0.5')
  expect(hasSamePrompts(compared([1, 1, 1, 1, 1, 1], 'others'))).toBe(false)
  expect(comparedTurns(compared([1, 1, 1, 1, 1, 1], 'others'), 'HEAD~1')).toContain('THEY DIFFER')
  expect(comparedTimes(compared([120, 240, 120, 480, 120, 120]), 'HEAD~1')).toMatch(
    /\| turn, processor +\| +100 µs \| +120 µs \|/,
  )
})

test('turns are played beside themselves: the same store calls and the same prompts on both sides', async () => {
  const [one = [], other = []] = await playRounds([root, root], {
    program: 'turn-round.ts',
    args: ['--sizes', '3,20', '--turns', '1'],
    rounds: 1,
    processes: 1,
    progress: silent,
  })
  expect(Object.keys(one[0]?.figures ?? {})).toHaveLength(16)
  for (const [row, { append, processor = 0 }] of Object.entries(one[0]?.figures ?? {})) {
    expect(append, row).toBe(row.endsWith('one tool call') ? 4 : 2)
    expect(processor, row).toBeGreaterThan(0)
  }
  expect(other[0]?.prompts).toBe(one[0]?.prompts)
  expect(turnTables(one)).toContain('| memory, no queue, 20 turns, plain')
})

test('compiling is played beside itself: the same prompts on both sides, and others in the next round', async () => {
  const [one = [], other = []] = await playRounds([root, root], {
    program: 'compile-round.ts',
    args: ['--cold', '--sizes', '20', '--turns', '2'],
    rounds: 2,
    processes: 1,
    progress: silent,
  })
  expect(one.map(({ prompts }) => prompts)).toEqual(other.map(({ prompts }) => prompts))
  expect(one[0]?.prompts).not.toBe(one[1]?.prompts)
  expect(Object.keys(one[0]?.figures ?? {})).toEqual(['recall off', 'recall gated', 'recall eager'])
  expect(
    Object.values(one[0]?.figures ?? {})
      .flatMap((row) => Object.values(row))
      .filter((time) => !(time > 0)),
  ).toEqual([])
})

test('chats through the gateway are played beside themselves: the same prompts on both sides, and all figures', async () => {
  const [one = [], other = []] = await playRounds([root, root], {
    program: 'gateway-round.ts',
    args: ['--quick'],
    rounds: 1,
    processes: 1,
    progress: silent,
  })
  expect(one[0]?.prompts).toMatch(/^[0-9a-f]{64}$/)
  expect(other[0]?.prompts).toBe(one[0]?.prompts)
  expect(Object.keys(one[0]?.figures ?? {})).toHaveLength(6)
  expectWork(one[0])
})

test('turns of a team are played on two instances with Postgres: others in the next round, and all figures', async () => {
  const side = await startSide(root, 'team-round.ts', ['--quick'])
  const [one, next] = [await side.round(), await side.round()]
  await side.stop()
  expect(Object.keys(one.figures)).toHaveLength(2)
  expect(next.prompts).not.toBe(one.prompts)
  expectWork(next)
})

/** Times on the wall, less those of the upstream, may be anything on a busy machine; work takes time. */
function expectWork(round: Round | undefined): void {
  for (const [row, columns] of Object.entries(round?.figures ?? {})) {
    const work = Object.entries(columns).filter(([column]) => column.startsWith('processor'))
    expect(work, row).not.toEqual([])
    for (const [column, time] of work) expect(time, `${row}, ${column}`).toBeGreaterThan(0)
    expect(Object.values(columns).filter(Number.isNaN), row).toEqual([])
  }
}

test('a checkout that has the program runs its own, on its own sources; one that has none runs ours, after its own loader', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'minutebook-bench-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const write = (file: string, text: string): void => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  const round = JSON.stringify({ figures: { own: { time: 1 } }, prompts: 'own' })
  write('tests/support/from-sources.ts', `globalThis.sources = 'own'`)
  write(
    'bench/rounds/turn-round.ts',
    `process.on('message', (told) => (told === 'round' ? process.send({ round: { ...${round}, prompts: globalThis.sources } }) : process.disconnect()))\nprocess.send({ ready: true })`,
  )
  const side = await startSide(folder, 'turn-round.ts')
  expect(await side.round()).toEqual({ figures: { own: { time: 1 } }, prompts: 'own' })
  await side.stop()
  write('tests/support/from-sources.ts', `process.exit(7)`)
  await expect(startSide(folder, 'compile-round.ts')).rejects.toThrow('compile-round.ts ended with 7')
})
