import { threadList } from '../thread/thread.ts'
import { countOf, type DefineCommand, readingCommand, type RecordOptions, show, withConnection } from './command.ts'

interface Options extends RecordOptions {
  readonly limit: number
  readonly after?: string
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  readingCommand(command)
    .option('--limit <n>', 'maximum number of threads', countOf('A limit'), 20)
    .option('--after <page>', 'the `next` value of the previous page')
    .action((options: Options) =>
      withConnection(terminal, options, setExitCode, async ({ archive }) => {
        const list = await archive.threads({ limit: options.limit, after: options.after })
        show(terminal, options, list, () => threadList(list, terminal, Date.now()))
      }),
    )
}
