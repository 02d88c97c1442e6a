import type { Command } from 'commander'
import { threadList } from '../views/thread-list.ts'
import type { Terminal } from '../terminal.ts'
import { countOf, reading, readingCommand, show, type Ended, type ReadingOptions } from './reading.ts'

interface Options extends ReadingOptions {
  readonly limit: number
  readonly after?: string
}

export function threadsCommand(terminal: Terminal, ended: Ended): Command {
  return readingCommand('threads', 'List the threads, the newest first')
    .option('--limit <n>', 'how many', countOf('A limit'), 20)
    .option('--after <page>', 'the `next` of the page before')
    .action((options: Options) =>
      reading(terminal, options, ended, async ({ desk }) => {
        const list = await desk.threads({ limit: options.limit, after: options.after })
        show(terminal, options, list, () => threadList(list, terminal, Date.now()))
      }),
    )
}
