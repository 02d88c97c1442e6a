import { join } from 'node:path'
import { sqliteStore } from '@minutebook/sqlite'
import { scriptedModel, type ScriptedLine } from '@minutebook/testing'
import { openBook } from 'minutebook'
import { expect, test } from 'vitest'
import { stopOf } from '../src/call/stop.ts'
import { dataFolder, type DataFolder } from './support/data-folder.ts'
import { runCommand } from './support/terminal.ts'

/** A thread in a small window to which these messages were sent. A system text that is too long refuses the last. */
async function threadWith(lines: readonly ScriptedLine[], messages: readonly string[]): Promise<DataFolder> {
  const folder = dataFolder()
  const store = sqliteStore(join(folder.path, 'minutebook.db'))
  const model = scriptedModel(lines)
  for (const message of messages) {
    const system = message === refused ? tooLong : 'Be brief.'
    await openBook({ store, model, system, window: 256, journal: false }).thread('garden').send(message).done
  }
  store.close()
  return folder
}

const refused = 'Must I water it?'
const tooLong = Array.from({ length: 900 }, (_, index) => `word${index}`).join(' ')

test('explain says what did not fit, if the only turn was refused', async () => {
  using folder = await threadWith(['Ferns.'], [refused])
  const { code, errors } = await runCommand(['explain'], folder.path)
  expect(code).toBe(1)
  expect(errors).toMatch(/✗ This turn called no model\. What must be sent does not fit: /)
  expect(errors).toMatch(/A window of \d+ would do/)
})

test('explain says what did not fit, and then shows the last model call', async () => {
  using folder = await threadWith(['Ferns.'], ['What grows in the shade?', refused])
  const { code, output } = await runCommand(['explain'], folder.path)
  expect(code).toBe(0)
  expect(output).toMatch(/^✗ Turn 2 has no answer\. /)
  expect(output).toContain('The last model call, of turn 1:')
  expect((await runCommand(['explain', 'garden', '1'], folder.path)).output).toMatch(/^garden\nturn 1/)
})

test('explain says why a turn failed that had a model call', async () => {
  using folder = await threadWith([new Error('down')], ['What grows in the shade?'])
  const { output } = await runCommand(['explain'], folder.path)
  expect(output).toMatch(/^✗ Turn 1 has no answer\. The model failed before it answered\.\n/)
  expect(output).toContain('always sent · Be brief.')
})

test('the words of the upstream are a sentence, and not JSON', () => {
  const reason = 'The upstream failed (status 500): cudaMalloc failed: out of memory.'
  const question = { kind: 'user', turn: 1, text: 'Hi' }
  const entries = [question, { kind: 'stop', text: JSON.stringify({ code: 'model_error', reason, fix: 'Retry.' }) }]
  expect(stopOf({ entries: entries as never })).toEqual({ turn: 1, reason, fix: 'Retry.' })
  expect(stopOf({ entries: [question, { kind: 'stop', text: reason }] as never })).toEqual({ turn: 1, reason, fix: '' })
  expect(stopOf({ entries: [question, { kind: 'assistant', text: 'Hello.' }] as never })).toBeUndefined()
})
