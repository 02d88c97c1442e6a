import type { Model } from 'minutebook'

/** What the model says, at once. */
export const answer = { type: 'end', message: { role: 'assistant', content: 'Yes.' }, finish: 'stop' } as const

const model: Model = Object.assign(
  async function* () {
    yield answer
  },
  { model: 'scripted', wire: 'openai' as const },
)

/** The settings of every book here: the default policy. */
export const settings = { model, window: 8192 } as const
