import { InvalidArgumentError } from 'commander'
import type { Metadata } from 'minutebook/store'
import { threadList } from '../thread/thread.ts'
import { countOf, type DefineCommand, readingCommand, type RecordOptions, show, withConnection } from './command.ts'

interface Options extends RecordOptions {
  readonly limit: number
  readonly after?: string
  readonly metadata?: Metadata
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  readingCommand(command)
    .option('--limit <n>', 'maximum number of threads', countOf('A limit'), 20)
    .option('--after <page>', 'the `next` value of the previous page')
    .option('--metadata <key=value...>', 'list only threads whose metadata has these pairs', withPair)
    .action((options: Options) =>
      withConnection(terminal, options, setExitCode, async ({ archive }) => {
        const { limit, after, metadata } = options
        const list = await archive.threads({ limit, after, metadata })
        show(terminal, options, list, () => threadList(list, terminal, Date.now()))
      }),
    )
}

/** Reads one pair, and adds it to those before. */
function withPair(text: string, before: Metadata = {}): Metadata {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (key === undefined || value === undefined)
    throw new InvalidArgumentError('A pair is a key and a value, such as owner=ann.')
  return { ...before, [key]: value }
}
