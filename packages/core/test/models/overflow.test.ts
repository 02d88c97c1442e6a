import { describe, expect, test } from 'vitest'
import { canBeDoneIn } from '../../../../tests/support/stopwatch.ts'
import { namesWindow, overflowIn } from 'minutebook/wire'

const refusals: readonly (readonly [server: string, said: unknown, told: object])[] = [
  [
    'OpenAI',
    {
      error: {
        message:
          "This model's maximum context length is 8192 tokens. However, your messages resulted in 9013 tokens. Please reduce the length of the messages.",
        code: 'context_length_exceeded',
      },
    },
    { window: 8192, prompt: 9013 },
  ],
  [
    'OpenAI with an answer',
    {
      error: {
        message:
          "This model's maximum context length is 8192 tokens. However, you requested 9600 tokens (8100 in the messages, 1500 in the completion). Please reduce the length.",
        code: 'context_length_exceeded',
      },
    },
    { window: 8192, prompt: 8100 },
  ],
  [
    'vLLM',
    {
      object: 'error',
      message:
        "This model's maximum context length is 32768 tokens. However, you requested 40960 tokens (36864 in the messages, 4096 in the completion).",
      type: 'BadRequestError',
      code: 400,
    },
    { window: 32_768, prompt: 36_864 },
  ],
  [
    'vLLM, not counted to the end',
    {
      error: {
        message:
          "This model's maximum context length is 4096 tokens. However, you requested 512 output tokens and your prompt contains at least 3585 input tokens, for a total of at least 4097 tokens.",
        code: 400,
      },
    },
    { window: 4096 },
  ],
  [
    'SGLang',
    {
      message:
        "Requested token count exceeds the model's maximum context length of 32768 tokens. You requested a total of 33900 tokens: 32876 tokens from the input messages and 1024 tokens for the completion.",
    },
    { window: 32_768, prompt: 32_876 },
  ],
  [
    'SGLang, older',
    { error: { message: "The input (33000 tokens) is longer than the model's context length (32768 tokens)." } },
    { window: 32_768, prompt: 33_000 },
  ],
  [
    'llama.cpp',
    {
      error: {
        code: 400,
        message: 'the request exceeds the available context size, try increasing it',
        type: 'exceed_context_size_error',
        n_prompt_tokens: 5012,
        n_ctx: 4096,
      },
    },
    { window: 4096, prompt: 5012 },
  ],
  [
    'llama.cpp in words',
    { error: { message: 'request (5012 tokens) exceeds the available context size (4096 tokens), try increasing it' } },
    { window: 4096, prompt: 5012 },
  ],
  [
    'LM Studio',
    {
      error:
        'Trying to keep the first 5012 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough.',
    },
    { window: 4096 },
  ],
  [
    'OpenRouter',
    {
      error: {
        message:
          "This endpoint's maximum context length is 131,072 tokens. However, you requested about 140,000 tokens (139,000 of text input, 1,000 in the output).",
        code: 400,
      },
    },
    { window: 131_072, prompt: 139_000 },
  ],
  [
    'Mistral',
    {
      object: 'error',
      message: 'Prompt contains 40123 tokens and 0 draft tokens, too large for model with 32768 maximum context length',
      type: 'invalid_request_error',
    },
    { window: 32_768, prompt: 40_123 },
  ],
  [
    'Together',
    {
      error: {
        message:
          'Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 9000 `inputs` tokens and 512 `max_new_tokens`',
      },
    },
    { window: 8193, prompt: 9000 },
  ],
  [
    'Anthropic',
    {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'prompt is too long: 208310 tokens > 200000 maximum' },
    },
    { window: 200_000, prompt: 208_310 },
  ],
  [
    'Gemini',
    { error: { message: 'The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).' } },
    { window: 1_048_576, prompt: 1_200_000 },
  ],
  ['Ollama, which tells no size', { error: 'the input length exceeds the context length' }, {}],
  [
    'Groq, which tells no size',
    { error: { message: 'Please reduce the length of the messages or completion.', code: 'context_length_exceeded' } },
    {},
  ],
]

describe('a refusal of a prompt that is too long', () => {
  test.each(refusals)('is read as %s words it', (_, said, told) => {
    expect(overflowIn(said)).toEqual(told)
  })

  const inWords = refusals.flatMap(([server, said, told]) =>
    'window' in told && !JSON.stringify(said).includes('n_ctx')
      ? [[server, JSON.stringify({ name: said }), Number(told.window)] as const]
      : [],
  )

  test.each(inWords)('may be quoted from a request that has the words of %s', (_, sent, window) => {
    expect([namesWindow(sent, window), namesWindow(sent.toUpperCase(), window)]).toEqual([true, true])
    expect(namesWindow(sent, window + 1)).toBe(false)
  })

  test('is not quoted from a request that only has the number', () => {
    expect(
      namesWindow(JSON.stringify({ max_tokens: 8192, content: 'The maximum of 8192, or 8192 tokens.' }), 8192),
    ).toBe(false)
  })

  test.each(['\\\\', '\\u', '1,', '9', 'context length ', ' '])('searches a request of %j in linear time', (piece) => {
    const sent = piece.repeat(8_000)
    expect(canBeDoneIn(50, () => namesWindow(sent, 300))).toBe(true)
  })

  test.each([
    [
      'a limit per minute',
      {
        error: {
          message: 'Rate limit reached: maximum context length of 8192 tokens per minute exceeded',
          code: 'rate_limit_exceeded',
        },
      },
    ],
    ['an unknown model', { error: 'model "qwen" not found, try pulling it first' }],
    ['a field that is wrong', { error: { message: 'max_tokens is too large: 5000' } }],
    [
      'what is quoted behind a long text',
      {
        error: {
          message: `${'name: Input should be a valid string; '.repeat(8)}maximum context length of 300 exceeded`,
        },
      },
    ],
    ['nothing', undefined],
    ['a text', 'Bad gateway'],
  ])('is no refusal of %s', (_, said) => {
    expect(overflowIn(said)).toBeUndefined()
  })

  test('takes no time over a long text', () => {
    expect(overflowIn({ error: { message: `context ${'1,'.repeat(1_000_000)} exceed` } })).toBeUndefined()
  })
})
