import type { Definition } from '@minutebook/experiment'
import { participantThread, type Board } from '@minutebook/experiment/run'
import type { ThreadDump } from 'minutebook/inspect'
import { strictUpstream } from '@minutebook/testing/server'
import { beforeAll, describe, expect, test } from 'vitest'
import { openStage, over, seatOf, shown } from '../play.ts'
import { program } from '../program.ts'
import { shownIn } from '../shown.ts'
import { scriptedSpeaker, speak } from './scripted.ts'

interface Call {
  readonly who: string
  readonly round: number
  readonly dump: ThreadDump
}

let board: Board
let definition: Definition
/** Every model call of the run, by its dump. */
let calls: readonly Call[]

beforeAll(async () => {
  const stage = await openStage(new URL('./debate.yaml', import.meta.url), (seat) =>
    seatOf(seat, scriptedSpeaker(seat.name)),
  )
  board = await over(await stage.begin('debate'))
  definition = stage.definition
  const made = board.rounds.flatMap(({ round, cells }) =>
    cells.flatMap(({ participant, calls: some }) => some.map(({ receipt }) => ({ who: participant, round, receipt }))),
  )
  calls = await Promise.all(
    made.map(async ({ who, round, receipt }) => ({
      who,
      round,
      dump: await stage.book.thread(participantThread('debate', who)).dump({ receipt }),
    })),
  )
  await stage.close()
})

const secrets = { annsBrief: 'ann', bobsBrief: 'bob', rubric: 'judge' } as const
const callsOf = (who: string, round?: number): readonly Call[] =>
  calls.filter((call) => call.who === who && (round === undefined || call.round === round))
const holds = ({ dump: { text, messages, tools } }: Call, words: string): boolean =>
  [text, JSON.stringify(messages), JSON.stringify(tools)].some((part) => part.includes(words))

test('the debate is held in its order, and judged', () => {
  expect(board).toMatchObject({
    status: 'success',
    reason: 'judged was reached after round 5.',
    environment: { annsPoints: 7, bobsPoints: 8, winner: 'bob' },
  })
  expect(
    board.rounds.map(({ name, play, cells }) => [name, play, ...cells.map(({ participant }) => participant)]),
  ).toEqual([
    ['opening', 'parallel', 'ann', 'bob'],
    ['rebuttal', 'sequence', 'ann', 'bob'],
    ['question', 'sequence', 'judge'],
    ['closing', 'sequence', 'bob', 'ann'],
    ['verdict', 'sequence', 'judge'],
  ])
})

describe('every prompt', () => {
  test('is on record as it was sent', () => {
    expect(calls.length).toBe(10)
    expect(calls.every(({ dump }) => dump.same)).toBe(true)
  })

  test('holds the secrets of whom it is for, and of nobody else', () => {
    for (const [variable, owner] of Object.entries(secrets)) {
      const secret = shown(definition.environment[variable]?.initial)
      const told = calls.filter((call) => holds(call, secret))
      expect(new Set(told.map(({ who }) => who)), variable).toEqual(new Set([owner]))
      expect(told.length, variable).toBe(callsOf(owner).length)
      expect(
        calls.filter((call) => call.who !== owner && holds(call, variable)),
        variable,
      ).toEqual([])
    }
  })

  test('holds the system text of whom it is for, and of nobody else', () => {
    for (const [name, { system = '' }] of Object.entries(definition.participants)) {
      expect(calls.filter((call) => holds(call, system)).map(({ who }) => who)).toEqual(callsOf(name).map(() => name))
    }
  })

  test('of a debater tells neither points nor the tool that gives them; the winner is told to nobody', () => {
    for (const call of calls.filter(({ who }) => who !== 'judge'))
      for (const word of ['Points', 'scores', 'score'])
        expect(holds(call, word), `${call.who} at ${call.round}: ${word}`).toBe(false)
    expect(calls.some((call) => holds(call, 'winner'))).toBe(false)
    expect(
      callsOf('judge').every(
        ({ dump }) =>
          dump.tools
            .map((tool) => tool.function.name)
            .toSorted()
            .join() === 'score,tell',
      ),
    ).toBe(true)
  })
})

test('openings are made at once: nobody heard the other, and both do at the next round', () => {
  const openings = new Map(board.rounds[0]!.cells.map(({ participant, text }) => [participant, text]))
  for (const [who, other] of [
    ['ann', 'bob'],
    ['bob', 'ann'],
  ] as const) {
    expect(callsOf(who, 1).some((call) => holds(call, openings.get(other)!))).toBe(false)
    expect(callsOf(who, 2).every((call) => holds(call, `${other}: ${openings.get(other)!}`))).toBe(true)
  }
})

test('rebuttals are made one after the other: Bob has heard Ann’s, and she hears his when she closes', () => {
  const [ann, bob] = board.rounds[1]!.cells.map(({ text }) => text) as [string, string]
  expect(callsOf('bob', 2).every((call) => holds(call, `ann: ${ann}`))).toBe(true)
  expect(callsOf('ann', 2).some((call) => holds(call, bob))).toBe(false)
  expect(callsOf('ann', 4).every((call) => holds(call, `bob: ${bob}`))).toBe(true)
})

test('what the judge tells Bob, once, Bob hears and Ann does not', () => {
  const told = board.rounds.flatMap(({ cells }) =>
    cells.flatMap(({ effects }) => effects.filter(({ tool }) => tool === 'tell')),
  )
  expect(told).toMatchObject([{ input: { to: 'bob', text: 'Who would pay for the trams?' }, status: 'done' }])
  const question = 'judge to you: Who would pay for the trams?'
  expect(callsOf('bob', 4).every((call) => holds(call, question))).toBe(true)
  expect(callsOf('ann').some((call) => holds(call, 'Who would pay'))).toBe(false)
})

test('models by configuration: each participant’s own is asked', async () => {
  await using upstream = await strictUpstream({
    answer: ({ messages }) => speak(speakerIn(messages), { messages }),
    window: 4096,
  })
  const { code, stdout, stderr } = await program('debate', { OLLAMA_HOST: upstream.url })()
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toContain('success: judged was reached after round 5. Ann 7, Bob 8: bob won.')
  const models = upstream.requests.map(
    ({ messages, json }) => `${speakerIn(messages)} ${String((json as { readonly model?: unknown }).model)}`,
  )
  expect(new Set(models)).toEqual(new Set(['ann gemma3:4b', 'bob qwen3:4b', 'judge gemma3:4b']))
})

test('the program prints what its page shows', async () => {
  const { code, stdout } = await program('debate', {})('--scripted')
  expect(code).toBe(0)
  expect(shownIn(new URL('./README.md', import.meta.url), stdout)).toEqual([])
})

function speakerIn([first]: readonly { readonly content?: unknown }[]): string {
  return (
    ['ann', 'bob', 'judge'].find((name) =>
      String(first?.content)
        .toLowerCase()
        .startsWith(`you are ${name === 'judge' ? 'the judge' : name}`),
    ) ?? ''
  )
}
