import { expect, test } from 'vitest'
import { callLines } from '../src/call/call.ts'
import { longFolder } from './support/data-folder.ts'
import { runCommand, testTerminal } from './support/terminal.ts'

test.each([true, false])('cache cuts a place only for a terminal that is too narrow: %s', async (tty) => {
  using long = await longFolder()
  const { output } = await runCommand(['cache', 'beds'], long.path, { tty, columns: 50 })
  expect(/own_compaction at messages\[6\]\.content$/m.test(output)).toBe(!tty)
})

test('explain names the stabilisers of a call', () => {
  const receipt = { tokens: { predicted: 1, reported: {} }, outcome: 'stop', stabilised: ['tools', 'system'] }
  const call = { thread: 't', turn: 1, call: '1', model: 'm', receipt, same: true, erased: false }
  const lines = callLines(call as unknown as Parameters<typeof callLines>[0], testTerminal().terminal)
  expect(lines.join(' ')).toContain(' · stabilised: tools, system · ')
})
