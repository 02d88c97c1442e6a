import type { Fields } from './chat-request.ts'
import { tinyChatTemplate, tinyModelWindow } from './tiny-model.ts'

/** What the server says about itself, by method and path; undefined where there is no such page. */
export function pageOf(
  route: string,
  { contextSize, model }: { readonly contextSize: number; readonly model: string },
): Fields | undefined {
  switch (route) {
    case 'GET /health':
      return { status: 'ok' }
    case 'GET /props':
      return {
        default_generation_settings: { n_ctx: contextSize },
        total_slots: 1,
        model_path: `${model}.gguf`,
        chat_template: tinyChatTemplate,
        bos_token: '<|endoftext|>',
        eos_token: '<|im_end|>',
      }
    case 'GET /v1/models':
      return {
        object: 'list',
        data: [
          {
            id: model,
            object: 'model',
            created: 1_767_225_600,
            owned_by: 'llamacpp',
            meta: { n_ctx_train: tinyModelWindow },
          },
        ],
      }
    case 'GET /api/version':
      return { version: '0.0.0-tiny' }
    case 'GET /api/tags':
      return { models: [{ ...named(model), modified_at: day }] }
    case 'GET /api/ps':
      return { models: [{ ...named(model), expires_at: day, size_vram: 0, context_length: contextSize }] }
    case 'POST /api/show':
      return {
        modelfile: '',
        parameters: '',
        template: tinyChatTemplate,
        details,
        model_info: { 'general.architecture': 'llama', 'llama.context_length': tinyModelWindow },
        capabilities: ['completion', 'tools'],
        modified_at: day,
      }
    default:
      return undefined
  }
}

const day = '2026-01-01T00:00:00Z'
const details = {
  parent_model: '',
  format: 'gguf',
  family: 'llama',
  families: ['llama'],
  parameter_size: '0.2M',
  quantization_level: 'F32',
}

function named(name: string): object {
  return { name, model: name, size: 1, digest: name, details }
}
