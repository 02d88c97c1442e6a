import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { strictUpstream } from '@minutebook/testing/server'
import { describe, expect, test } from 'vitest'
import { dataFolder } from './support/data-folder.ts'
import { runCommand } from './support/terminal.ts'

describe('in front of an upstream of Anthropic alone', () => {
  const print = (
    upstream: { readonly url: string },
    data: { readonly path: string },
    args: readonly string[],
  ): ReturnType<typeof runCommand> =>
    runCommand(args, data.path, {
      environment: { MINUTEBOOK_UPSTREAMS: JSON.stringify([{ url: upstream.url, protocol: 'anthropic', key: 'own' }]) },
    })

  test('claude uses the models that it lists', async () => {
    using data = dataFolder()
    await using upstream = await strictUpstream({ models: ['small-one'] })
    expect(await print(upstream, data, ['wrap', '--print', 'claude'])).toMatchObject({
      code: 0,
      output: expect.stringContaining('ANTHROPIC_MODEL=small-one') as string,
      errors: '',
    })
  })

  test.each([[['chat', 'hi']], [['wrap', '--print', 'pi']], [['wrap', '--print', 'pi', '--model', 'small-one']]])(
    '%j says that it does not speak the protocol',
    async (args) => {
      using data = dataFolder()
      await using upstream = await strictUpstream({ models: ['small-one'] })
      const { code, errors } = await print(upstream, data, args)
      expect({ code, errors }).toEqual({
        code: 1,
        errors: expect.stringMatching(/only upstreams of the protocol of Anthropic.+minutebook wrap claude/s) as string,
      })
    },
  )

  test('an upstream of Ollama that lists nothing is not taken for one', async () => {
    using data = dataFolder()
    const lost = createServer((_, response) => void response.writeHead(404).end('{}'))
    await new Promise<void>((resolve) => lost.listen(0, '127.0.0.1', resolve))
    const { port } = lost.address() as AddressInfo
    const environment = {
      MINUTEBOOK_UPSTREAMS: JSON.stringify([{ url: `http://127.0.0.1:${port}`, protocol: 'ollama' }]),
    }
    const { errors } = await runCommand(['chat', 'hi'], data.path, { environment })
    expect(errors).toContain('does not list its models (status 404)')
    lost.close()
  })
})
