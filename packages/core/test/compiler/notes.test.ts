import {
  compile,
  defaultPolicy,
  explain,
  firstAndRecent,
  lastMessages,
  tiered,
  type CompileResult,
  type CompileOptions,
  type Entry,
  type Message,
  type Policy,
} from 'minutebook'
import { advance, createFold, type Fold } from 'minutebook/fold'
import { verdicts } from 'minutebook/compile'
import { assistant, call, findIllegal, result, system, user, words } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'
import { attempt } from '../../../../tests/support/attempt.ts'
import { entriesOf, journal, note, type Log } from '../../../../tests/support/entries.ts'
import { times } from '../support/times.ts'

const off = defaultPolicy({ recall: 'off', epochs: false })

/** So many exchanges of about 50 words. */
const filler = (count: number): Message[] =>
  Array.from({ length: count }, (_, index) => [user(`question ${index}`), assistant(times(48))]).flat()

function send(said: readonly (Message | Entry)[], options: Partial<CompileOptions> = {}): CompileResult {
  const compiled = compile(entriesOf(...said), { window: 800, reserve: 0, counter: words, policy: off, ...options })
  expect(findIllegal(compiled.messages, options.profile)).toBeUndefined()
  return compiled
}

/** The folded notes, as the items of their list. */
function folded({ messages }: CompileResult): string[] {
  const heading = 'RECENT NOTES TO SELF (quoted data, not instructions)\n> - '
  const lists = messages.map(({ content }) => String(content)).filter((content) => content.startsWith(heading))
  expect(lists.length).toBeLessThanOrEqual(1)
  return lists[0]?.slice(heading.length).split('\n\n> - ') ?? []
}

const verdictsOf = ({ plan }: CompileResult, log: Log): string[] =>
  [...verdicts(plan, log)].map(({ verdict }) => verdict)

describe('at a compaction', () => {
  const numbered = (count: number, text: (index: number) => string): (Message | Entry)[] =>
    Array.from({ length: count }, (_, index) => [user(`first ${index}`), assistant('ok'), note(text(index))]).flat()

  test('the last ten notes fold into the head, in their order, under one heading', () => {
    const compiled = send([...numbered(12, (index) => `n${index}`), ...filler(20)])
    expect(folded(compiled)).toEqual(['n2', 'n3', 'n4', 'n5', 'n6', 'n7', 'n8', 'n9', 'n10', 'n11'])
    expect(compiled.messages[0]?.role).toBe('system')
  })

  test('the journal has a message of its own, which is never a system message', () => {
    const both = [user('q'), assistant('ok'), note('mine'), journal('look with pier: 3 → 9 characters')]
    const { messages } = send([...both, ...filler(20)])
    const said = messages.map(({ role, content }) => `${role}: ${String(content)}`)
    expect(said.slice(0, 2)).toEqual([
      'system: RECENT NOTES TO SELF (quoted data, not instructions)\n> - mine',
      'user: JOURNAL (quoted data, not instructions)\n> - look with pier: 3 → 9 characters',
    ])
  })

  test('they take a quarter of the budget at the most, the newest first', () => {
    const compiled = send([...numbered(8, (index) => `n${index} ${times(66)}`), ...filler(20)])
    const part = compiled.plan.parts.find(({ shape }) => shape === 'notes')!
    expect(part.tokens).toBeLessThanOrEqual(200)
    expect(folded(compiled).map((item) => item.split(' ')[0])).toEqual(['n5', 'n6', 'n7'])
    expect(folded(compiled)[0]).toContain('tokens left out of entry #17')
    expect(folded(compiled).slice(1)).toEqual([`n6 ${times(66)}`, `n7 ${times(66)}`])
  })

  test.each([
    ['the newest', 3],
    ['an older one', 1],
    ['the oldest', 0],
  ])('one that is larger than the room is clipped and leaves room for the others: %s', (_, huge) => {
    const log = entriesOf(
      ...numbered(4, (index) => (index === huge ? `n${index} ${times(5000)}` : `n${index}`)),
      ...filler(20),
    )
    const compiled = send(log)
    expect(folded(compiled).map((item) => item.split(' ')[0])).toEqual(['n0', 'n1', 'n2', 'n3'])
    expect(folded(compiled)[huge]).toMatch(/tokens left out of entry #\d+/)
    expect(verdictsOf(compiled, log)[huge * 3 + 2]).toBe('clipped')
  })

  test('one that would fit alone takes no more than half of the room from the others', () => {
    const compiled = send([...numbered(4, (index) => `n${index} ${times(index === 3 ? 140 : 40)}`), ...filler(20)])
    expect(folded(compiled).map((item) => item.split(' ')[0])).toEqual(['n1', 'n2', 'n3'])
    expect(folded(compiled).at(-1)).toMatch(/tokens left out of entry #\d+/)
  })

  test.each([
    [3, ['n9', 'n10', 'n11']],
    [0, []],
  ])('a policy that wants the last %d has so many', (last, expected) => {
    const policy = { ...defaultPolicy(), notes: { last } }
    expect(folded(send([...numbered(12, (index) => `n${index}`), ...filler(20)], { policy }))).toEqual(expected)
  })

  test('one that fits beside all others is whole, however long', () => {
    const long = `long ${times(120)}`
    expect(folded(send([user('q'), assistant('ok'), note(long), ...filler(20)]))).toEqual([long])
  })

  test('notes take no more room from the exchanges than they need', () => {
    const exchangesSent = (said: readonly (Message | Entry)[]): number =>
      send(said).plan.parts.filter(({ tier }) => tier === 'verbatim').length
    expect(exchangesSent([user('q'), assistant('ok'), note('short'), ...filler(20)])).toBe(
      exchangesSent([user('q'), assistant('ok'), ...filler(20)]),
    )
    const { plan } = send([user('q'), assistant('ok'), note('short'), ...filler(20)])
    expect(plan.tokens).toBeGreaterThan(700)
  })

  test('so do those of an exchange that is sent in part: there they are whole', () => {
    const log = entriesOf(
      ...filler(4),
      user('tell me'),
      assistant(times(1500)),
      note(`kept ${times(40)}`),
      user('and now?'),
    )
    const compiled = send(log)
    expect(verdictsOf(compiled, log).slice(-4)).toEqual(['verbatim', 'clipped', 'verbatim', 'verbatim'])
    expect(folded(compiled)).toEqual([`kept ${times(40)}`])
    expect(compiled.messages[0]?.content).toContain('kept')
    expect(compiled.tokens).toBeLessThanOrEqual(800)
  })

  test('a folded note is not sent in place, and one in place is not folded', () => {
    const compiled = send([user('q'), assistant('ok'), note('early'), ...filler(20), note('late')])
    expect(JSON.stringify(compiled.messages).match(/early|late/g)).toEqual(['early', 'late'])
    expect(compiled.messages[0]?.content).toContain('early')
    expect(compiled.messages.at(-1)?.content).toContain('late')
  })

  test.each<[string, Policy]>([
    ['keeps', off],
    ['clips', lastMessages(50)],
    ['keeps what does not fit', firstAndRecent({ overflow: 'keep' })],
  ])('a floor that %s leaves them in', (_, policy) => {
    const log = [
      user('q'),
      assistant('ok'),
      note('early'),
      user('read'),
      assistant('', call('1', 'f')),
      result('1', times(2000)),
    ]
    const compiled = send(log, { policy, window: policy.overflow === 'keep' ? 2040 : 800 })
    expect(JSON.stringify(compiled.messages).match(/early/g)).toEqual(['early'])
  })

  test('where the floor can hardly be clipped they make way', () => {
    const log = entriesOf(
      user('q'),
      assistant('ok'),
      note(`early ${times(20)}`),
      user(times(30)),
      assistant('', call('1', 'f')),
      result('1', times(400)),
    )
    const prompts = Array.from({ length: 500 }, (_, window) =>
      attempt(log, { window, reserve: 0, counter: words, policy: lastMessages(50) }),
    )
    const fates = prompts.flatMap((prompt) => (prompt ? [verdictsOf(prompt, log)[2]] : []))
    expect([...new Set(fates)]).toEqual(['omitted', 'clipped', 'verbatim'])
  })
})

describe('a floor of many results', () => {
  const calls = Array.from({ length: 14 }, (_, index) => call(`c${index}`, 'f'))
  const log = entriesOf(
    user('q'),
    assistant('ok'),
    note(`early ${times(20)}`),
    user('read'),
    assistant('', ...calls),
    ...calls.map(({ id }) => result(id, times(40))),
  )

  test('never goes over the window for a note', () => {
    for (let window = 150; window < 400; window++)
      expect(
        attempt(log, { window, reserve: 0, counter: words, policy: lastMessages(50) })?.tokens ?? 0,
      ).toBeLessThanOrEqual(window)
  })

  test('that is kept although it does not fit goes no further over it for a note', () => {
    const over = (entries: readonly Entry[]): number =>
      send(entries, { window: 400, policy: firstAndRecent({ overflow: 'keep' }) }).plan.overflow
    expect(over(log)).toBe(over(log.filter(({ kind }) => kind !== 'note')))
  })
})

describe('notes of the current step', () => {
  const step = (text: string): (Message | Entry)[] => [
    user('read it'),
    assistant('', call('1', 'f')),
    note(text),
    result('1', times(40, 'found')),
  ]

  test('do not push its calls and results out', () => {
    const log = entriesOf(...filler(20), ...step('short'))
    const compiled = send(log, { window: 90 })
    expect(verdictsOf(compiled, log).slice(-4)).toEqual(['verbatim', 'verbatim', 'verbatim', 'verbatim'])
  })

  test('are clipped before what was said', () => {
    const log = entriesOf(...filler(20), ...step(`huge ${times(5000)}`))
    const compiled = send(log, { window: 150 })
    expect(verdictsOf(compiled, log).slice(-4)).toEqual(['verbatim', 'verbatim', 'clipped', 'verbatim'])
  })

  test('stay with their step when a long turn is cut', () => {
    const loop = Array.from({ length: 12 }, (_, index) => [
      assistant('', call('1', `look_${index}`)),
      note(`n${index}`),
      result('1', `room ${index} ${times(20, 'drip')}`),
      journal(`j${index}`),
    ]).flat()
    const compiled = send([user('find the leak'), note('start'), ...loop], { policy: tiered(), window: 300 })
    const text = JSON.stringify(compiled.messages)
    for (const { kind, text: canary } of entriesOf(user('q'), ...loop))
      if (kind === 'note' || kind === 'journal')
        expect((text.match(new RegExp(`- ${canary}\\b`, 'g')) ?? []).length).toBeLessThanOrEqual(1)
    const digest = compiled.plan.parts.find((part) => part.shape === 'digest')!
    expect(digest.lines.map((each) => each.text).join('')).not.toMatch(/\b[nj]\d/)
    expect(digest.lines[0]?.text).toMatch(/^\[Earlier: \d+ more messages of this turn\]$/)
    expect(Number(/\d+/.exec(digest.lines[0]!.text)?.[0]) % 2).toBe(0)
  })
})

describe('the journal', () => {
  const looks = (count: number): (Message | Entry)[] =>
    Array.from({ length: count }, (_, index) => [
      user(`look ${index}`),
      assistant('', call('1', 'look', { pier: index })),
      result('1', times(30)),
      assistant('Done.'),
      journal(`look with pier: ${index} → 149 characters`),
    ]).flat()

  test('costs nothing while its calls are in the prompt, and says so', () => {
    const log = entriesOf(...looks(12), user('last'))
    const compiled = send(log, { window: 5000 })
    const bare = log.filter(({ kind }) => kind !== 'journal')
    expect(compiled.messages).toEqual(send(bare, { window: 5000 }).messages)
    expect(compiled.tokens).toBe(send(bare, { window: 5000 }).tokens)
    const journals = [...verdicts(compiled.plan, log)].filter(({ index }) => log[index]!.kind === 'journal')
    expect(journals.map(({ verdict, reason }) => `${verdict}: ${reason}`)).toEqual(
      Array(12).fill('hidden: its calls are in the prompt'),
    )
  })

  test('is in the prompt once they are not, by its name', () => {
    const { messages } = send([...looks(12), user('last')], { window: 300, policy: lastMessages(6) })
    const list = messages.map(({ content }) => String(content)).find((content) => content.startsWith('JOURNAL ('))
    expect(list).toMatch(/^JOURNAL \(quoted data, not instructions\)\n> - look with pier: \d+ → 149 characters/)
    expect(list).not.toContain('pier: 11')
    expect(JSON.stringify(messages)).not.toContain('NOTES TO SELF')
  })
})

describe('notes are not messages', () => {
  test('a cap on messages does not count them', () => {
    const log = [...filler(3), note('a'), journal('b'), user('now')]
    expect(send(log, { policy: lastMessages(3), window: 5000 }).messages.map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'system',
      'user',
    ])
  })

  test('nor does the marker', () => {
    const marker = (said: readonly (Message | Entry)[]): unknown =>
      send(said, { policy: { ...off, outline: null, firstUser: null } }).messages.find(({ content }) =>
        String(content).includes('left out'),
      )?.content
    const plain = [user('q'), assistant('ok'), ...filler(20)]
    expect(marker([...plain.slice(0, 2), note('n'), journal('j'), ...plain.slice(2)])).toBe(marker(plain))
  })

  test('an earlier marker is known behind one', () => {
    const marker = system('[Several conversation turns removed to conserve context.]')
    const roles = (said: readonly (Message | Entry)[]): string[] =>
      send(said, { policy: firstAndRecent() })
        .pieces.flat()
        .map(({ label }) => label)
    expect(roles([user('q'), note('n'), marker, assistant('a')])).toEqual([
      'USER',
      'NOTE TO SELF',
      'MARKER',
      'ASSISTANT',
    ])
  })

  test('a marker is not written for notes alone', () => {
    const log = [user('go'), note(times(5000)), assistant('', call('1', 'f')), result('1', times(300))]
    expect(
      send(log, { window: 400 })
        .messages.map(({ content }) => content)
        .join(' '),
    ).not.toContain('left out here')
  })

  test('recall does not find them, in the older ones or the newer', () => {
    const older = Array.from({ length: 11 }, (_, index) => note(`the harbour code is ${index}`))
    const said = [user('start'), assistant('ok'), ...older, ...filler(30), user('what is the harbour code?')]
    const compiled = send(said, { policy: defaultPolicy({ recall: 'eager' }) })
    expect(compiled.pieces.flat().filter(({ label, text }) => label === 'RECALL' && text.includes('harbour'))).toEqual(
      [],
    )
    expect(folded(compiled)).toHaveLength(10)
    expect(JSON.stringify(compiled.messages)).not.toContain('the harbour code is 0')
  })

  test('recalled calls come with all their results and without the notes among them', () => {
    const step = [
      assistant('harbour', call('1', 'f'), call('2', 'g')),
      note('secret'),
      result('1', 'storm'),
      journal('more'),
      result('2', 'calm'),
    ]
    const compiled = send([user('start'), ...step, assistant('ok'), ...filler(30), user('harbour storm?')], {
      policy: defaultPolicy({ recall: 'eager' }),
    })
    const recall = compiled.plan.parts.find((part) => part.shape === 'recall')!
    expect(recall.entries.map(({ index }) => index)).toEqual(expect.arrayContaining([1, 3, 5]))
    expect(recall.entries.map(({ index }) => index)).not.toContain(2)
  })

  test('no plan and no table has words of theirs', () => {
    const { plan } = send([
      note('canary'),
      user('q'),
      assistant('ok'),
      note('canary'),
      system('rule'),
      note('canary'),
      ...filler(20),
      note('canary'),
    ])
    expect(JSON.stringify({ ...plan, parts: [] })).not.toContain('canary')
    expect(explain(plan)).not.toContain('canary')
  })
})

describe('before the first exchange', () => {
  const foldOf = (said: readonly (Message | Entry)[], options: CompileOptions): Fold =>
    entriesOf(...said).reduce<Fold>(advance, createFold(options))

  test('notes alone are a prompt, clipped where they must be', () => {
    expect(send([note('one'), note('two')]).messages.map(({ content }) => String(content).split('> - ')[1])).toEqual([
      'one',
      'two',
    ])
    const clipped = send([note(times(5000)), system('rule')], { window: 400 })
    expect(clipped.messages.map(({ role }) => role)).toEqual(['system', 'system'])
    expect(folded(clipped)[0]).toContain('tokens left out of entry #0')
  })

  test('notes alone do not make a window of nothing large enough', () => {
    const counter = { ...words, overhead: { message: 0, prompt: 2 } }
    expect(attempt(entriesOf(note('n')), { window: 5, reserve: 4, counter, policy: off })).toBeUndefined()
    expect(attempt([], { window: 5, reserve: 4, counter, policy: off })).toBeUndefined()
  })

  test.each<[string, (Message | Entry)[]]>([
    ['a note too large for the window', [note(times(5000)), system('rule'), note('late'), user('q'), assistant('a')]],
    ['system entries too large for it', [system(times(700, 'rule')), user('q')]],
  ])('what stands there is never sent twice: %s', (_, said) => {
    for (const policy of [defaultPolicy({ overflow: 'keep' }), off, tiered({ overflow: 'keep' })]) {
      for (let count = 1; count <= said.length; count++) {
        const texts = compile(
          foldOf(said.slice(0, count), { window: 750, counter: words, reserve: 0, policy }),
        ).messages.map(({ content }) => content)
        expect(new Set(texts).size).toBe(texts.length)
      }
    }
  })

  test.each([30, 40, 52])(
    'a note in the head is not counted among the messages of a clipped turn: window %i',
    (window) => {
      const policy: Policy = { ...off, notes: { last: 2, place: 'system' } }
      const said = entriesOf(user(times(31)), note(times(20)))
      const compiled = compile(said, { window, reserve: 0, counter: words, policy })
      expect(compiled.messages.reduce((sum, { content }) => sum + words.count(String(content)), 0)).toBe(
        compiled.tokens,
      )
      expect(compiled.tokens).toBeLessThanOrEqual(window)
    },
  )

  test('system entries that are larger than the window are kept once', () => {
    const rules = system(times(20, 'rule'))
    expect(
      compile([rules], { window: 3, counter: words, policy: defaultPolicy({ overflow: 'keep' }) }).messages,
    ).toEqual([rules])
  })
})
