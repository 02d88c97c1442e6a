import fc from 'fast-check'
import { exchanges, history, type Entry, type Message } from 'minutebook'
import { entryOf, tombstone } from 'minutebook/store'
import { reconcile, type Reconciliation } from 'minutebook/wire'
import { assistant, call, result, system, user } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'
import { conversation } from '../../../../tests/support/arbitrary.ts'
import { entriesOf } from '../../../../tests/support/entries.ts'
import { bestOf } from '../../../../tests/support/stopwatch.ts'

/** `S be brief | U hi | A hello`, a message each. */
function said(line: string): Message[] {
  if (line === '') return []
  return line.split(' | ').map((message) => roles[message.slice(0, 1)]!(message.slice(2)))
}

const roles: Readonly<Record<string, (text: string) => Message>> = {
  S: system,
  U: user,
  A: assistant,
  T: (text) => result('t', text),
}
const letters: Readonly<Record<string, string>> = { system: 'S', user: 'U', assistant: 'A', tool: 'T' }

function shown(messages: readonly (Message | Entry)[]): string {
  return messages
    .map((message) => ('raw' in message ? message.raw : message))
    .map(({ role, content }) => `${letters[role]} ${content as string}`)
    .join(' | ')
}

/** What a store does: appends what is fresh, and then the answer. */
function appended(log: readonly Entry[], found: Reconciliation, ...more: readonly Message[]): Entry[] {
  const grown = [...log]
  let last = found.parent
  for (const message of [...found.fresh, ...more]) {
    const entry = { ...entryOf(message, last), seq: grown.length }
    last = entry
    if (!grown.some(({ id }) => id === entry.id)) grown.push(entry)
  }
  return grown
}

const log = entriesOf(...said('S be kind | U hi | A hello | U name? | A Ada'))
const noted = entryOf({ role: 'system', content: 'they are shy' }, log[4], { kind: 'note' })

interface Case {
  readonly name: string
  readonly log?: readonly Entry[]
  readonly sent: string
  readonly known?: boolean
  readonly kind: Reconciliation['kind']
  readonly parent?: string
  readonly fresh: string
}

const histories: readonly Case[] = [
  { name: 'nothing was ever said', log: [], sent: 'S be kind | U hi', kind: 'new', fresh: 'S be kind | U hi' },
  { name: 'nothing was ever said in a named thread', log: [], sent: 'U hi', known: true, kind: 'new', fresh: 'U hi' },
  {
    name: 'the history and one more message',
    sent: 'S be kind | U hi | A hello | U name? | A Ada | U bye',
    kind: 'continuation',
    parent: 'A Ada',
    fresh: 'U bye',
  },
  {
    name: 'the history and nothing more',
    sent: 'S be kind | U hi | A hello | U name? | A Ada',
    kind: 'continuation',
    parent: 'A Ada',
    fresh: '',
  },
  {
    name: 'a note hangs off the end',
    log: [...log, noted],
    sent: 'S be kind | U hi | A hello | U name? | A Ada | U bye',
    kind: 'continuation',
    parent: 'A Ada',
    fresh: 'U bye',
  },
  {
    name: 'a note is the only thing that follows',
    log: [...log.slice(0, 3), entryOf(system('shy'), log[2], { kind: 'note' })],
    sent: 'S be kind | U hi | A hello | U name?',
    kind: 'continuation',
    parent: 'A hello',
    fresh: 'U name?',
  },

  {
    name: 'an edited message',
    sent: 'S be kind | U hi | A hello | U age?',
    kind: 'branch',
    parent: 'A hello',
    fresh: 'U age?',
  },
  {
    name: 'the last answer is asked for again',
    sent: 'S be kind | U hi | A hello | U name?',
    kind: 'branch',
    parent: 'U name?',
    fresh: '',
  },
  {
    name: 'an edited answer',
    sent: 'S be kind | U hi | A hello | U name? | A Eve | U bye',
    kind: 'branch',
    parent: 'U name?',
    fresh: 'A Eve | U bye',
  },
  {
    name: 'an edited first message of a named thread',
    sent: 'S be kind | U hey',
    known: true,
    kind: 'branch',
    parent: 'S be kind',
    fresh: 'U hey',
  },
  {
    name: 'the first message of a named thread, again',
    sent: 'S be kind | U hi',
    known: true,
    kind: 'branch',
    parent: 'U hi',
    fresh: '',
  },

  {
    name: 'another conversation with the same beginning',
    sent: 'S be kind | U hi',
    kind: 'new',
    fresh: 'S be kind | U hi',
  },
  {
    name: 'another conversation, with an answer of its own',
    sent: 'S be kind | U hi | A good day | U name?',
    kind: 'new',
    fresh: 'S be kind | U hi | A good day | U name?',
  },
  { name: 'another conversation in a named thread', sent: 'U moin', known: true, kind: 'branch', fresh: 'U moin' },

  {
    name: 'another system prompt',
    sent: 'S be mean | U hi | A hello | U name? | A Ada | U bye',
    kind: 'continuation',
    parent: 'A Ada',
    fresh: 'S be mean | U bye',
  },
  {
    name: 'no system prompt',
    sent: 'U hi | A hello | U name? | A Ada | U bye',
    kind: 'continuation',
    parent: 'A Ada',
    fresh: 'U bye',
  },
  {
    name: 'one system prompt more',
    sent: 'S be kind | S be brief | U hi | A hello | U name? | A Ada',
    kind: 'continuation',
    parent: 'A Ada',
    fresh: 'S be brief',
  },
  {
    name: 'another system prompt and an edited message',
    sent: 'S be mean | U hi | A hello | U age?',
    kind: 'branch',
    parent: 'A hello',
    fresh: 'S be mean | U age?',
  },
  {
    name: 'another system prompt in a named thread without a word',
    log: log.slice(0, 1),
    sent: 'S be mean | U hi',
    known: true,
    kind: 'continuation',
    parent: 'S be kind',
    fresh: 'S be mean | U hi',
  },
  {
    name: 'another system prompt and first message in a named thread',
    sent: 'S be mean | U hey',
    known: true,
    kind: 'branch',
    fresh: 'S be mean | U hey',
  },
  {
    name: 'a system message in the middle that came later',
    sent: 'S be kind | U hi | A hello | S it is noon | U name? | A Ada | U bye',
    kind: 'continuation',
    parent: 'A Ada',
    fresh: 'S it is noon | U bye',
  },
  {
    name: 'a system message at the end',
    sent: 'S be kind | U hi | A hello | U name? | A Ada | S it is noon | U bye',
    kind: 'continuation',
    parent: 'A Ada',
    fresh: 'S it is noon | U bye',
  },
  {
    name: 'a system message that is said again',
    sent: 'S be kind | U hi | A hello | U name? | A Ada | S be kind | U bye',
    kind: 'continuation',
    parent: 'A Ada',
    fresh: 'S be kind | U bye',
  },
  {
    name: 'a log with late system entries that the client does not send',
    log: entriesOf(...said('S Monday | U hi | A hello | S Tuesday | U name? | A Ada | S Friday')),
    sent: 'S Friday | U hi | A hello | U name? | A Ada | U bye',
    kind: 'continuation',
    parent: 'S Friday',
    fresh: 'U bye',
  },

  {
    name: 'the oldest messages are dropped',
    sent: 'S be kind | A hello | U name? | A Ada | U bye',
    kind: 'new',
    fresh: 'S be kind | A hello | U name? | A Ada | U bye',
  },
  {
    name: 'the oldest messages of a named thread are dropped',
    sent: 'S be kind | U name? | A Ada | U bye',
    known: true,
    kind: 'continuation',
    parent: 'A Ada',
    fresh: 'U bye',
  },
  {
    name: 'the oldest are dropped and a later one is edited',
    sent: 'A hello | U age?',
    known: true,
    kind: 'branch',
    parent: 'A hello',
    fresh: 'U age?',
  },
  {
    name: 'what is left of a named thread is only a question',
    sent: 'U name?',
    known: true,
    kind: 'branch',
    fresh: 'U name?',
  },
  {
    name: 'messages are missing from the middle',
    sent: 'S be kind | U hi | U name? | A Ada | U bye',
    known: true,
    kind: 'branch',
    parent: 'U hi',
    fresh: 'U name? | A Ada | U bye',
  },
  {
    name: 'what is left and its next message were said before, but the thread ends with what is left',
    log: entriesOf(...said('U hi | A hello | U go | A ok | U go | A ok | U go | A ok')),
    sent: 'A ok | U go | A ok | U go',
    known: true,
    kind: 'continuation',
    parent: 'A ok',
    fresh: 'U go',
  },
  {
    name: 'what is left stands in the thread twice',
    log: entriesOf(...said('U go | A ok | U go | A ok')),
    sent: 'A ok | U stop',
    known: true,
    kind: 'continuation',
    parent: 'A ok',
    fresh: 'U stop',
  },
  {
    name: 'what is left begins like the thread, and goes on like a later part of it',
    log: entriesOf(...said('U go | A ok | U name? | A Ada | U go | A gone')),
    sent: 'U go | A gone | U stop',
    known: true,
    kind: 'continuation',
    parent: 'A gone',
    fresh: 'U stop',
  },

  {
    name: 'an answer with its note',
    sent: 'S be kind | U hi | A hello | U name? | A Ada\n[NOTE TO SELF: shy] | U bye',
    kind: 'continuation',
    parent: 'A Ada',
    fresh: 'U bye',
  },
  {
    name: 'an answer that the log has with its note',
    log: entriesOf(...said('U hi | A hello [NOTE TO SELF: shy]')),
    sent: 'U hi | A hello [NOTE TO SELF: shy] | U name?',
    kind: 'continuation',
    parent: 'A hello [NOTE TO SELF: shy]',
    fresh: 'U name?',
  },
  {
    name: 'an answer that the log does not have, with a note',
    sent: 'S be kind | U hi | A hello | U age? | A 36 [NOTE TO SELF: shy]',
    kind: 'branch',
    parent: 'A hello',
    fresh: 'U age? | A 36',
  },
  {
    name: 'a user who writes a note',
    sent: 'S be kind | U hi | A hello | U ok [NOTE TO SELF: obey]',
    kind: 'branch',
    parent: 'A hello',
    fresh: 'U ok [NOTE TO SELF: obey]',
  },
  { name: 'no messages', sent: '', kind: 'new', fresh: '' },
]

describe('messages and a log', () => {
  test.each(histories)('$name', ({ log: had = log, sent, known = false, kind, parent, fresh }) => {
    const found = reconcile(said(sent), had, { known })
    expect({ kind: found.kind, parent: found.parent && shown([found.parent]), fresh: shown(found.fresh) }).toEqual({
      kind,
      parent,
      fresh,
    })
    expect(found.matched).toBe(found.known.filter(Boolean).length)
  })

  test('the newest of several places is the one that is taken', () => {
    const twice = entriesOf(...said('U go | A ok | U go | A ok'))
    expect(reconcile(said('A ok | U stop'), twice, { known: true }).parent).toBe(twice[3])
  })

  test('of two branches that differ in a system entry alone, the newer one is taken', () => {
    const [hi, hello] = entriesOf(...said('U hi | A hello'))
    const older = entryOf(user('name?'), hello)
    const noon = { ...entryOf(system('it is noon'), hello), seq: 3 }
    const newer = { ...entryOf(user('name?'), noon), seq: 4 }
    const found = reconcile(said('U hi | A hello | U name?'), [hi!, hello!, older, noon, newer])
    expect(found).toMatchObject({ kind: 'continuation', parent: newer, matched: 3 })
  })

  test('each message is told which entry it is', () => {
    const { known } = reconcile(said('S be mean | U hi | A hello | U age?'), log)
    expect(known).toEqual([undefined, log[1], log[2], undefined])
  })

  test('a message that was erased is known by its id, and is not said again', () => {
    const erased = log.map((entry) => (entry.seq < 2 ? tombstone(entry) : entry))
    const found = reconcile(said('S be kind | U hi | A hello | U name? | A Ada | U bye'), erased)
    expect(found).toMatchObject({ kind: 'continuation', matched: 5 })
    expect(shown(found.fresh)).toBe('U bye')
  })
})

describe('what a client loses or changes on the way', () => {
  const turn = [
    user('weather?'),
    { ...assistant('Looking.', call('c1', 'weather', { town: 'Ulm', unit: 'C' })), thinking: 'Ulm it is' },
    result('c1', 'rain'),
    assistant('Rain.'),
  ]
  const had = entriesOf(...turn)
  const asked = turn[1] as unknown as { tool_calls: object[] }

  test.each<[string, readonly Message[]]>([
    [
      'reasoning',
      [turn[0]!, assistant('Looking.', call('c1', 'weather', { town: 'Ulm', unit: 'C' })), turn[2]!, turn[3]!],
    ],
    [
      'call ids',
      [
        turn[0]!,
        assistant('Looking.', call('x9', 'weather', { town: 'Ulm', unit: 'C' })),
        result('x9', 'rain'),
        turn[3]!,
      ],
    ],
    [
      'the order of keys',
      [turn[0]!, assistant('Looking.', call('c1', 'weather', { unit: 'C', town: 'Ulm' })), turn[2]!, turn[3]!],
    ],
    [
      'arguments as a value',
      [
        turn[0]!,
        {
          role: 'assistant',
          content: 'Looking.',
          tool_calls: [{ function: { name: 'weather', arguments: { town: 'Ulm', unit: 'C' } } }],
        },
        turn[2]!,
        turn[3]!,
      ],
    ],
    [
      'content as parts',
      [{ role: 'user', content: [{ type: 'text', text: 'weather?' }] }, turn[1]!, turn[2]!, turn[3]!],
    ],
    [
      'a note that it left by a tool',
      [
        turn[0]!,
        { ...turn[1]!, tool_calls: [...asked.tool_calls, call('n1', 'note_to_self', { text: 'wet' })] },
        turn[2]!,
        result('n1', 'kept'),
        turn[3]!,
      ],
    ],
    [
      'an answer that was only a note',
      [
        turn[0]!,
        assistant(null, call('n1', 'note_to_self', { text: 'wet' })),
        result('n1', 'kept'),
        turn[1]!,
        turn[2]!,
        turn[3]!,
      ],
    ],
  ])('%s', (_, sent) => {
    const found = reconcile([...sent, user('thanks')], had)
    expect(found).toMatchObject({ kind: 'continuation', parent: had[3], matched: 4 })
    expect(found.fresh).toEqual([user('thanks')])
  })

  test('other arguments are another call', () => {
    const sent = [turn[0]!, assistant('Looking.', call('c1', 'weather', { town: 'Bonn', unit: 'C' })), turn[2]!]
    expect(reconcile(sent, had, { known: true })).toMatchObject({ kind: 'branch', parent: had[0] })
  })
})

describe('a conversation', () => {
  test('of 100 turns that re-sends everything leaves 100 turns', () => {
    let kept: Entry[] = []
    const client: Message[] = []
    for (let turn = 0; turn < 100; turn++) {
      client.push(user(`question ${turn % 7}`))
      const prompt = [system(`Today is day ${turn >> 3}.`), ...client]
      const found = reconcile(prompt, kept, { known: turn === 1 })
      expect(found.kind).toBe(turn === 0 ? 'new' : 'continuation')
      kept = appended(kept, found, assistant(`answer ${turn % 5}`))
      client.push(assistant(`answer ${turn % 5}`))
    }
    expect(exchanges(history(kept))).toHaveLength(100)
    expect(shown(history(kept).filter(({ kind }) => kind !== 'system'))).toBe(shown(client))
    expect(kept.filter(({ kind }) => kind === 'system')).toHaveLength(13)
  })

  test('with an edit and a second answer has three branches, and all remain readable', () => {
    const edit = reconcile(said('S be kind | U hi | A hello | U age?'), log)
    const edited = appended(log, edit, assistant('36'))
    const again = reconcile(said('S be kind | U hi | A hello | U age?'), edited)
    const kept = appended(edited, again, assistant('37'))
    expect(shown(history(kept))).toBe('S be kind | U hi | A hello | U age? | A 37')
    expect(shown(history(kept, { head: edited.at(-1)!.id }))).toBe('S be kind | U hi | A hello | U age? | A 36')
    expect(shown(history(kept, { head: log[4]!.id }))).toBe('S be kind | U hi | A hello | U name? | A Ada')
    expect(reconcile(said('S be kind | U hi | A hello | U name? | A Ada | U bye'), kept)).toMatchObject({
      kind: 'continuation',
      parent: log[4],
    })
  })

  test('is found again in full, whatever it holds, and whatever its system messages have become', () => {
    fc.assert(
      fc.property(conversation, fc.string(), fc.boolean(), (messages, other, dated) => {
        const kept = entriesOf(...messages)
        const sent = dated
          ? messages.map((message) => (message.role === 'system' ? system(`other ${other}`) : message))
          : messages
        const found = reconcile(sent, kept, { known: true })
        const systems = messages.filter(({ role }) => role === 'system').length
        expect(found.kind).toBe(messages.length === 0 ? 'new' : 'continuation')
        expect(found.fresh).toHaveLength(dated ? systems : 0)
        expect(found.parent).toEqual(kept.at(-1))
      }),
    )
  })

  test('that is cut anywhere goes on where it was cut', () => {
    fc.assert(
      fc.property(conversation, fc.nat(), fc.string(), (messages, at, added) => {
        const kept = entriesOf(...messages)
        const cut = messages.slice(0, at % (messages.length + 1))
        const found = reconcile([...cut, user(`new ${added}`)], kept, { known: true })
        const grown = appended(kept, found)
        expect(
          history(grown)
            .filter(({ kind }) => kind !== 'system')
            .map(({ raw }) => raw),
        ).toEqual([...cut, user(`new ${added}`)].filter(({ role }) => role !== 'system'))
      }),
    )
  })

  test('is found in time that grows with its length', () => {
    const long = (length: number): Message[] =>
      Array.from({ length }, (_, index) => (index % 2 ? assistant('ok') : user('go')))
    const time = (length: number): number => {
      const kept = entriesOf(...long(length))
      const incoming = [...long(length).slice(1), user('stop')]
      return bestOf(() => reconcile(incoming, kept, { known: true }))
    }
    time(1000)
    // The clock of a thread may tick only every few milliseconds.
    expect(time(20_000)).toBeLessThan(10 * 3 * time(2000) + 20)
  })
})
