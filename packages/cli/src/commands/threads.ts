import type { Archive, ThreadList } from '@minutebook/server'
import { InvalidArgumentError, Option } from 'commander'
import type { Metadata } from 'minutebook/store'
import { marks, threadList, usualLimit, type AskedThreads } from '../thread/thread-list.ts'
import { countOf, type DefineCommand, readingCommand, type RecordOptions, show, withConnection } from './command.ts'

interface Options extends RecordOptions, AskedThreads {}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  readingCommand(command)
    .option('--limit <n>', 'maximum number of threads', countOf('A limit'), usualLimit)
    .option('--after <page>', 'the `next` value of the previous page')
    .option('--metadata <key=value...>', 'list only threads whose metadata has these pairs', withPair)
    .addOption(new Option('--mark <mark...>', 'list only threads with one of these marks').choices(marks))
    .option('--runs', 'also list the threads of the participants of runs')
    .action((options: Options) =>
      withConnection(terminal, options, setExitCode, async ({ archive }) => {
        const list = await listed(archive, options)
        show(terminal, options, list, () => threadList(list, options, terminal, Date.now()))
      }),
    )
}

/** A page without threads of runs, unless they are wanted. It may be short and still have a `next`. */
async function listed(archive: Archive, { limit, after, metadata, mark, runs }: Options): Promise<ThreadList> {
  const found: ThreadList['threads'][number][] = []
  let next = after
  for (let page = 0; page < mostPages; page++) {
    const list = await archive.threads({ limit: limit - found.length, after: next, metadata, marks: mark })
    found.push(...list.threads.filter(({ thread }) => runs === true || !thread.startsWith('run/')))
    next = list.next
    if (next === undefined || found.length === limit) break
  }
  return { threads: found, ...(next !== undefined && { next }) }
}

/** A record with thousands of threads of runs has others on its next page. */
const mostPages = 20

/** Reads one pair, and adds it to those before. */
function withPair(text: string, before: Metadata = {}): Metadata {
  const [, key, value] = /^([^=]+)=(.*)$/s.exec(text) ?? []
  if (key === undefined || value === undefined)
    throw new InvalidArgumentError('A pair is a key and a value, such as owner=ann.')
  return { ...before, [key]: value }
}
