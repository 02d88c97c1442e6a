import { describe, expect, test } from 'vitest'
import { assistant, system, user } from '@minutebook/testing'
import type { Message } from 'minutebook'
import type { Stabiliser } from 'minutebook/inspect'
import { relayBook, said } from '../../../../tests/support/relays.ts'

const tools = ['wait', 'ask', 'look'].map((name) => ({
  type: 'function',
  function: { name, description: name, parameters: { type: 'object', properties: {} } },
}))

/** A client that dates its system text, and sends its tools in another order each time. */
function requestAt(turn: number): readonly Message[] {
  const opening = system(`Be brief.\nIt is 12:0${turn} on Monday.\nDoors: 1 and 2.\nNever lie.`)
  const talk = Array.from({ length: turn }, (_, index) => [user(`Question ${index}`), assistant('yes')]).flat()
  return [opening, ...talk, user(`Question ${turn}`)]
}

async function played(stabilise: readonly Stabiliser[]): Promise<{
  readonly relays: readonly { readonly sent: readonly Message[]; readonly tools: string[]; readonly mode: string }[]
  readonly thread: ReturnType<ReturnType<typeof relayBook>['thread']>
}> {
  const thread = relayBook().thread('t')
  const relays = []
  for (let turn = 0; turn < 4; turn++) {
    const given = turn % 2 === 0 ? tools : tools.toReversed()
    const relay = await thread.relay(requestAt(turn), { trusted: true, tools: given, stabilise })
    await relay.answer(said('yes'))
    const names = ((relay.tools ?? given) as typeof tools).map((tool) => tool.function.name)
    relays.push({ sent: relay.messages, tools: names, mode: relay.mode })
  }
  return { relays, thread }
}

describe('stabilisers', () => {
  test('change nothing if they are not asked for', async () => {
    const { relays, thread } = await played([])
    expect(relays.map(({ mode }) => mode)).toEqual(['unchanged', 'unchanged', 'unchanged', 'unchanged'])
    expect(relays.map(({ sent }) => sent)).toEqual([0, 1, 2, 3].map(requestAt))
    expect((await thread.receipts()).every(({ stabilised }) => stabilised === undefined)).toBe(true)
  })

  test('sort the tools', async () => {
    const { relays, thread } = await played(['tools'])
    expect(relays.map((relay) => relay.tools)).toEqual([...times(names), names])
    expect((await thread.receipts()).map(({ stabilised, mode }) => [stabilised, mode])).toEqual([
      ...times([['tools'], 'rewritten']),
      [['tools'], 'rewritten'],
    ])
  })

  test('move the line that changes behind the others, from the first change on', async () => {
    const { relays, thread } = await played(['tools', 'system'])
    expect(relays.map(({ sent }) => sent[0]?.content)).toEqual([
      requestAt(0)[0]?.content,
      ...[1, 2, 3].map((turn) => `Be brief.\nDoors: 1 and 2.\nNever lie.\nIt is 12:0${turn} on Monday.`),
    ])
    expect((await thread.receipts()).map(({ stabilised }) => stabilised)).toEqual([
      ['tools'],
      ...times(['tools', 'system']),
    ])
  })

  test('leave the words of the client in the record, and can be derived again', async () => {
    const { thread } = await played(['tools', 'system'])
    expect(await thread.verify()).toMatchObject({ ok: true, prompts: 4 })
    const texts = (await thread.entries()).filter(({ kind }) => kind === 'system').map(({ text }) => text)
    expect(texts).toEqual([0, 1, 2, 3].map((turn) => requestAt(turn)[0]?.content))
  })
})

const names = ['ask', 'look', 'wait']

function times<T>(value: T): T[] {
  return [value, value, value]
}
