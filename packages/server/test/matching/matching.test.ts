import type { Message } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { createRelaying, type Chat } from './support/relaying.ts'
import { stores } from './support/stores.ts'

const system = (content: string): Message => ({ role: 'system', content })
const ask = (content: string): Message => ({ role: 'user', content })
const answer = (content: string, more: object = {}): Message => ({ role: 'assistant', content, ...more })

/** A conversation by its words: questions and answers in turn, the last answer given by us. */
function chat(words: string, more: Partial<Chat> = {}): Chat {
  const all = words.split(' ').map((word, index) => (index % 2 === 0 ? ask(word) : answer(word)))
  return all.length % 2 === 0
    ? { messages: all.slice(0, -1), answer: all.at(-1)!, ...more }
    : { messages: all, ...more }
}
const called: Message = answer('', {
  tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'lamp', arguments: '{"on": true}' } }],
})
const calledByOllama: Message = answer('', { tool_calls: [{ function: { name: 'lamp', arguments: { on: true } } }] })
const minutes = 60_000

/**
 * What came before, what is asked, and where it goes: its kind, and the place of the chat in `given` whose thread it
 * is.
 */
type Row = readonly [name: string, given: readonly Chat[], asked: Chat, kind: string, thread?: number]

const rows: readonly Row[] = [
  ['nothing is known', [], chat('hi'), 'new'],
  ['extends a known line', [chat('hi Hello!')], chat('hi Hello! more'), 'continuation', 0],
  [
    'extends it after several turns',
    [chat('hi Hello!'), chat('hi Hello! a b')],
    chat('hi Hello! a b more'),
    'continuation',
    0,
  ],
  [
    'extends it with several messages',
    [chat('hi Hello!')],
    { messages: [ask('hi'), answer('Hello!'), ask('a'), ask('b')] },
    'continuation',
    0,
  ],
  ['extends it by another model', [chat('hi Hello!')], chat('hi Hello! more', { model: 'llama' }), 'continuation', 0],
  [
    'extends it with results',
    [{ messages: [ask('on')], answer: called }],
    { messages: [ask('on'), called, { role: 'tool', tool_call_id: 'call_1', content: 'ok' }] },
    'continuation',
    0,
  ],
  [
    'extends it through the other protocol',
    [{ messages: [ask('on')], answer: called }],
    { messages: [ask('on'), calledByOllama, { role: 'tool', tool_name: 'lamp', content: 'ok' }] },
    'continuation',
    0,
  ],
  [
    'a changed system message',
    [{ messages: [system('Monday'), ask('hi')], answer: answer('Hello!') }],
    { messages: [system('Tuesday'), ask('hi'), answer('Hello!'), ask('more')] },
    'continuation',
    0,
  ],
  [
    'stripped thinking',
    [{ messages: [ask('hi')], answer: answer('<think>hm</think>Hello!', { thinking: 'hm' }) }],
    chat('hi Hello! more'),
    'continuation',
    0,
  ],
  ['the last question is edited', [chat('hi Hello!'), chat('hi Hello! a b')], chat('hi Hello! c'), 'continuation', 0],
  [
    'diverges after a shared answer',
    [chat('hi Hello!'), chat('hi Hello! a b')],
    chat('hi Hello! a c more'),
    'branch',
    0,
  ],
  [
    'diverges early in a long line',
    [chat('hi Hello!')],
    chat(`hi Hello! ${Array.from({ length: 80 }, (_, index) => `x${index}`).join(' ')} more`),
    'branch',
    0,
  ],
  ['diverges before any shared answer', [chat('hi Hello!')], chat('hi Howdy! more'), 'new'],
  ['an earlier question is edited before any answer', [chat('hi Hello!')], chat('hey Hello! more'), 'new'],
  [
    'the same again with a known answer',
    [chat('hi Hello!'), chat('hi Hello! a b')],
    chat('hi Hello! a'),
    'continuation',
    0,
  ],
  ['the same again without one', [chat('hi Hello!')], chat('hi'), 'new'],
  ['the same again while nobody has answered', [chat('hi')], chat('hi'), 'new'],
  ['a retry', [chat('hi Hello!'), chat('hi Hello! a')], chat('hi Hello! a', { retry: true }), 'retry', 0],
  ['a retry of a first question', [chat('hi')], chat('hi', { retry: true, now: 14 * minutes }), 'retry', 0],
  ['a retry of a first question that has an answer', [chat('hi Hello!')], chat('hi', { retry: true }), 'retry', 0],
  ['a retry of a first question, much later', [chat('hi')], chat('hi', { retry: true, now: 16 * minutes }), 'new'],
  ['a retry of what never came', [chat('hey')], chat('hi', { retry: true }), 'new'],
  ['a retry of a history from elsewhere', [chat('x y z')], chat('x y z', { retry: true }), 'retry', 0],
  [
    'a retry of one of two alike, by model',
    [chat('hi'), chat('hi', { model: 'llama' })],
    chat('hi', { retry: true }),
    'retry',
    0,
  ],
  ['the same id', [chat('hi', { id: '1' })], chat('hi', { id: '1', now: 1e9 }), 'retry', 0],
  [
    'the same id in a known line',
    [chat('hi Hello!'), chat('hi Hello! a', { id: '1' })],
    chat('hi Hello! a', { id: '1' }),
    'retry',
    0,
  ],
  ['another id', [chat('hi', { id: '1' })], chat('hi', { id: '2' }), 'new'],
  ['the same id for something else', [chat('hi', { id: '1' })], chat('hey', { id: '1' }), 'new'],
  ['no id, and not said to be a retry', [chat('hi', { id: '1' })], chat('hi'), 'new'],
  ['the first messages are missing', [chat('hi Hello!'), chat('hi Hello! a b')], chat('a b more'), 'continuation', 0],
  [
    'they are missing up to an answer',
    [chat('hi Hello!'), chat('hi Hello! a b')],
    { messages: [answer('Hello!'), ask('a'), answer('b'), ask('more')] },
    'continuation',
    0,
  ],
  [
    'they are missing again',
    [chat('hi Hello!'), chat('hi Hello! a b'), chat('a b c d')],
    chat('c d more'),
    'continuation',
    0,
  ],
  [
    'they are missing, and an answer is another',
    [chat('hi Hello!'), chat('hi Hello! a b')],
    chat('a b c d more'),
    'branch',
    0,
  ],
  [
    'messages are missing from the middle',
    [chat('hi Hello!'), chat('hi Hello! a b'), chat('hi Hello! a b c d')],
    { messages: [ask('hi'), ask('c'), answer('d'), ask('more')] },
    'new',
  ],
  ['only an answer is left', [chat('hi Hello!')], { messages: [answer('Hello!'), ask('more')] }, 'new'],
  [
    'the end is the same, but not what was before',
    [chat('hi Hello!'), chat('hi Hello! a b')],
    chat('hey Howdy! a b more'),
    'new',
  ],
  ['the end is the same, but there was more before', [chat('a b')], chat('hey Howdy! a b more'), 'new'],
  [
    'the first message is there twice',
    [chat('hi Hello!')],
    { messages: [ask('hi'), ask('hi'), answer('Hello!'), ask('more')] },
    'new',
  ],
  [
    'what a client with less at the front says begins no line',
    [chat('x 1'), chat('x 1 p q'), chat('p q a b'), chat('p q'), chat('p q a b', { model: 'llama' })],
    chat('p q a b more'),
    'continuation',
    3,
  ],
  [
    'two have the same end',
    [chat('x 1'), chat('x 1 a b'), chat('y 2'), chat('y 2 a b')],
    chat('a b more'),
    'continuation',
    2,
  ],
  [
    'two have the same end, and the newer has another model',
    [chat('x 1'), chat('x 1 a b'), chat('y 2'), chat('y 2 a b', { model: 'llama' })],
    chat('a b more'),
    'continuation',
    0,
  ],
  [
    'two have the same end, and neither the model',
    [chat('x 1'), chat('x 1 a b'), chat('y 2'), chat('y 2 a b')],
    chat('a b more', { model: 'llama' }),
    'new',
  ],
  [
    'one is it from its beginning, another only ends so',
    [chat('a b'), chat('y 2'), chat('y 2 a b')],
    chat('a b more'),
    'continuation',
    0,
  ],
  [
    'two are it from their beginning, one that ends so has the model',
    [chat('a b'), chat('a b'), chat('y 2'), chat('y 2 a b', { model: 'llama' })],
    chat('a b more', { model: 'llama' }),
    'continuation',
    2,
  ],
  ['two began alike', [chat('hi Hello!'), chat('hi Hello!')], chat('hi Hello! more'), 'continuation', 1],
  [
    'two began alike, with other models',
    [chat('hi Hello!'), chat('hi Hello!', { model: 'llama' })],
    chat('hi Hello! more'),
    'continuation',
    0,
  ],
  [
    'two began alike, and neither with this model',
    [chat('hi Hello!'), chat('hi Hello!')],
    chat('hi Hello! more', { model: 'llama' }),
    'new',
  ],
  [
    'two that began alike have parted',
    [chat('hi Hello!'), chat('hi Hello! a b'), chat('hi Hello!'), chat('hi Hello! c d')],
    chat('hi Hello! a b more'),
    'continuation',
    1,
  ],
  ['another key', [chat('hi Hello!', { owner: 'ada' })], chat('hi Hello! more', { owner: 'bob' }), 'new'],
  [
    'another key, with less at the front',
    [chat('hi Hello! a b', { owner: 'ada' })],
    chat('a b more', { owner: 'bob' }),
    'new',
  ],
  [
    'another key that tries again',
    [chat('hi', { owner: 'ada', id: '1' })],
    chat('hi', { owner: 'bob', id: '1', retry: true }),
    'new',
  ],
  ['no key, after one', [chat('hi Hello!', { owner: 'ada' })], chat('hi Hello! more'), 'new'],
  ['examples from elsewhere before each question', [chat('x y z w')], chat('x y v'), 'new'],
  ['a named thread that is empty', [], chat('hi', { name: 'lamp' }), 'named'],
  [
    'a named thread from its first message',
    [chat('hi Hello!', { name: 'lamp' })],
    chat('hi Hello! more', { name: 'lamp' }),
    'named',
    0,
  ],
  [
    'a named thread from its first message, edited after',
    [chat('hi Hello!', { name: 'lamp' })],
    chat('hi Howdy! more', { name: 'lamp' }),
    'named',
    0,
  ],
  [
    'a named thread, with less at the front',
    [chat('hi Hello!', { name: 'lamp' }), chat('hi Hello! a b', { name: 'lamp' })],
    chat('a b more', { name: 'lamp' }),
    'named',
    0,
  ],
  [
    'one message for a named thread',
    [chat('hi Hello!', { name: 'lamp' })],
    chat('more', { name: 'lamp' }),
    'named alone',
    0,
  ],
  [
    'a history of another for a named thread',
    [chat('hi Hello!', { name: 'lamp' }), chat('x y')],
    chat('x y more', { name: 'lamp' }),
    'named alone',
    0,
  ],
  [
    'a named thread, with a system message in it as a user said it',
    [{ messages: [ask('Be brief'), ask('hi')], name: 'lamp' }],
    { messages: [system('Be brief'), ask('hi'), ask('more')], name: 'lamp' },
    'named',
    0,
  ],
  [
    'what was said to a named thread, without its name',
    [chat('hi Hello!', { name: 'lamp' })],
    chat('hi Hello! more'),
    'new',
  ],
  [
    'a question to a named thread, again without its name',
    [chat('hi', { name: 'lamp', id: '1' })],
    chat('hi', { id: '1', retry: true }),
    'new',
  ],
  [
    'what a named thread was told alone begins no line',
    [chat('hi Hello!', { name: 'lamp' }), chat('a b', { name: 'lamp' }), chat('a b', { model: 'llama' })],
    chat('a b more'),
    'continuation',
    2,
  ],
  [
    'an answer to no question',
    [{ messages: [system('Greet.')], answer: answer('Welcome!') }],
    { messages: [answer('Welcome!'), ask('more')] },
    'continuation',
    0,
  ],
  [
    'an answer to no question, in the midst of a thread',
    [chat('hi Hello!', { name: 'lamp' }), { messages: [system('Greet.')], answer: answer('Welcome!'), name: 'lamp' }],
    { messages: [answer('Welcome!'), ask('more')] },
    'new',
  ],
  [
    'a named thread of another key',
    [chat('hi Hello!', { owner: 'ada', name: 'lamp' })],
    chat('hi Hello! more', { owner: 'bob', name: 'lamp' }),
    'named',
  ],
  [
    'a named thread of another key, by its whole name',
    [chat('hi Hello!', { owner: 'ada', name: 'lamp' })],
    chat('hi Hello! more', { owner: 'bob', name: 'ada/lamp' }),
    'named',
  ],
  [
    'a named thread by its whole name',
    [chat('hi Hello!', { owner: 'ada', name: 'lamp' })],
    chat('hi Hello! more', { owner: 'ada', name: 'ada/lamp' }),
    'named',
    0,
  ],
]

describe.each(stores)('%s', (_, open) => {
  for (const [name, given, asked, kind, thread] of rows)
    test(name, async () => {
      const relay = createRelaying(open())
      const before: string[] = []
      for (const earlier of given) before.push((await relay(earlier)).thread)
      const found = await relay(asked)
      expect(found.alone ? `${found.kind} alone` : found.kind).toBe(kind)
      if (thread === undefined) expect(before).not.toContain(found.thread)
      else expect(found.thread).toBe(before[thread])
    })
})
