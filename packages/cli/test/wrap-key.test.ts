import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { gateway } from '../../../tests/support/server/gateway.ts'
import { withAgentKey } from '../src/wrap/key.ts'
import { testTerminal } from './support/terminal.ts'

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

test('no agent gets the key of an app that may approve calls', async () => {
  const { url } = await gateway({
    keys: [
      { name: 'app', tenant: 'default', scope: 'app', sha256: sha256('app') },
      { name: 'desk', tenant: 'default', scope: 'app', decide: true, sha256: sha256('desk') },
    ],
  })
  const given: (string | undefined)[] = []
  const wrapped = (key: string): Promise<number> =>
    withAgentKey(testTerminal().terminal, { url, key }, async (each) => given.push(each))
  await wrapped('app')
  await expect(wrapped('desk')).rejects.toMatchObject({
    code: 'key_approves',
    fix: expect.stringContaining('without "decide"') as string,
  })
  expect(given).toEqual(['app'])
})
