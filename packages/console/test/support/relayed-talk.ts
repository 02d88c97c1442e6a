import type { Store } from 'minutebook'
import { namedModel, relayBook, said } from '../../../../tests/support/relays.ts'

type End = 'whole' | 'cut' | 'failed'

/** Relays on a thread: each sends all that was said before. `cut`: the server says that it read half of it. */
export async function talk(store: Store, thread: string, model: string, ends: readonly End[]): Promise<void> {
  const opened = relayBook({ model: namedModel('openai', model) }, store).thread(thread)
  const history: { readonly role: 'user' | 'assistant'; readonly content: string }[] = []
  for (const [turn, end] of ends.entries()) {
    history.push({ role: 'user', content: `Question ${turn} of ${thread}: what grows in the shade of the house?` })
    const relay = await opened.relay(history, { owner: model === 'phi' ? 'shop' : 'desk' })
    if (end === 'failed') {
      await relay.stop('failed', '', 'model_unreachable')
      history.pop()
      continue
    }
    const prompt = end === 'cut' ? Math.ceil(relay.prediction.predicted / 2) : relay.prediction.predicted
    await relay.answer(said('Ferns do.', { usage: { prompt, completion: 3 } }), {
      onUsage: () => (end === 'cut' ? 'yes' : 'no'),
    })
    history.push({ role: 'assistant', content: 'Ferns do.' })
  }
}
