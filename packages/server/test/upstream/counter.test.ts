import { estimator } from 'minutebook'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadCounter } from '../../src/upstream/counter.ts'
import { temporaryFolder } from '../../../../tests/support/server/gateway.ts'

test('a model without a counter is estimated', async () => {
  expect(await loadCounter()).toBe(estimator)
  expect(await loadCounter('estimate')).toBe(estimator)
})

test('an exact counter goes by its name', async () => {
  const counter = await loadCounter('o200k')
  expect([counter.name, counter.count('The harbour was quiet.')]).toEqual(['o200k_base', 5])
})

test('a file that is not there, or is none, says what to mend and not where it is', async () => {
  const path = join(temporaryFolder(), 'tokenizer.json')
  await expect(loadCounter(path)).rejects.toMatchObject({
    code: 'no_counter',
    message:
      'The counter tokenizer.json cannot be loaded: there is no such file. Correct counter in the settings of the model.',
  })
  writeFileSync(path, '{ not json')
  await expect(loadCounter(path)).rejects.toMatchObject({
    code: 'no_counter',
    message: expect.stringContaining('not a tokenizer.json'),
  })
})
