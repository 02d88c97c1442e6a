import { openAiModel } from 'minutebook/openai'
import OpenAI from 'openai'
import { holdDialogue } from './dialogue.ts'

await holdDialogue((url) =>
  openAiModel(new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none' }), { model: 'strict', temperature: 0, seed: 1 }),
)
