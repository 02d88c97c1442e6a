import fc from 'fast-check'
import { memoryStore, openBook, visible, type Entry, type Store } from 'minutebook'
import { next } from '../../src/log/next.ts'
import { describe, expect, test } from 'vitest'
import { faultyStore } from '../support/faulty-store.ts'
import { newestBranch } from '../support/newest-branch.ts'
import { createStage, type Stage } from '../support/stage.ts'
import { tick } from '../../../../tests/support/tick.ts'
import { createViewer, type Viewer } from '../../../../tests/support/viewer.ts'

type Act =
  | { readonly do: 'ask' | 'again' | 'takeOver' | 'tellAll' }
  | { readonly do: 'say' | 'rave'; readonly text: string }
  | { readonly do: 'end'; readonly how: Parameters<Stage['end']>[0] }
  | { readonly do: 'add'; readonly what: Parameters<Stage['add']>[0] }
  | { readonly do: 'erase'; readonly pick: number }
  | { readonly do: 'leave'; readonly rounds: number; readonly back: number }
  | { readonly do: 'wait'; readonly rounds: number }

const text = fc.constantFrom('a ', 'bee ', 'a bee ', 'c', '🐝', ' ')
const acts: fc.Arbitrary<Act> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('ask' as const) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('again' as const) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constant('say' as const), text }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('rave' as const), text }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('takeOver' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('end' as const),
      how: fc.constantFrom('answer', 'calls', 'note', 'same', 'stop', 'partial'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      what: fc.constantFrom('pending', 'pending', 'setup', 'setup', 'relay', 'relayed'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('tellAll' as const) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('leave' as const), rounds: fc.nat(3), back: fc.nat(4) }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('wait' as const), rounds: fc.integer({ min: 1, max: 6 }) }) },
)
const erasing: fc.Arbitrary<Act> = fc.oneof(
  { weight: 12, arbitrary: acts },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('erase' as const), pick: fc.nat(30) }) },
)
const delays = fc.array(fc.nat(2), { minLength: 1, maxLength: 5 })
const losses = fc.oneof(fc.constant([false]), fc.array(fc.boolean(), { minLength: 1, maxLength: 7 }))

test('whatever is written, told, lost, taken over and said again: who watches has the newest branch, and the text as it is', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(acts, { minLength: 1, maxLength: 60, size: 'max' }), losses, delays, async (...given) => {
      const { viewer, stage, log } = await play(...given)
      expect(viewer.complaints).toEqual([])
      const branch = newestBranch(log)
      expect(viewer.entries).toEqual(visible(branch))
      expect(viewer.text).toBe(stage.text)
      const isAsked = branch.some(({ kind }) => kind === 'user')
      if (isAsked && next(branch, []).do === 'rest') expect(viewer.isResting).toBe(true)
      expect(JSON.stringify(viewer.seen)).not.toContain('canary')
    }),
  )
})

test('and if something is erased meanwhile, the newest branch all the same', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(erasing, { minLength: 1, maxLength: 60, size: 'max' }),
      losses,
      delays,
      async (...given) => {
        const { viewer, log } = await play(...given)
        expect(viewer.complaints).toEqual([])
        expect(viewer.entries.map(({ id }) => id)).toEqual(visible(newestBranch(log)).map(({ id }) => id))
      },
    ),
  )
})

describe('one who watches', () => {
  test('asks for what was lost', async () => {
    const lost = [false, false, false, true]
    const { viewer, leave, stage } = begin(() => lost.shift() ?? false)
    await stage.ask('What?')
    await rounds(4)
    for (const piece of ['a ', 'bee ', 'or ', 'two']) stage.say(piece)
    await rounds(4)
    expect(viewer.text).toBe('a bee or two')
    await leave()
  })

  test.each([
    [
      'who comes back after a take-over has the answer of the other runner',
      async (stage: Stage) => {
        await stage.takeOver()
        stage.say('bee ')
        await stage.end('answer')
      },
      ['reset', '+bee ', 'bee ', 'end'],
    ],
    [
      'who comes back after the answer has the rest of it',
      async (stage: Stage) => {
        stage.say('bee')
        await stage.end('answer')
      },
      ['+bee', 'a bee', 'end'],
    ],
    [
      'who comes back after the end of a turn without an answer forgets what was shown',
      (stage: Stage) => stage.end('stop'),
      ['reset', 'Stopped.', 'end'],
    ],
    [
      'who comes back after another question forgets what was shown',
      (stage: Stage) => stage.add('relayed'),
      ['reset', 'branch'],
    ],
  ] as const)('%s', async (_, meanwhile, expected) => {
    const { viewer, leave, back, stage } = begin()
    await stage.ask('What?')
    await rounds(4)
    stage.say('a ')
    await rounds(4)
    await leave()
    const before = viewer.seen.length
    await meanwhile(stage)
    back()
    await rounds(10)
    await leave()
    expect(
      viewer.seen
        .slice(before)
        .map((event) =>
          event.type === 'entry' ? event.entry.text : event.type === 'text' ? `+${event.text}` : event.type,
        ),
    ).toEqual(expected)
    expect(viewer.complaints).toEqual([])
  })
})

interface Play {
  readonly store: Store
  readonly stage: Stage
  readonly viewer: Viewer
  readonly leave: () => Promise<void>
  readonly back: () => void
}

function begin(isLost = (): boolean => false, slowness: readonly number[] = [0]): Play {
  const store = memoryStore()
  const stage = createStage(store, 't', isLost)
  const thread = openBook({ store: faultyStore(store, slowness), feed: stage.feed }).thread('t')
  const viewer = createViewer()
  let leaving = new AbortController()
  let over = viewer.watch(thread, { signal: leaving.signal })
  return {
    store,
    stage,
    viewer,
    leave: async () => {
      leaving.abort()
      await over
    },
    back: () => {
      leaving = new AbortController()
      over = viewer.watch(thread, { signal: leaving.signal })
    },
  }
}

/** One who watches from the beginning, and comes back after leaving: at the last position, or at one from before. */
async function play(
  sequence: readonly Act[],
  lost: readonly boolean[],
  slowness: readonly number[],
): Promise<{ readonly viewer: Viewer; readonly stage: Stage; readonly log: readonly Entry[] }> {
  let told = 0
  const { store, stage, viewer, leave, back } = begin(() => lost[told++ % lost.length]!, slowness)
  for (const act of sequence) {
    if (act.do === 'wait') await rounds(act.rounds)
    else if (act.do === 'leave') {
      await leave()
      viewer.rewind(Math.max(0, viewer.seen.length - act.back))
      await rounds(act.rounds)
      back()
    } else await perform(stage, act)
  }
  // Once to learn of the call, once to hear it.
  for (let time = 0; time < 2; time++) {
    await rounds(30)
    stage.tellAll()
  }
  await rounds(30)
  await leave()
  return { viewer, stage, log: await store.read('t') }
}

function perform(stage: Stage, act: Exclude<Act, { do: 'wait' | 'leave' }>): Promise<void> | void {
  switch (act.do) {
    case 'say':
    case 'rave':
      return stage[act.do](act.text)
    case 'end':
      return stage.end(act.how)
    case 'add':
      return stage.add(act.what)
    case 'erase':
      return stage.erase(act.pick)
    case 'ask':
      return stage.ask('What?')
    default:
      return stage[act.do]()
  }
}

async function rounds(count: number): Promise<void> {
  for (let round = 0; round < count; round++) await tick()
}
