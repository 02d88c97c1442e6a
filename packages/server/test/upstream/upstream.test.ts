import { expect, test } from 'vitest'
import { upstreamsOf } from '../../src/upstream/upstream.ts'

const upstreams = upstreamsOf([
  { url: 'http://large:1/', protocol: 'ollama', models: ['gemma3:27b', 'llama3'] },
  { url: 'http://any:2', protocol: 'ollama' },
  { url: 'http://both:3/prefix/', models: ['gemma3:4b', 'gpt-oss'] },
  { url: 'https://cloud:4/openai/v1', protocol: 'openai', models: ['gpt-oss', 'gpt-9'] },
])

test.each([
  ['ollama', 'gemma3:27b', 'http://large:1'],
  ['ollama', 'llama3:latest', 'http://large:1'],
  ['ollama', 'gemma3:4b', 'http://both:3'],
  ['ollama', 'what nobody lists', 'http://any:2'],
  ['ollama', undefined, 'http://large:1'],
  ['openai', 'gpt-oss', 'http://both:3'],
  ['openai', 'gpt-9', 'https://cloud:4'],
  ['openai', 'gemma3:27b', undefined],
  ['openai', undefined, 'http://both:3'],
] as const)('%s %s goes to %s', (protocol, model, origin) => {
  expect(upstreams.choose(protocol, model)?.origin).toBe(origin)
})

test('a path of an upstream stands before the paths of requests, without the /v1 that they have themselves', () => {
  expect(upstreams.all.map(({ base }) => base)).toEqual(['', '', '/prefix', '/openai'])
})

test('who asks for a model that is not there is told which are', () => {
  expect(upstreams.missing('openai', 'gemma3:27b')).toMatchObject({
    status: 404,
    code: 'model_not_found',
    problem: expect.stringMatching(/gemma3:4b, gpt-oss, gpt-9/),
  })
  const one = upstreamsOf([{ url: 'http://a', protocol: 'openai' }])
  const told = { code: 'no_upstream', fix: expect.stringMatching(/protocol: ollama/) as unknown }
  expect(one.missing('ollama')).toMatchObject({ status: 404, ...told })
  expect(one.missing('ollama', 'gemma3:4b')).toMatchObject({ status: 400, ...told })
})
