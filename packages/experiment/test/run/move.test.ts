import fc from 'fast-check'
import { nextMove, standingOf, type Experiment, type Move, type RunEvent } from '@minutebook/experiment/run'
import { describe, expect, test } from 'vitest'
import { begun, effect, failed, played, round, roundEnd, told, wish } from './support/happenings.ts'

const model = { name: 'm' }
const base: Experiment = {
  name: 'e',
  environment: { n: { type: 'integer', initial: 0 } },
  participants: { ann: { model }, bob: { model }, cy: { model } },
}
const rich = { name: 'rich', when: ({ n }: { readonly n?: unknown }) => Number(n) >= 10 }
const broke = { name: 'broke', when: ({ n }: { readonly n?: unknown }) => Number(n) < 0 || Number(n) === 99 }

/** A move in few words. */
function words(move: Move): string {
  if (move.do === 'play')
    return `play ${move.turns.map(({ round: number, participant, turn, attempt }) => `${number} ${participant} ${turn}${attempt > 0 ? ` (${attempt} in vain)` : ''}`).join(', ')}`
  if (move.do === 'end') return `end ${move.outcome}: ${move.reason}`
  return move.do === 'rest' ? 'rest' : `${move.do} ${move.round}`
}

type Row = readonly [title: string, events: readonly RunEvent[], expected: string, experiment?: Partial<Experiment>]
const at = (n: number): RunEvent => begun({ n })
const calls = (prompt: number, completion: number) => [{ receipt: 'r', hash: 'h', prompt, completion, verdicts: {} }]
const prices = { m: { input: 1_000_000, output: 2_000_000 } }

const rows: Readonly<Record<string, readonly Row[]>> = {
  'one after the other': [
    ['the first round comes first', [at(0)], 'round 1'],
    ['then the first of them', [at(0), round(1, 'sequence')], 'play 1 ann 0'],
    ['then the second', [at(0), round(1, 'sequence'), played(1, 'ann')], 'play 1 bob 0'],
    ['in the order of the round', [at(0), round(1, 'sequence', {}, ['cy', 'ann'])], 'play 1 cy 0'],
    [
      'an answer that was cut off is one',
      [at(0), round(1, 'sequence'), played(1, 'ann', { status: 'partial' })],
      'play 1 bob 0',
    ],
    [
      'who is told something waits for the own turn',
      [at(0), round(1, 'sequence'), told(1, 'ann', 'cy'), played(1, 'ann')],
      'play 1 bob 0',
    ],
    [
      'when all have played the round is over',
      [at(0), round(1, 'sequence'), played(1, 'ann'), played(1, 'bob'), played(1, 'cy')],
      'finish 1',
    ],
    ['and the next begins', [at(0), round(1, 'sequence'), roundEnd(1)], 'round 2'],
  ],
  'all at once': [
    ['all play', [at(0), round(1, 'parallel')], 'play 1 ann 0, 1 bob 0, 1 cy 0'],
    ['those who are done do not', [at(0), round(1, 'parallel'), played(1, 'bob')], 'play 1 ann 0, 1 cy 0'],
    [
      'the round is over when all are',
      [at(0), round(1, 'parallel'), played(1, 'cy'), played(1, 'bob'), played(1, 'ann')],
      'finish 1',
    ],
    [
      'one that failed plays again, beside those who have not yet',
      [at(0), round(1, 'parallel'), failed(1, 'bob', 0), played(1, 'ann')],
      'play 1 bob 0 (1 in vain), 1 cy 0',
    ],
  ],
  'whoever is told something': [
    ['the first plays', [at(0), round(1, 'addressed')], 'play 1 ann 0'],
    ['where nobody is told anything the round is over', [at(0), round(1, 'addressed'), played(1, 'ann')], 'finish 1'],
    ['then whoever was told', [at(0), round(1, 'addressed'), told(1, 'ann', 'cy'), played(1, 'ann')], 'play 1 cy 0'],
    ['not while the one who tells still plays', [at(0), round(1, 'addressed'), told(1, 'ann', 'cy')], 'play 1 ann 0'],
    [
      'in the order in which they were told',
      [at(0), round(1, 'addressed'), told(1, 'ann', 'cy'), told(1, 'ann', 'bob', 'x', { call: 1 }), played(1, 'ann')],
      'play 1 cy 0',
    ],
    [
      'and the next of them after that',
      [
        at(0),
        round(1, 'addressed'),
        told(1, 'ann', 'cy'),
        told(1, 'ann', 'bob', 'x', { call: 1 }),
        played(1, 'ann'),
        played(1, 'cy'),
      ],
      'play 1 bob 0',
    ],
    [
      'who is told again plays again',
      [at(0), round(1, 'addressed'), told(1, 'ann', 'cy'), played(1, 'ann'), told(1, 'cy', 'ann'), played(1, 'cy')],
      'play 1 ann 1',
    ],
    [
      'what was refused told nobody',
      [at(0), round(1, 'addressed'), told(1, 'ann', 'cy', 'x', { status: 'refused' }), played(1, 'ann')],
      'finish 1',
    ],
    [
      'who takes no part in the round does not play',
      [at(0), round(1, 'addressed', {}, ['ann', 'bob']), told(1, 'ann', 'cy'), played(1, 'ann')],
      'finish 1',
    ],
    [
      'another tool with the same words tells nobody',
      [at(0), round(1, 'addressed'), told(1, 'ann', 'cy', 'x', { tool: 'set' }), played(1, 'ann')],
      'finish 1',
    ],
    [
      'no more turns than are allowed',
      [at(0), round(1, 'addressed'), told(1, 'ann', 'cy'), played(1, 'ann'), told(1, 'cy', 'ann'), played(1, 'cy')],
      'finish 1',
      { limits: { turns: 2 } },
    ],
  ],
  goals: [
    [
      'are looked at before the first round',
      [at(10)],
      'end success: rich was reached after round 0.',
      { goals: { success: [rich] } },
    ],
    ['not within a round', [at(0), round(1, 'sequence', { n: 10 })], 'play 1 ann 0', { goals: { success: [rich] } }],
    [
      'after a round',
      [at(0), round(1, 'sequence'), roundEnd(1, { n: 10 })],
      'end success: rich was reached after round 1.',
      { goals: { success: [rich] } },
    ],
    [
      'failures before successes',
      [at(0), round(1, 'sequence'), roundEnd(1, { n: 99 })],
      'end failure: broke was reached after round 1.',
      { goals: { success: [rich], failure: [broke] } },
    ],
    [
      'before limits',
      [at(0), round(1, 'sequence'), roundEnd(1, { n: 10 })],
      'end success: rich was reached after round 1.',
      { goals: { success: [rich] }, limits: { rounds: 1 } },
    ],
    [
      'the first that is reached',
      [at(12)],
      'end success: rich was reached after round 0.',
      { goals: { success: [{ name: 'never', when: () => false }, rich, { name: 'always', when: () => true }] } },
    ],
  ],
  limits: [
    [
      'rounds',
      [at(0), round(1, 'sequence'), roundEnd(1)],
      'end limit: 1 rounds were played, as many as are allowed.',
      { limits: { rounds: 1 } },
    ],
    [
      '100 rounds where nothing is said',
      [at(0), round(100, 'sequence'), roundEnd(100)],
      'end limit: 100 rounds were played, as many as are allowed.',
    ],
    [
      'tokens, also within a round',
      [at(0), round(1, 'sequence'), played(1, 'ann', { calls: calls(70, 30) })],
      'end limit: 100 tokens were used of 100.',
      { limits: { tokens: 100 } },
    ],
    [
      'not one token before',
      [at(0), round(1, 'sequence'), played(1, 'ann', { calls: calls(70, 29) })],
      'play 1 bob 0',
      { limits: { tokens: 100 } },
    ],
    [
      'those of vain attempts count',
      [at(0), round(1, 'sequence'), failed(1, 'ann', 0, { calls: calls(100, 0) })],
      'end limit: 100 tokens were used of 100.',
      { limits: { tokens: 100 } },
    ],
    [
      'cost',
      [begun({ n: 0 }, { prices }), round(1, 'sequence'), played(1, 'ann', { calls: calls(1, 2) })],
      'end limit: 5 was spent of 5.',
      { limits: { cost: 5 } },
    ],
    [
      'no cost where a model has no price',
      [
        begun({ n: 0 }, { prices: { other: prices.m } }),
        round(1, 'sequence'),
        played(1, 'ann', { calls: calls(1, 2) }),
      ],
      'play 1 bob 0',
      { limits: { cost: 5 } },
    ],
  ],
  errors: [
    ['it is tried again', [at(0), round(1, 'sequence'), failed(1, 'ann', 0)], 'play 1 ann 0 (1 in vain)'],
    [
      'three times where nothing is said',
      [at(0), round(1, 'sequence'), failed(1, 'ann', 0), failed(1, 'ann', 1)],
      'play 1 ann 0 (2 in vain)',
    ],
    [
      'then it ends',
      [at(0), round(1, 'sequence'), failed(1, 'ann', 0), failed(1, 'ann', 1), failed(1, 'ann', 2)],
      'end error: ann failed 3 times in round 1: it is away',
    ],
    [
      'as often as is allowed',
      [at(0), round(1, 'sequence'), failed(1, 'ann', 0)],
      'end error: ann failed 1 times in round 1: it is away',
      { limits: { errors: 1 } },
    ],
    [
      'each for itself',
      [at(0), round(1, 'parallel'), failed(1, 'ann', 0), failed(1, 'bob', 0), failed(1, 'cy', 0)],
      'play 1 ann 0 (1 in vain), 1 bob 0 (1 in vain), 1 cy 0 (1 in vain)',
    ],
    [
      'one that was cancelled was in vain',
      [at(0), round(1, 'sequence'), played(1, 'ann', { status: 'cancelled' })],
      'play 1 ann 0 (1 in vain)',
    ],
    [
      'errors of another round are forgotten',
      [
        at(0),
        round(1, 'sequence'),
        failed(1, 'ann', 0),
        failed(1, 'ann', 1),
        played(1, 'ann', { attempt: 2 }),
        roundEnd(1),
        round(2, 'sequence'),
        failed(2, 'ann', 0),
      ],
      'play 2 ann 0 (1 in vain)',
    ],
    [
      'who has it go on begins to count anew',
      [
        at(0),
        round(1, 'sequence'),
        failed(1, 'ann', 0),
        failed(1, 'ann', 1),
        failed(1, 'ann', 2),
        { type: 'ended', outcome: 'error', reason: '', at: 5 },
        wish('retried', 6),
      ],
      'play 1 ann 0 (3 in vain)',
    ],
  ],
  wishes: [
    ['a pause before a round', [at(0), wish('paused')], 'rest'],
    ['a pause that is over', [at(0), wish('paused'), wish('resumed')], 'round 1'],
    ['a second pause', [at(0), wish('paused'), wish('resumed'), wish('paused', 3)], 'rest'],
    ['a stop', [at(0), round(1, 'sequence'), wish('stopped')], 'end stopped: A person stopped it.'],
    ['a stop of a paused run', [at(0), wish('paused'), wish('stopped')], 'end stopped: A person stopped it.'],
    [
      'a pause after a stop does nothing',
      [at(0), wish('stopped'), wish('paused')],
      'end stopped: A person stopped it.',
    ],
    ['what is over rests', [at(0), { type: 'ended', outcome: 'success', reason: '', at: 1 }], 'rest'],
    [
      'what reached its end does not go on',
      [at(0), { type: 'ended', outcome: 'limit', reason: '', at: 1 }, wish('retried')],
      'rest',
    ],
    [
      'what was stopped goes on where it was',
      [
        at(0),
        round(1, 'sequence'),
        played(1, 'ann'),
        wish('stopped'),
        { type: 'ended', outcome: 'stopped', reason: '', at: 4 },
        wish('retried'),
      ],
      'play 1 bob 0',
    ],
  ],
}

describe.each(Object.entries(rows))('%s', (_, group) => {
  test.each(group.map(([title, ...rest]) => [title, rest] as const))('%s', (_title, [events, expected, own = {}]) => {
    expect(words(nextMove({ ...base, ...own }, events))).toBe(expected)
  })
})

test('while it is paused no turn begins, and those under way are taken note of', () => {
  const move = nextMove(base, [at(0), round(1, 'parallel'), wish('paused')])
  expect(move.do === 'rest' || (move.do === 'play' && move.isHeld)).toBe(true)
})

/** Plays a run by the rules alone, in which whoever can play next is drawn. */
function playOut(experiment: Experiment, draw: (most: number) => number): readonly RunEvent[] {
  const events: RunEvent[] = [at(0)]
  for (;;) {
    const move = nextMove(experiment, events)
    if (move.do === 'rest') return events
    if (move.do === 'end') events.push({ type: 'ended', outcome: move.outcome, reason: move.reason, at: events.length })
    if (move.do === 'finish') events.push(roundEnd(move.round))
    if (move.do === 'round') {
      const plan = experiment.rounds![(move.round - 1) % experiment.rounds!.length]!
      events.push(round(move.round, plan.play, {}, plan.participants ?? Object.keys(experiment.participants)))
    }
    if (move.do !== 'play') continue
    const { round: number, participant, turn, attempt } = move.turns[draw(move.turns.length)]!
    if (draw(4) === 0) events.push(failed(number, participant, attempt, { turn }))
    else {
      const others = ['ann', 'bob', 'cy'].filter((name) => name !== participant)
      if (draw(3) === 0) events.push(told(number, participant, others[draw(2)]!, 'x', { turn }))
      events.push(effect(number, participant, 1, {}, { turn }), played(number, participant, { turn, attempt }))
    }
  }
}

const plans = fc.array(
  fc.record({
    play: fc.constantFrom('sequence' as const, 'parallel' as const, 'addressed' as const),
    participants: fc.option(fc.shuffledSubarray(['ann', 'bob', 'cy'], { minLength: 1 }), { nil: undefined }),
  }),
  { minLength: 1, maxLength: 3 },
)

test('whatever happens: a run ends, rounds come one after the other, and in each everybody plays as often as is due', () => {
  fc.assert(
    fc.property(
      plans,
      fc.integer({ min: 1, max: 8 }),
      fc.array(fc.nat(11), { minLength: 50, maxLength: 50 }),
      (rounds, most, dice) => {
        let thrown = 0
        const events = playOut(
          { ...base, rounds, limits: { rounds: most, errors: 3 } },
          (sides) => dice[thrown++ % dice.length]! % sides,
        )
        const { status, round: last } = standingOf(events)
        expect(['limit', 'error']).toContain(status)
        expect(events.flatMap((event) => (event.type === 'roundStart' ? [event.round] : []))).toEqual(
          Array.from({ length: last }, (_, index) => index + 1),
        )
        for (const event of events) {
          if (event.type !== 'roundEnd') continue
          const plan = rounds[(event.round - 1) % rounds.length]!
          const order = plan.participants ?? ['ann', 'bob', 'cy']
          const answers = events.flatMap((other) =>
            other.type === 'played' && other.round === event.round && other.status === 'complete'
              ? [other.participant]
              : [],
          )
          if (plan.play === 'sequence') expect(answers).toEqual(order)
          if (plan.play === 'parallel') expect(answers.toSorted()).toEqual(order.toSorted())
          if (plan.play === 'addressed') expect(answers[0]).toBe(order[0])
        }
      },
    ),
  )
})
