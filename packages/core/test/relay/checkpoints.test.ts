import fc from 'fast-check'
import { memoryStore, MinutebookError, type Entry, type Message, type Relay, type Store, type Thread } from 'minutebook'
import { describe, expect, test } from 'vitest'
import { pinnedIn } from '../../src/log/pins.ts'
import { added, endOf, sentBy, stepOf, tools, type Step, type Wire } from '../support/clients.ts'
import { readers } from '../support/everything.ts'
import { namedModel, relayBook, said } from '../../../../tests/support/relays.ts'
import { cases, withSure } from '../../../../tests/support/runs.ts'

/**
 * What a client does next to its steps: several at once, a summary instead of what it said, another system text; it goes
 * back to how the chat began, or to an older part of it. Someone else pins what was said, and unpins it.
 */
interface Doing extends Step {
  readonly more:
    | 'nothing'
    | 'at once'
    | 'compact'
    | 'system'
    | 'erase'
    | 'send again'
    | 'stay'
    | 'begin'
    | 'older'
    | 'pin'
    | 'unpin'
  readonly anew: boolean
}

const doing = fc
  .tuple(
    stepOf('openai'),
    fc.constantFrom<Doing['more']>(
      ...(['nothing', 'nothing', 'nothing', 'nothing', 'nothing', 'nothing'] as const),
      ...(['at once', 'compact', 'system', 'erase', 'send again', 'stay', 'begin', 'older', 'older'] as const),
      ...(['pin', 'pin', 'unpin'] as const),
    ),
    fc.boolean(),
  )
  .map(([step, more, anew]): Doing => ({ ...step, more, anew }))

/** Most clients do the same in all their chat: it is drawn once, and changed now and then. */
const chat = fc
  .tuple(stepOf('openai'), fc.array(fc.tuple(doing, fc.nat({ max: 7 })), { minLength: 2, maxLength: 8, size: 'max' }))
  .map(([usual, all]) =>
    all.map(([step, odds], day): Doing => {
      const { add, answer, more, anew } = step
      if (odds < 2) return step
      return {
        ...step,
        add: add === 'late system' || add === 'prefill' ? 'user' : add,
        edit: undefined,
        alone: usual.alone,
        onlySent: usual.onlySent,
        id: undefined,
        way: usual.way,
        trusted: usual.trusted,
        answer: answer ?? { role: 'assistant', content: `Answer ${day}` },
        text: `${step.text} ${day}`,
        more,
        anew,
      }
    }),
  )

interface Played {
  readonly log: readonly string[]
  readonly told: readonly unknown[]
}

async function tried<T>(work: Promise<T>): Promise<T | string> {
  try {
    return await work
  } catch (error) {
    if (MinutebookError.isInstance(error)) return error.code
    throw error
  }
}

/** Plays a chat, and returns its log with all that its client and its caller were told. */
async function played(
  steps: readonly Doing[],
  window: number,
  checkpointEvery: number,
  store: Store = memoryStore(),
): Promise<Played> {
  const told: unknown[] = []
  let system: string | undefined
  let kept: Message[] = []
  let held: Thread | undefined
  const open = (): Thread =>
    relayBook(
      { window, reserve: 10, model: namedModel('openai'), checkpointEvery, system, clock: readers.clock },
      store,
    ).thread('t')
  // A chat that says the same again and again.
  for (let day = 0; day < 20; day++) {
    kept.push({ role: 'user', content: day === 3 ? 'Only once' : `Go ${day % 3}` })
    const opening: Message = { role: 'system', content: day < 4 ? 'Be kind.' : 'Be brief.' }
    const relay = await open().relay([opening, ...kept.slice(-5)], { trusted: true })
    await relay.answer(said(`Done ${day % 3}`))
    kept.push({ role: 'assistant', content: `Done ${day % 3}` })
  }
  for (const [day, step] of steps.entries()) {
    if (step.more === 'system') [system, held] = [`Be day ${day % 2}.`, undefined]
    const thread: Thread = step.anew ? open() : (held ??= open())
    const wire: Wire = 'openai'
    const fresh = added(kept, step, wire)
    if (step.edit !== undefined && kept.length > step.edit)
      kept = [...kept.slice(0, step.edit), { role: 'user', content: `Edited ${day}` }]
    if (step.more === 'compact') kept = [{ role: 'user', content: `A summary of ${kept.length}` }, ...kept.slice(-2)]
    if (step.more === 'begin') kept = kept.slice(0, 4)
    if (step.more === 'older') kept = kept.slice(day % 9, (day % 9) + 4)
    kept.push(...fresh)
    const messages = step.alone ? (fresh.length > 0 ? fresh : kept.slice(-1)) : sentBy(kept, step.way, day)
    const { trusted, alone, onlySent, id } = step
    const stabilise = step.way.dated ? (['system', 'tools'] as const) : []
    const options = {
      tools: tools[step.way.tools],
      trusted,
      alone,
      onlySent,
      id,
      stabilise,
      instructed: step.way.dated,
    }
    const relay = await tried(thread.relay(messages, options))
    if (typeof relay === 'string') {
      told.push(relay)
      continue
    }
    const other = step.more === 'at once' ? await tried(thread.relay(messages, { ...options, id: undefined })) : ''
    told.push(factsOf(relay), await relay.previous())
    if (step.more === 'send again') told.push(factsOf(await relayedAgain(thread, messages, options)))
    if (typeof other !== 'string') {
      const aside = await open()
        .relay([...kept, { role: 'user', content: `Aside ${day}` }], options)
        .catch(codeOf)
      if (typeof aside !== 'string')
        told.push(await aside.previous(), resultOf(await tried(aside.answer(said(`Beside ${day}`)))))
      told.push(await other.previous(), resultOf(await tried(other.answer(said(`Other ${day}`)))))
    }
    const ended = step.answer ? relay.answer(endOf(step.answer)) : relay.stop('cancelled', 'Half')
    told.push(resultOf(await tried(ended)))
    kept.push(step.answer ?? { role: 'assistant', content: 'Half' })
    if (step.more === 'stay') kept.pop()
    if (step.more === 'pin') {
      const spoken = (await store.read('t')).filter(({ kind }) => /user|assistant|tool/.test(kind))
      told.push(await tried(open().pin(spoken[(day * 7 + 3) % spoken.length]!.id)))
    }
    if (step.more === 'unpin')
      for (const id of [...pinnedIn(await store.read('t'))].slice(0, 1)) told.push(await open().unpin(id))
    if (step.more === 'erase') await open().erase([(await store.read('t', { last: 9 }))[0]!.id])
  }
  return { log: (await store.read('t')).map(timeless), told }
}

/** Everything of an entry but its time. */
function timeless(entry: Entry): string {
  return JSON.stringify({ ...entry, time: undefined, checksum: undefined })
}

function codeOf(error: unknown): string {
  if (MinutebookError.isInstance(error)) return error.code
  throw error
}

async function relayedAgain(thread: Thread, ...given: Parameters<Thread['relay']>): Promise<Relay> {
  const relay = await thread.relay(...given)
  await relay.stop('failed', '', 'model_unreachable')
  return relay
}

function factsOf({ question, mode, messages, prediction, notWhole, answered }: Relay): unknown {
  return JSON.parse(
    JSON.stringify({ question: question.id, mode, messages, prediction, notWhole, answered: answered?.id }),
  )
}

function resultOf(result: Awaited<ReturnType<Relay['answer']>> | string): unknown {
  if (typeof result === 'string') return result
  return JSON.parse(JSON.stringify({ ...result, answer: result.answer?.id }))
}

describe('a relay from a checkpoint', () => {
  test.each([
    ['much room', 100_000],
    ['little room', 60],
  ])('records, sends and tells the same as one that reads the whole log, with %s', async (_, window) => {
    const drawn = [chat, fc.constantFrom(1, 4)] as const
    await fc.assert(
      fc.asyncProperty(...drawn, async (steps, every) => {
        const [whole, part] = [await played(steps, window, Infinity), await played(steps, window, every)]
        const first = part.log.findIndex((line, index) => line !== whole.log[index])
        expect(part.log[first]).toBe(whole.log[first])
        expect(part.log).toHaveLength(whole.log.length)
        expect(part.told).toEqual(whole.told)
      }),
      withSure(10, cases('checkpoints'), drawn),
    )
  })
})
