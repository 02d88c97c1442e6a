import {
  compile,
  defaultPolicy,
  defineDigester,
  defineTool,
  firstAndRecent,
  lastMessages,
  memoryStore,
  openBook,
  tiered,
  type Model,
} from 'minutebook'
import { withShares } from 'minutebook/inspect'
import { createFold } from 'minutebook/fold'
import { user } from '@minutebook/testing'
import { describe, expect, test } from 'vitest'
import { namedModel } from '../../../../tests/support/relays.ts'
import { refusal } from '../../../../tests/support/refusal.ts'

// What callers get whose types nobody checks.

/** A value as JavaScript passes it, where TypeScript would not. */
const untyped = <T = never>(value: unknown): T => value as T

const first = <T>(events: AsyncIterable<T>): Promise<unknown> => events[Symbol.asyncIterator]().next()

const model: Model = namedModel()
const store = memoryStore()
const book = openBook({ store, model, window: 1000 })
const thread = book.thread('t')
const stateless = openBook({ model, window: 1000 })

describe('an option that is misspelt is refused, and the right one is named', () => {
  test.each<[string, () => unknown, string]>([
    ['compile', () => compile([user('q')], untyped({ window: 99, polcy: tiered() })), 'policy'],
    ['a fold', () => createFold(untyped({ window: 99, reserved: 3 })), 'reserve'],
    ['a fold that is compiled again', () => compile(createFold({ window: 99 }), untyped({ counters: 1 })), 'counter'],
    ['defaultPolicy', () => defaultPolicy(untyped({ recal: 'off' })), 'recall'],
    ['lastMessages', () => lastMessages(2, untyped({ overflw: 'keep' })), 'overflow'],
    ['firstAndRecent', () => firstAndRecent(untyped({ overFlow: 'keep' })), 'overflow'],
    ['tiered', () => tiered(untyped({ lines: 5 })), 'line'],
    ['withShares', () => withShares(tiered(), untyped({ outlines: 0.2 })), 'outline'],
    ['openBook', () => openBook(untyped({ store, model, windw: 99 })), 'window'],
    ['openBook without a store', () => openBook(untyped({ stroe: store, model })), 'store'],
    ['a thread', () => book.thread('t', untyped({ widow: 99 })), 'window'],
    ['send', () => thread.send('Hello', untyped({ ifbusy: 'queue' })), 'ifBusy'],
    ['edit', () => thread.edit('id', 'Hello', untyped({ speeker: 'ann' })), 'speaker'],
    ['retry', () => thread.retry(untyped({ temprature: 1 })), 'temperature'],
    ['resume', () => thread.resume(untyped({ signals: 1 })), 'signal'],
    ['decide', () => thread.decide('a.0', { do: 'run' }, untyped({ mayapprove: false })), 'mayApprove'],
    ['answer', () => stateless.answer([user('q')], untyped({ trusts: 'results' })), 'trust'],
  ])('%s', (_, call, meant) => {
    const error = refusal(call)
    expect([error.code, error.fix]).toEqual(['invalid_options', expect.stringContaining(`Did you mean ${meant}?`)])
  })

  test.each<[string, () => Promise<unknown>, string]>([
    ['ask', () => thread.ask('Hello', untyped({ stops: ['x'] })), 'stop'],
    ['work', () => book.work(untyped({ onErrors: () => undefined })), 'onError'],
    ['watch', () => first(thread.watch(untyped({ untill: 'rest' }))), 'until'],
    ['prune', () => first(book.prune(untyped({ unwrittenSince: new Date(0), dryrun: true }))), 'dryRun'],
  ])('%s', async (_, call, meant) => {
    await expect(call()).rejects.toMatchObject({
      code: 'invalid_options',
      fix: expect.stringContaining(`Did you mean ${meant}?`),
    })
  })

  test('by defineDigester and defineTool with a code of their own', () => {
    const digester = refusal(() => defineDigester(untyped({ id: 'x@1', tools: 'y', digest: () => 'z' })))
    expect([digester.code, digester.problem]).toEqual(['invalid_digester', expect.stringContaining('no field tools')])
    const tool = refusal(() => defineTool(untyped({ name: 'pay', approves: true, run: () => 'paid' })))
    expect([tool.code, tool.problem]).toEqual(['invalid_tool', expect.stringContaining('no field approves')])
  })
})

test('a text is no list of messages to import', async () => {
  await expect(thread.importMessages(untyped('Hello'))).rejects.toMatchObject({
    code: 'invalid_messages',
    fix: 'Pass an array of messages.',
  })
})

test('an option without a value counts as not given, whatever its name', () => {
  expect(compile([user('q')], untyped({ window: 99, polcy: undefined })).messages).toHaveLength(1)
  expect(book.thread('t', untyped({ widow: undefined })).id).toBe('t')
})

describe('a value of another type is refused where it is passed', () => {
  test.each<[string, () => unknown, string]>([
    ['a number for a preset', () => tiered(untyped(2)), 'got 2'],
    ['a text for a preset', () => lastMessages(5, untyped('keep')), 'got the text "keep"'],
    ['a list for a preset', () => tiered(untyped([2])), 'no option 0'],
    ['no number of messages', () => lastMessages(untyped(undefined)), 'got undefined'],
    ['a text for a number of messages', () => lastMessages(untyped('5')), 'got the text "5"'],
    ['an object for a list of digesters', () => compile([user('q')], untyped({ window: 99, digesters: {} })), 'a list'],
    ['an object for a list of tools', () => compile([user('q')], untyped({ window: 99, tools: {} })), 'a list'],
    ['an object for the tools of a book', () => openBook(untyped({ store, model, tools: { pay: 1 } })), 'a list'],
    ['nothing for a change of a policy', () => withShares(tiered(), untyped(undefined)), 'got undefined'],
    ['a number for options of compile', () => compile([user('q')], untyped(4096)), 'got 4096'],
    ['no options of a book', () => openBook(untyped(undefined)), 'got undefined'],
    ['true for notes', () => openBook(untyped({ store, model, notes: true })), 'notes is true'],
    ['true for notes of a thread', () => book.thread('t', untyped({ notes: true })), 'notes is true'],
    ['an unknown form of notes', () => book.thread('t', untyped({ notes: { form: 'tool' } })), 'notes is'],
    ['a name for a model', () => openBook(untyped({ store, model: 'gemma3:4b' })), 'model is the text "gemma3:4b"'],
    ['a name for a model of a book without a store', () => openBook(untyped({ model: 'gemma3:4b' })), 'model is'],
    ['a name for a model of a thread', () => book.thread('t', untyped({ model: 'gemma3:4b' })), 'model is'],
  ])('%s', (_, call, problem) => {
    const error = refusal(call)
    expect([error.code, error.problem]).toEqual(['invalid_options', expect.stringContaining(problem)])
    expect(error.fix).not.toBe('')
  })
})

test.each<[string, () => unknown]>([
  ['a thread of a book without one', () => untyped<typeof book>(stateless).thread('t')],
  ['notes without one', () => openBook(untyped({ model, notes: 'block' }))],
  ['a path instead of one', () => openBook(untyped({ store: './book.db', model }))],
  ['a promise of one', () => openBook(untyped({ store: Promise.resolve(store), model }))],
])('%s: the error asks for a store', (_, call) => {
  expect(refusal(call)).toMatchObject({ code: 'needs_store', fix: expect.stringContaining('memoryStore()') })
})
