import fc from 'fast-check'
import { localFeed } from 'minutebook'
import type { LiveText, FeedEvent } from 'minutebook/store'
import { describe, expect, test } from 'vitest'
import { createReading, type FollowEvent, type LiveTextReader } from '../../src/turns/feed.ts'

const piece = (start: number, offset: number, text: string, term = 1): LiveText => ({
  type: 'text',
  turn: 'u',
  term,
  start,
  offset,
  text,
})
const brief = (shown: readonly FollowEvent[]): string =>
  shown.map((each) => (each.type === 'reset' ? '|' : each.text)).join('')

describe('the text of a turn', () => {
  test.each<[string, string, (reading: LiveTextReader) => FollowEvent[][]]>([
    [
      'as it is told',
      'One two.',
      (r) => [r.hear(piece(0, 0, 'One ')), r.hear(piece(0, 4, 'two.')), r.read('One two.'), r.end()],
    ],
    ['as it is on record, where nothing is told', 'One two.', (r) => [r.read('One '), r.read('One two.'), r.end()]],
    [
      'told twice',
      'One two.',
      (r) => [r.hear(piece(0, 0, 'One two')), r.hear(piece(0, 0, 'One ')), r.hear(piece(0, 3, ' two.'))],
    ],
    ['told late', 'One two.', (r) => [r.read('One two.'), r.hear(piece(0, 4, 'two.')), r.end()]],
    [
      'of the next call, told before the record is read',
      'One.Two.',
      (r) => [r.hear(piece(0, 0, 'One.')), r.hear(piece(4, 4, 'Two.')), r.read('One.'), r.goOn()],
    ],
    ['with a piece that was lost', 'One ', (r) => [r.hear(piece(0, 0, 'One ')), r.hear(piece(0, 8, 'three'))]],
    [
      'with a piece that was lost and told again',
      'One two three',
      (r) => [r.hear(piece(0, 0, 'One ')), r.hear(piece(0, 8, 'three')), r.hear(piece(0, 0, 'One two three'))],
    ],
    [
      'by another runner',
      'One |Uno dos.',
      (r) => [
        r.hear(piece(0, 0, 'One ')),
        r.hear(piece(0, 0, 'Uno ', 2)),
        r.hear(piece(0, 4, 'two', 1)),
        r.hear(piece(0, 4, 'dos.', 2)),
      ],
    ],
    [
      'by another runner, after what is on record',
      'One.Two|One.Dos',
      (r) => [r.read('One.'), r.hear(piece(4, 4, 'Two')), r.hear(piece(4, 4, 'Dos', 2))],
    ],
    [
      'by a runner whom nobody heard',
      'One |Uno.',
      (r) => [r.hear(piece(0, 0, 'One ')), r.enter(2), r.read('Uno.'), r.end()],
    ],
    ['that was not what is on record', 'One two|One', (r) => [r.hear(piece(0, 0, 'One two')), r.read('One'), r.end()]],
    ['that is another than what is on record', 'One|Two', (r) => [r.hear(piece(0, 0, 'One')), r.read('Two')]],
  ])('%s', (_, expected, tell) => {
    expect(brief(tell(createReading()).flat())).toBe(expected)
  })

  test.each<[string, number, number, string]>([
    ['goes on', 1, 4, 'two.'],
    ['has it all', 1, 8, ''],
    ['has another runner’s', 0, 4, '|One two.'],
    ['has read nothing', 0, 0, 'One two.'],
    ['has more than there is', 1, 9, '|One two.'],
  ])('for one who %s', (_, term, offset, expected) => {
    const reading = createReading({ term, offset })
    expect(
      brief([
        ...reading.hear(piece(0, 0, 'One ')),
        ...reading.hear(piece(0, 4, 'two.')),
        ...reading.read('One two.'),
        ...reading.end(),
      ]),
    ).toBe(expected)
  })

  test('knows when it must read on, or ask', () => {
    const reading = createReading()
    reading.hear(piece(0, 0, 'One'))
    expect(reading.isBehind).toBe(false)
    reading.hear(piece(0, 5, 'x'))
    expect(reading.isBehind).toBe(true)
    reading.hear(piece(0, 0, 'One two'))
    expect(reading.isBehind).toBe(false)
    reading.hear(piece(7, 7, 'Two'))
    expect(reading.isBehind).toBe(true)
    reading.read('One two')
    expect(reading.isBehind).toBe(false)
  })
})

/**
 * One runner's work: what its calls say, each in pieces. Where it is not the last, it dies in the middle of the last
 * one.
 */
const calls = fc.array(fc.array(fc.string({ minLength: 1, maxLength: 4 }), { maxLength: 4 }), {
  minLength: 1,
  maxLength: 4,
})
const runners = fc.array(calls, { minLength: 1, maxLength: 3 })
/** For each piece: whether it is lost; how many times the record is read after it. */
const weather = fc.infiniteStream(fc.record({ lost: fc.boolean(), read: fc.boolean(), asked: fc.boolean() }))

test('whatever is lost, whoever takes over: what is shown after the last reset is the text on record, and so for those who go on from anywhere', () => {
  fc.assert(
    fc.property(runners, weather, fc.nat(40), fc.nat(1), (work, sky, cut, later) => {
      const shown: FollowEvent[] = []
      const readings = [{ reading: createReading(), base: '', shown }]
      const tell = (act: (reading: LiveTextReader) => FollowEvent[]): void => {
        for (const each of readings) each.shown.push(...act(each.reading))
      }
      let recorded = ''
      let steps = 0
      for (const [term, texts] of work.entries()) {
        for (const [number, pieces] of texts.entries()) {
          const start = recorded.length
          let said = ''
          for (const text of pieces) {
            const { lost, read, asked } = sky.next().value
            if (!lost) tell((reading) => reading.hear(piece(start, start + said.length, text, term)))
            said += text
            if (read) tell((reading) => reading.read(recorded))
            if (asked) tell((reading) => reading.hear(piece(start, start, said, term)))
            // Someone's connection breaks, and they go on from what they have.
            if (++steps === cut) readings.push(resumed(shown))
          }
          const dies = term < work.length - 1 && number === texts.length - 1
          if (!dies) recorded += said
        }
      }
      // The record is always read to its end; by then the next turn may have begun.
      const latest = work.length - 1 + later
      tell((reading) => reading.doubt(latest))
      tell((reading) => reading.read(recorded))
      tell((reading) => reading.end())
      for (const each of readings) expect(textOf(each.shown, each.base)).toBe(recorded)
    }),
  )
})

function resumed(shown: readonly FollowEvent[]): { reading: LiveTextReader; base: string; shown: FollowEvent[] } {
  const base = textOf(shown, '')
  const last = shown.at(-1)
  const position = { term: last?.term ?? 0, offset: base.length }
  return { reading: createReading(position), base, shown: [] }
}

/** What stands on a screen that showed `base` before. */
function textOf(shown: readonly FollowEvent[], base: string): string {
  let text = base
  for (const each of shown) {
    if (each.type === 'text') expect(each.offset).toBe(text.length)
    text = each.type === 'reset' ? '' : text + each.text
  }
  return text
}

describe('a feed of one process', () => {
  test('tells those who listen to the thread, until they stop', async () => {
    const feed = localFeed()
    const heard: FeedEvent[][] = [[], []]
    const [one, other] = [
      await feed.listen('t', (news) => heard[0]!.push(news)),
      await feed.listen('t', (news) => heard[1]!.push(news)),
    ]
    feed.publish('t', { type: 'grown' })
    feed.publish('other', { type: 'grown' })
    one()
    one()
    feed.publish('t', { type: 'asked' })
    other()
    feed.publish('t', { type: 'grown' })
    expect(heard).toEqual([[{ type: 'grown' }], [{ type: 'grown' }, { type: 'asked' }]])
  })
})
