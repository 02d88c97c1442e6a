import type { Kind, Message } from 'minutebook'
import { entryOf, mostFound, traits } from 'minutebook/store'
import { assistant, call, system, user } from '../builders.ts'
import { casesOf, chain, eachOf, equal, hang, talk, thread, upTo, write, type StoreCase } from './harness.ts'

/** Which entries a search looks at, in which order it finds them, and how many. */
export const searchCases: readonly StoreCase[] = [
  ...eachOf(
    'search',
    Object.keys(traits) as Kind[],
    (kind) => `an entry of the kind ${kind} is ${traits[kind].visible ? 'found' : 'never found'}`,
    async (kind, { store }) => {
      const [before] = talk(1)
      const said = kind === 'stop' ? '{"reason":"a canary"}' : 'a canary'
      const entry = traits[kind].chained
        ? entryOf({ role: traits[kind].role, content: said }, before, { kind })
        : hang(kind, said, before)
      await write(store, thread, [before!, entry])
      equal(
        (await store.search('canary')).map(({ id }) => id),
        traits[kind].visible ? [entry.id] : [],
        'what is found',
      )
      equal(
        (await store.search('canary', { thread })).length,
        traits[kind].visible ? 1 : 0,
        'how many are found in the thread',
      )
    },
  ),
  ...casesOf('search', {
    'finds feedback by its comment and its tags, with the entry that it is about and its writer': async ({ store }) => {
      const [asked, answered] = talk(2)
      const said = { rating: 'down', comment: 'Ferns want water', tags: ['facts'], by: 'ann', after: null }
      const feedback = entryOf({ role: 'system', content: JSON.stringify(said) }, answered, { kind: 'feedback' })
      await write(store, thread, [asked!, answered!, feedback])
      const about = {
        thread,
        id: feedback.id,
        seq: 2,
        text: 'Ferns want water\n#facts',
        about: answered!.id,
        by: 'ann',
      }
      equal(await store.search('water ferns'), [about], 'what is found by the comment')
      equal(await store.search('facts'), [about], 'what is found by the tag')
      equal(await store.search('ann'), [], 'what is found by the writer')
      equal(await store.search('rating'), [], 'what is found by the name of a field')
      await store.erase(thread, [answered!.id])
      equal(await store.search('ferns'), [], 'what is found of the erased')
    },
    'an empty store has nothing to find': async ({ store }) => {
      equal(await store.search('lamp'), [], 'what is found')
    },
    'the newest comes first': async ({ store }) => {
      await write(store, thread, talk(5))
      equal(
        (await store.search('message')).map(({ seq }) => seq),
        [4, 3, 2, 1, 0],
        'the seqs',
      )
    },
    'the newest comes first across threads': async ({ store }) => {
      await write(store, 'one', talk(1))
      await write(store, 'two', talk(2))
      await write(store, 'one', talk(3))
      equal(
        (await store.search('message')).map((found) => [found.thread, found.seq]),
        [
          ['one', 2],
          ['one', 1],
          ['two', 1],
          ['two', 0],
          ['one', 0],
        ],
        'what is found',
      )
    },
    'at most as many as asked for, the newest': async ({ store }) => {
      await write(store, thread, talk(10))
      equal(
        (await store.search('message', { limit: 3 })).map(({ seq }) => seq),
        [9, 8, 7],
        'the seqs',
      )
      equal((await store.search('message', { limit: 0 })).length, 0, 'none')
      equal((await store.search('message', { limit: 1000 })).length, 10, 'all')
    },
    'twenty by default': async ({ store }) => {
      await write(store, thread, talk(30))
      equal(
        (await store.search('message')).map(({ seq }) => seq),
        upTo(30).toReversed().slice(0, 20),
        'the seqs',
      )
    },
    'no more texts than fit into the memory': async ({ store }) => {
      await write(store, thread, chain(upTo(6).map((number) => user(`${number} ${'lamp '.repeat(mostFound / 18)}`))))
      equal(
        (await store.search('lamp')).map(({ seq }) => seq),
        [5, 4, 3, 2],
        'the seqs',
      )
    },
    'the first million characters of an entry': async ({ store }) => {
      await write(store, thread, chain([user(`early ${'lamp '.repeat(220_000)} late`)]))
      equal(
        [(await store.search('early')).map(({ text }) => text.length), await store.search('late')],
        [[1 << 20], []],
        'what is found',
      )
    },
    'only in the thread that is asked for': async ({ store }) => {
      await write(store, 'one', chain([user('a red lamp')]))
      await write(store, 'two', chain([user('a blue lamp')]))
      equal(
        (await store.search('lamp', { thread: 'one' })).map(({ text }) => text),
        ['a red lamp'],
        'what is found in the one',
      )
      equal(
        (await store.search('lamp', { thread: 'two' })).map(({ text }) => text),
        ['a blue lamp'],
        'what is found in the other',
      )
      equal(await store.search('lamp', { thread: 'three' }), [], 'what is found in a thread that is not there')
      equal((await store.search('lamp')).length, 2, 'how many are found in all')
    },
    'the limit counts entries of that thread': async ({ store }) => {
      await write(store, 'one', talk(3))
      await write(store, 'two', talk(50))
      equal(
        (await store.search('message', { thread: 'one', limit: 2 })).map((found) => [found.thread, found.seq]),
        [
          ['one', 2],
          ['one', 1],
        ],
        'what is found',
      )
    },
    "a thread's own name is not a word of its entries": async ({ store }) => {
      await write(store, 'lamp', chain([user('hello')]))
      equal(await store.search('lamp'), [], 'what is found')
    },
    'threads whose names begin alike are told apart': async ({ store }) => {
      for (const name of ['t', 't1', 't11', 'T1', 't1 ']) await write(store, name, chain([user('a lamp')]))
      equal(
        (await store.search('lamp', { thread: 't1' })).map((found) => found.thread),
        ['t1'],
        'what is found',
      )
    },
    'words in several parts are found together': async ({ store }) => {
      await write(
        store,
        thread,
        chain([
          {
            role: 'user',
            content: [
              { type: 'text', text: 'a red ' },
              { type: 'text', text: 'lamp' },
            ],
          },
        ]),
      )
      equal(
        (await store.search('red lamp')).map(({ text }) => text),
        ['a red lamp'],
        'what is found',
      )
    },
    'words of different entries are not found together': async ({ store }) => {
      await write(store, thread, chain([user('red'), assistant('lamp')]))
      equal(await store.search('red lamp'), [], 'what is found')
    },
    'arguments, reasoning, images and unknown fields are not searched': async ({ store }) => {
      const hidden = {
        ...assistant('shown', call('c', 'canary', { canary: 'canary' })),
        thinking: 'canary',
        images: ['canary'],
        custom: 'canary',
      }
      await write(store, thread, chain([hidden as Message]))
      equal(await store.search('canary'), [], 'what is found')
      equal((await store.search('shown')).length, 1, 'how many are found by the text')
    },
    'a note that a model left in its text is neither found nor shown': async ({ store }) => {
      await write(
        store,
        thread,
        chain([user('which lamp?'), assistant('The red one. [NOTE TO SELF: the canary likes red]')]),
      )
      equal(await store.search('canary'), [], 'what is found by a word of the note')
      equal(
        (await store.search('red')).map(({ text }) => text.includes('canary')),
        [false],
        'whether the note is shown',
      )
    },
    'all branches are searched': async ({ store }) => {
      const entries = talk(2)
      await write(store, thread, [
        ...entries,
        ...chain([user('a lamp')], entries[0]),
        ...chain([user('no lamp')], entries[1]),
      ])
      equal(
        (await store.search('lamp')).map(({ text }) => text),
        ['no lamp', 'a lamp'],
        'what is found',
      )
    },
    'partial and failed answers are found': async ({ store }) => {
      await write(store, thread, [entryOf(assistant('half a lamp'), undefined, { status: 'partial' })])
      equal((await store.search('lamp')).length, 1, 'how many are found')
    },
    'an imported tombstone is not found': async ({ store }) => {
      await write(store, thread, [entryOf(user('a lamp'), undefined, { status: 'erased' })])
      equal(await store.search('lamp'), [], 'what is found')
    },
    'a word in a million characters is found': async ({ store }) => {
      await write(store, thread, chain([user(`${'filler '.repeat(140_000)}needle ${'x'.repeat(10_000)}`)]))
      equal((await store.search('needle')).length, 1, 'how many are found')
      equal((await store.search('x'.repeat(10_000))).length, 1, 'how many are found by a very long word')
    },
    'a query of a thousand words is plain text too': async ({ store }) => {
      const words = upTo(1000)
        .map((index) => `word${index}`)
        .join(' ')
      await write(store, thread, chain([user(words)]))
      equal((await store.search(words)).length, 1, 'how many are found')
      equal((await store.search(`${words} another`)).length, 0, 'how many hold one word more')
    },
    'a system message is hidden from the search even when it is the newest': async ({ store }) => {
      await write(store, thread, chain([user('a lamp'), system('a lamp')]))
      equal(
        (await store.search('lamp', { limit: 1 })).map(({ seq }) => seq),
        [0],
        'what is found',
      )
    },
  }),
]
