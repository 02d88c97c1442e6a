import { callFlags, callOutcomes, printableLine, type CallPage, type ListedCalls } from '@minutebook/server'
import { InvalidArgumentError, Option } from 'commander'
import { callTable, newestCalls, type WantedCalls } from '../call/call-list.ts'
import { followCalls } from '../call/follow-calls.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { shellWord } from '../terminal/text.ts'
import {
  countOf,
  type DefineCommand,
  lastOption,
  readingCommand,
  type RecordOptions,
  show,
  withConnection,
} from './command.ts'

interface Options extends RecordOptions, CallPage {
  readonly limit: number
  /** In milliseconds. */
  readonly last?: number
  readonly follow?: true
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  readingCommand(command)
    .option('--limit <n>', 'maximum number of calls', countOf('A limit'), 20)
    .option('--after <page>', 'the `next` value of the previous page')
    .addOption(
      new Option('--follow', 'print new calls as they end, below the newest ones; Ctrl-C stops it').conflicts([
        'after',
        'until',
      ]),
    )
    .addOption(new Option('--outcome <outcome...>', 'only calls that ended in one of these ways').choices(callOutcomes))
    .addOption(new Option('--flag <flag...>', 'only calls with one of these flags').choices(callFlags))
    .option('--model <name...>', 'only calls of one of these models')
    .option('--owner <name...>', 'only calls for one of the keys with these names')
    .addOption(lastOption().conflicts('since'))
    .option('--since <time>', 'only calls that ended at this time or later, such as 2026-11-18T20:30:00Z', timeOf)
    .option('--until <time>', 'only calls that ended before this time', timeOf)
    .action((options: Options) =>
      withConnection(terminal, options, setExitCode, async (connection) => {
        const { limit, after, outcome, flag, model, owner, last, until, follow } = options
        const since = last === undefined ? options.since : new Date(Date.now() - last).toISOString()
        const asked: WantedCalls = { limit, after, outcome, flag, model, owner, since, until }
        if (follow) return followCalls(connection, asked, terminal, options)
        const list = await newestCalls(connection.archive, asked)
        show(terminal, options, list, () => listLines(list, asked, terminal))
        return undefined
      }),
    )
}

function listLines({ calls, next, from }: ListedCalls, asked: WantedCalls, terminal: Terminal): string[] {
  const { paint, command } = terminal
  const { after: _, limit: __, ...filter } = asked
  const isFiltered = Object.values(filter).some((value) => value !== undefined)
  const lookedBack = isFiltered && from !== undefined ? `Looked back to ${from}. ` : ''
  const more = next === undefined ? [] : [paint.dim(`${lookedBack}There are more: ${command(wordsOf(asked, next))}`)]
  if (calls.length > 0) {
    const { heading, row } = callTable(calls, terminal, Date.now())
    return [heading, ...calls.map(row), ...(more.length === 0 ? [] : ['', ...more])]
  }
  if (next !== undefined) return ['No call matches so far.', ...more]
  if (asked.after !== undefined) return ['There are no more calls.']
  return [
    isFiltered
      ? 'No call matches.'
      : `No model was called yet. Set the base URL of your app to the gateway, or start a chat with: ${command('chat')}`,
  ]
}

/** The words that ask for the next page. */
function wordsOf({ limit, ...filter }: WantedCalls, next: string): string {
  const options = Object.entries({ ...filter, limit: String(limit), after: next }).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, ...[value].flat().map((each) => shellWord(printableLine(each)))],
  )
  return ['calls', ...options].join(' ')
}

function timeOf(text: string): string {
  const time = /^\d{4}-\d\d-\d\d(T|$)/.test(text) ? Date.parse(text) : NaN
  if (Number.isNaN(time))
    throw new InvalidArgumentError('A time is a day, or a day and a time, such as 2026-11-18 or 2026-11-18T20:30:00Z.')
  return new Date(time).toISOString()
}
