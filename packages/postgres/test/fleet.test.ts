import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { startFleet } from '../../../tests/support/postgres/fleet.ts'
import type { Script } from '../../../tests/support/process/script.ts'

// What tests of several instances rely on: see tests/support/postgres/fleet.ts.

/** An instance that says these lines, and then ends. */
function saying(...lines: readonly string[]): Script {
  const said = async function* (): AsyncGenerator<string, undefined> {
    yield* lines
  }
  return { process: { kill: () => true } as never, lines: said(), ended: Promise.resolve() }
}

test('an instance that does not start is told to whoever waits for it', async () => {
  await expect(startFleet(2, { start: () => saying('no database') })).rejects.toThrow('did not start: no database')
})

test('an instance that ends while it starts fails nothing if no one waits for it: the test may be over', async () => {
  const fleet = await startFleet(1, { start: (name) => (name === 'instance 1' ? saying('ready') : saying()) })
  fleet.replace('instance 1')
  // Vitest fails a run for a rejection that nothing has handled by now.
  for (let count = 0; count < 5; count++) await turn()
  expect(fleet.instances.size).toBe(0)
  await expect(fleet.ready()).rejects.toThrow('did not start: (it ended)')
})
