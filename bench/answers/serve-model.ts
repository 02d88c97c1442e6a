// A real chat model as a server, for `npm run bench:answers` and the tutorial: node bench/answers/serve-model.ts [--port 11500] [--name NAME] [--folder FOLDER]
// It speaks the chat protocols of Ollama and OpenAI, takes one request at a time, and always answers the same to the
// same prompt.
import { parseArgs } from 'node:util'
import { loadChatModel, modelFolder, modelName } from './chat-model.ts'
import { serveModel } from './model-server.ts'

const { values: options } = parseArgs({
  options: {
    folder: { type: 'string', default: modelFolder },
    port: { type: 'string', default: '11500' },
    name: { type: 'string', default: modelName },
    window: { type: 'string', default: '2048' },
    threads: { type: 'string', default: '1' },
  },
})

const window = Number(options.window)
const model = await loadChatModel({ folder: options.folder, window, threads: Number(options.threads) })
const { url } = await serveModel(model, { name: options.name, window }, Number(options.port))
console.log(`${options.name} on ${url}, a context window of ${window.toLocaleString('en')} tokens`)
