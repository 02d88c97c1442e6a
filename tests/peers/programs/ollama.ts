import { ollamaModel } from 'minutebook/ollama'
import { Ollama } from 'ollama'
import { holdDialogue } from './dialogue.ts'

await holdDialogue((url) =>
  ollamaModel(new Ollama({ host: url }), { model: 'strict', keep_alive: 0, options: { temperature: 0 } }),
)
