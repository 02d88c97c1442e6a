/** Returns what the upstream says about itself and its models at a path; undefined if there is no such page. */
export function pageAt(path: string, models: readonly string[], window: number): unknown {
  switch (path) {
    case '/':
      return 'Ollama is running'
    case '/api/version':
      return { version: '0.0.0-strict' }
    case '/api/tags':
      return {
        models: models.map((name) => ({ name, model: name, modified_at: time, size: 1, digest: name, details })),
      }
    case '/api/ps':
      return {
        models: models.map((name) => ({
          name,
          model: name,
          size: 1,
          digest: name,
          details,
          expires_at: time,
          size_vram: 1,
          context_length: window,
        })),
      }
    case '/v1/models':
      return {
        object: 'list',
        data: models.map((id) => ({ id, object: 'model', created: 1_767_225_600, owned_by: 'minutebook' })),
      }
    default:
      return undefined
  }
}

/** Returns what `/v1/models` says to a client of Anthropic's protocol. */
export function anthropicModels(models: readonly string[], window: number): object {
  const data = models.map((id) => ({
    type: 'model',
    id,
    display_name: id,
    created_at: time,
    max_input_tokens: window,
    max_tokens: window,
  }))
  return { data, has_more: false, first_id: models[0] ?? null, last_id: models.at(-1) ?? null }
}

/** Returns what `/api/show` says about one model. */
export function showModel(window: number): object {
  const info = { 'general.architecture': 'strict', 'strict.context_length': window }
  return {
    modelfile: '',
    parameters: '',
    template: '',
    details,
    model_info: info,
    capabilities: ['completion', 'tools', 'vision', 'thinking'],
    modified_at: time,
  }
}

const time = '2026-01-01T00:00:00Z'
const details = {
  parent_model: '',
  format: 'gguf',
  family: 'strict',
  families: ['strict'],
  parameter_size: '0B',
  quantization_level: 'none',
}
