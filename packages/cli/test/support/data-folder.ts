import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sqliteStore } from '@minutebook/sqlite'
import { defineTool, openBook, type Book, type BookOptions } from 'minutebook'
import type { Clock } from 'minutebook/clock'
import { scriptedModel, type ScriptedLine } from '@minutebook/testing'

/** A folder that is gone when the test is over. */
export interface DataFolder extends Disposable {
  readonly path: string
}

export function dataFolder(): DataFolder {
  const path = mkdtempSync(join(tmpdir(), 'minutebook-cli-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

/** A folder with a record in it: the same entries, ids and times on every run. */
export async function recordedFolder(
  lines: readonly ScriptedLine[],
  write: (book: Book) => Promise<void>,
  window = 2048,
  options: Partial<BookOptions> = {},
): Promise<DataFolder> {
  const folder = dataFolder()
  const store = sqliteStore(join(folder.path, 'minutebook.db'))
  const model = scriptedModel(lines, { model: 'gemma3:4b', wire: 'ollama' })
  await write(openBook({ store, model, window, clock: ticking(), journal: false, tools: [weather], ...options }))
  store.close()
  return folder
}

/** A garden with a tool call, a branch and a second thread. */
export function gardenFolder(): Promise<DataFolder> {
  const lines: ScriptedLine[] = [
    'Ferns and hostas. They like it cool, and they do not mind the roots of the old trees at all.',
    { text: 'Let me look.', calls: [{ name: 'weather', arguments: { city: 'Oslo', days: 3 } }] },
    { text: 'Rain until Sunday: no need to water.', usage: { prompt: 130, completion: 9 } },
    'Then wait for spring.',
    'At 14:20.',
  ]
  return recordedFolder(lines, async (book) => {
    const garden = book.thread('garden')
    await garden.send('What grows in the shade of my wall?').done
    await garden.send('Must I water it this week?').done
    const [, answer] = await garden.visible()
    await garden.send('What if I plant it in winter?', { after: answer!.id }).done
    await book.thread('harbour').send('When is high tide?').done
  })
}

/** A thread that no longer fits its window. */
export function longFolder(): Promise<DataFolder> {
  const turns = 40
  const lines = Array.from({ length: turns }, (_, index) => ({
    text: `Bed ${index + 1} takes ${'compost and patience '.repeat(4)}`,
    usage: { prompt: 300, completion: 20 },
  }))
  return recordedFolder(
    lines,
    async (book) => {
      for (let turn = 1; turn <= turns; turn++)
        await book.thread('beds').send(`What does bed ${turn} of my garden need, with ${turn} rows of beans in it?`)
          .done
    },
    512,
  )
}

const weather = defineTool({
  name: 'weather',
  description: 'The weather of the next days.',
  parameters: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'number' } } },
  run: () => 'Friday: rain\nSaturday: rain\nSunday: sun',
})

/** A second later each time. */
function ticking(): Clock {
  let seconds = 0
  return {
    now: () => new Date(Date.UTC(2026, 0, 1, 0, 0, seconds++)).toISOString(),
    after: () => new Promise(() => undefined),
  }
}
