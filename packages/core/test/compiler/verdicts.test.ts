import { compile, defaultPolicy, explain, type CompileOptions, type Message } from 'minutebook'
import { verdictCounts } from 'minutebook/inspect'
import { verdicts, type Verdict } from 'minutebook/compile'
import { assistant, call, result, system, user, words } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'
import { countNotWhole, isWhole } from '../../src/compiler/verdict.ts'
import { entriesOf, note } from '../../../../tests/support/entries.ts'
import { times } from '../support/times.ts'

const off = defaultPolicy({ recall: 'off', epochs: false })
const options = (window: number): CompileOptions => ({ window, reserve: 0, counter: words, policy: off })

/** Exchanges of about 30 words, each about a town of its own. */
const towns = (count: number): Message[] =>
  Array.from({ length: count }, (_, index) => [
    user(`Tell me of town${index}.`),
    assistant(`Well, town${index} is ${times(25, 'pretty')}.`),
  ]).flat()

describe('a verdict', () => {
  const log = [system('Be brief.'), ...towns(80), user('And now?')]
  const { messages, plan } = compile(log, options(1400))
  const all = [...verdicts(plan, log)].map(({ verdict }) => verdict)
  const lines = messages
    .map(({ content }) => String(content))
    .find((text) => text.includes('in brief'))!
    .split('\n')
    .slice(1)
  const townsOf = (wanted: Verdict): number[] => [
    ...new Set(all.flatMap((verdict, index) => (verdict === wanted ? [Math.floor((index - 1) / 2)] : []))),
  ]

  test('is digested for exchanges that have a line of their own, and only for these', () => {
    const own = lines.filter((line) => line.includes('→'))
    expect(own.length).toBeGreaterThan(1)
    expect(
      townsOf('digested').map((town) => own.filter((line) => line.includes(`"Tell me of town${town}."`)).length),
    ).toEqual(own.map(() => 1))
  })

  test('is outlined for those that a line counts among others', () => {
    const counts = lines
      .filter((line) => !line.includes('→'))
      .map((line) => Number(/^\[Previous: (\d+) exchanges: /.exec(line)?.[1]))
    expect(townsOf('outlined').length).toBeGreaterThan(8)
    // The answer of the first exchange is outlined, its question pinned.
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(townsOf('outlined').length)
    expect(all[1]).toBe('verbatim')
    expect(explain(plan)).toMatch(/outlined +– {2}older, only counted\n/)
    expect(explain(plan)).toMatch(/digested +– {2}older, a line each/)
  })

  test('is omitted where no line has room', () => {
    const small = compile(log, options(120))
    expect(new Set([...verdicts(small.plan, log)].map(({ verdict }) => verdict))).toEqual(
      new Set(['verbatim', 'omitted']),
    )
    expect(JSON.stringify(small.messages)).not.toContain('town7.')
  })

  test('is omitted for a note that is not in the prompt, also among what is digested or outlined', () => {
    const noted = entriesOf(
      ...log.flatMap((message, index) => (index % 6 === 2 ? [message, note(`secret${index}.`)] : [message])),
    )
    const compiled = compile(noted, options(1400))
    const notes = [...verdicts(compiled.plan, noted)].filter(({ index }) => noted[index]!.kind === 'note')
    const untold = notes.filter(({ verdict }) => verdict === 'omitted')
    expect(notes.map(({ verdict }) => verdict)).toEqual(
      notes.map(({ index }) =>
        JSON.stringify(compiled.messages).includes(noted[index]!.text) ? 'verbatim' : 'omitted',
      ),
    )
    expect([untold.length > 1, verdictCounts(compiled.plan).omitted]).toEqual([true, untold.length])
    expect(explain(compiled.plan)).toContain(', without ')
  })

  test('says of the steps of a turn which have a line, and which are counted', () => {
    const turn = [
      user('Look it up.'),
      ...Array.from({ length: 30 }, (_, step) => [
        assistant('', call(`${step}`, 'look', { page: step })),
        result(`${step}`, `page${step} ${times(9, 'found')}`),
      ]).flat(),
    ]
    const compiled = compile(turn, options(200))
    const steps = [...verdicts(compiled.plan, turn)].map(({ verdict }) => verdict)
    const text = JSON.stringify(compiled.messages)
    expect(new Set(steps)).toEqual(new Set(['verbatim', 'outlined', 'digested']))
    expect(text).toContain(
      `[Earlier: ${steps.filter((verdict) => verdict === 'outlined').length} more messages of this turn]`,
    )
    for (const [index, verdict] of steps.entries())
      if (turn[index]!.role === 'tool') expect(text.includes(`page${index / 2 - 1} `)).toBe(verdict !== 'outlined')
  })

  test('that is not whole is counted as missing: all but verbatim, recalled and hidden, and no notes', () => {
    expect(
      (['verbatim', 'clipped', 'recalled', 'digested', 'outlined', 'omitted', 'hidden'] as const).filter(isWhole),
    ).toEqual(['verbatim', 'recalled', 'hidden'])
    const noted = entriesOf(...log.slice(0, 9), note(times(900)), ...log.slice(9))
    const compiled = compile(noted, options(600))
    const missing = noted.filter(
      ({ kind, text }) => kind !== 'note' && !compiled.messages.some(({ content }) => content === text),
    )
    expect(countNotWhole(compiled.plan)).toBe(missing.length)
  })
})

describe('what is left over of a window', () => {
  const verdictsAt = (log: readonly Message[], window: number): Verdict[] =>
    [...verdicts(compile(log, options(window)).plan, log)].map(({ verdict }) => verdict)

  test('is not lent to digests, which the next exchange would take away again in a larger window', () => {
    const log = [...towns(9), user('Tell me more.'), assistant(times(150)), ...towns(1), user('And now?')]
    const all = Array.from({ length: 450 }, (_, more) => verdictsAt(log, 120 + more))
    const digested = all.map(
      (each) => each.slice(1, 16).filter((verdict) => verdict !== 'outlined' && verdict !== 'omitted').length,
    )
    expect(digested).toEqual(digested.toSorted((one, other) => one - other))
    expect([digested[0], digested.at(-1)]).toEqual([0, 15])
  })
})

test('a quoted message with something attached is not whole: only its text is quoted', () => {
  const picture = { type: 'image_url', image_url: { url: 'data:image/png;base64,aaaa' } }
  const log = [
    user('Start of the garden plan.'),
    { role: 'user', content: [{ type: 'text', text: 'Here is the walrus photo of Ottilie.' }, picture] },
    assistant('A fine walrus.'),
    ...towns(80),
    user('What did the walrus photo of Ottilie show?'),
  ]
  const { plan, messages } = compile(log, { ...options(900), policy: defaultPolicy() })
  expect(messages.map(({ content }) => String(content)).join('\n')).toContain('> Here is the walrus photo')
  const found = [...verdicts(plan, log)].slice(1, 3).map(({ verdict, reason }) => [verdict, reason])
  expect(found).toEqual([
    ['clipped', 'matches the question, or adjacent, quoted without what is attached'],
    ['recalled', 'matches the question, or adjacent'],
  ])
})
