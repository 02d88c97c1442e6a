/**
 * The attributes of spans, as OpenTelemetry's conventions for generative AI name them; what they have no name for is
 * ours.
 */
export const names = {
  operation: 'gen_ai.operation.name',
  provider: 'gen_ai.provider.name',
  model: 'gen_ai.request.model',
  thread: 'gen_ai.conversation.id',
  finish: 'gen_ai.response.finish_reasons',
  firstText: 'gen_ai.response.time_to_first_chunk',
  inputTokens: 'gen_ai.usage.input_tokens',
  outputTokens: 'gen_ai.usage.output_tokens',
  cachedTokens: 'gen_ai.usage.cache_read.input_tokens',
  inputMessages: 'gen_ai.input.messages',
  outputMessages: 'gen_ai.output.messages',
  tool: 'gen_ai.tool.name',
  toolType: 'gen_ai.tool.type',
  call: 'gen_ai.tool.call.id',
  callArguments: 'gen_ai.tool.call.arguments',
  callResult: 'gen_ai.tool.call.result',
  error: 'error.type',
  server: 'server.address',
  port: 'server.port',
  tenant: 'minutebook.tenant',
  turn: 'minutebook.turn',
  mode: 'minutebook.mode',
  predictedTokens: 'minutebook.tokens.predicted',
  status: 'minutebook.status',
} as const

export const serviceName = 'minutebook'
