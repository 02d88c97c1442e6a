import type { Command } from 'commander'
import type { Terminal } from '../terminal.ts'
import { foundLines } from '../views/found.ts'
import { countOf, reading, readingCommand, show, type Ended, type ReadingOptions } from './reading.ts'

interface Options extends ReadingOptions {
  readonly thread?: string
  readonly limit: number
}

export function searchCommand(terminal: Terminal, ended: Ended): Command {
  return readingCommand('search', 'Find what was said, by all of its words')
    .argument('<words...>', 'the words; "in quotation marks" they must stand together')
    .option('--thread <id>', 'in this thread alone')
    .option('--limit <n>', 'how many', countOf('A limit'), 20)
    .action((words: readonly string[], options: Options) =>
      reading(terminal, options, ended, async ({ desk }) => {
        const query = words.map((word) => (/\s/.test(word) ? `"${word}"` : word)).join(' ')
        const found = await desk.search(query, { thread: options.thread, limit: options.limit })
        show(terminal, options, { found }, () => foundLines(found, terminal))
      }),
    )
}
