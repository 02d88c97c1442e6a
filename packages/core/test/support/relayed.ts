import { openBook, type Message, type Store, type Thread } from 'minutebook'
import { readers } from './everything.ts'
import { namedModel, said } from '../../../../tests/support/relays.ts'

/** A thread of relays in which everything happens that their record can hold. */
export async function relayed(store: Store): Promise<Thread> {
  const { tools: _, system: __, ...reading } = readers
  const thread = openBook({ store, ...reading, model: namedModel('openai', 'scripted'), journal: false }).thread(
    'relayed',
  )
  const tools = [{ type: 'function', function: { name: 'look', parameters: { type: 'object' } } }]
  const calls = [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"where":"attic"}' } }]
  const kept: Message[] = [{ role: 'user', content: 'Look around.' }]
  const first = await thread.relay([{ role: 'system', content: 'It is Monday.' }, ...kept], {
    trusted: true,
    tools,
    id: 'first',
  })
  await first.answer(
    said({ role: 'assistant', content: null, tool_calls: calls, reasoning: 'Up there.' } as Message, {
      finish: 'calls',
      usage: { prompt: 9 },
    }),
  )
  // The client strips the reasoning, writes the arguments its own way, and dates its system message.
  const spaced = calls.map((call) => ({ ...call, function: { name: 'look', arguments: '{ "where": "attic" }' } }))
  kept.push(
    { role: 'assistant', content: '', tool_calls: spaced } as Message,
    { role: 'tool', tool_call_id: 'c1', content: 'dark' } as Message,
  )
  const second = await thread.relay([{ role: 'system', content: 'It is Tuesday.' }, ...kept], { trusted: true, tools })
  await second.stop('cancelled', 'It is')
  const again = await thread.relay([{ role: 'system', content: 'It is Tuesday.' }, ...kept], {
    trusted: true,
    tools,
    retry: true,
  })
  await again.answer(said('It is dark.'))
  kept.push({ role: 'assistant', content: 'It is dark.' })
  for (let day = 0; day < 8; day++) {
    kept.push({ role: 'user', content: `What about day ${day} at the harbour? ${'More words. '.repeat(20)}` })
    const relay = await thread.relay([{ role: 'system', content: 'I am nobody.' }, ...kept], { tools })
    await relay.answer(said(`Nothing on day ${day}.`))
    kept.push({ role: 'assistant', content: `Nothing on day ${day}.` })
  }
  const last = await thread.relay([{ role: 'user', content: 'And now?' }], { alone: true, tools })
  await last.stop('failed', '', 'model_unreachable')
  await thread.erase([(await thread.entries()).find(({ text }) => text === 'Nothing on day 6.')!.id])
  return thread
}
