import type { Value } from '@minutebook/experiment/run'
import {
  folderOf,
  forkRun,
  printableLine,
  type RunCommand,
  runCommands,
  type RunList,
  type RunSummary,
} from '@minutebook/server'
import type { Command } from 'commander'
import type { Connection } from '../connection/connection.ts'
import { runBoard } from '../runs/board.ts'
import { withSetting } from '../runs/experiment-file.ts'
import { personsAt } from '../runs/person.ts'
import { followRun, reachRuns } from '../runs/runs.ts'
import { colourOf, numberText, statusText } from '../runs/words.ts'
import { type ExitCode, tellFailure } from '../terminal/failure.ts'
import { type Column, table } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { ago, figure } from '../terminal/text.ts'
import {
  countOf,
  type DefineCommand,
  resultCommand,
  type RecordOptions,
  type SetExitCode,
  show,
  withConnection,
} from './command.ts'

interface ListOptions extends RecordOptions {
  readonly limit: number
  readonly after?: string
}

/** Lists the runs of experiments, and has subcommands that show and control them. */
export const define: DefineCommand = (command, terminal, setExitCode) => {
  resultCommand(command)
    .option('--limit <n>', 'maximum number of runs', countOf('A limit'), 20)
    .option('--after <run>', 'the last run of the previous page')
    .action((options: ListOptions) =>
      withConnection(terminal, options, setExitCode, async (connection) => {
        const list = await (
          await connection.openRuns()
        ).list({ limit: Math.min(200, options.limit), after: options.after })
        show(terminal, options, list, () => [
          ...runList(list, terminal, Date.now()),
          ...(isUnserved(connection) ? unservedLines(list, terminal) : []),
        ])
      }),
    )
  defineShow(command.command('show'), terminal, setExitCode)
  defineWatch(command.command('watch'), terminal, setExitCode)
  for (const name of runCommands) defineSteer(command.command(name), terminal, setExitCode, name)
  defineFork(command.command('fork'), terminal, setExitCode)
  defineManifest(command.command('manifest'), terminal, setExitCode)
}

/** Whether certainly no process executes runs. Other processes may share a database. */
function isUnserved({ server, config }: Connection): boolean {
  return server === undefined && config.database === undefined
}

function unservedLines({ runs }: RunList, terminal: Terminal): string[] {
  return runs
    .filter(({ status }) => status === 'running')
    .map(({ run }) => terminal.paint.yellow(notRunningText(terminal, run)))
}

function notRunningText({ command }: Terminal, run: string): string {
  return `No process is running ${run}. Continue it with: ${command(`runs resume ${run}`)}`
}

const defineShow: DefineCommand = (command, terminal, setExitCode) => {
  resultCommand(command)
    .description('Show a run, round by round')
    .argument('<run>', 'its name')
    .action((run: string, _: object, given: Command) => {
      const options = given.optsWithGlobals<RecordOptions>()
      return withConnection(terminal, options, setExitCode, async ({ openRuns }) => {
        const board = await (await openRuns()).show(run)
        show(terminal, options, board, () => runBoard(board, terminal))
      })
    })
}

const defineWatch: DefineCommand = (command, terminal, setExitCode) => {
  resultCommand(command)
    .description('Watch a run; Ctrl-C stops watching, not the run')
    .argument('<run>', 'its name')
    .action((run: string, _: object, given: Command) => {
      const options = given.optsWithGlobals<RecordOptions>()
      return withConnection(terminal, options, setExitCode, async (connection) => {
        const runs = await connection.openRuns()
        if (isUnserved(connection) && isUnderWay((await runs.summary(run)).status)) {
          terminal.remark(notRunningText(terminal, run))
          return 1
        }
        return followRun(terminal, runs, run, { json: options.json, pauses: false })
      })
    })
}

const defineManifest: DefineCommand = (command, terminal, setExitCode) => {
  resultCommand(command)
    .description('Print the manifest of a run as JSON: what it actually ran with')
    .argument('<run>', 'its name')
    .action((run: string, _: object, given: Command) => {
      const options = given.optsWithGlobals<RecordOptions>()
      return withConnection(terminal, options, setExitCode, async ({ openRuns }) =>
        show(terminal, { json: true }, await (await openRuns()).manifest(run), () => []),
      )
    })
}

const steering: Readonly<Record<RunCommand, string>> = {
  pause: 'Pause a run; turns that have started are finished',
  resume: 'Resume a paused run; in this process if no server is running',
  stop: 'Stop a run',
  retry: 'Retry a run that failed or was stopped; in this process if no server is running',
}

function defineSteer(command: Command, terminal: Terminal, setExitCode: SetExitCode, name: RunCommand): void {
  resultCommand(command).description(steering[name]).argument('<run>', 'its name')
  if (name === 'resume' || name === 'retry') withUpstream(command)
  command.action((run: string, _: object, given: Command) => {
    const options = given.optsWithGlobals<WorkingOptions>()
    if (name === 'resume' || name === 'retry') return continueRun(terminal, options, setExitCode, run, name)
    return withConnection(terminal, options, setExitCode, async ({ openRuns }) =>
      printSummary(terminal, options, await (await openRuns()).steer(run, name)),
    )
  })
}

interface WorkingOptions extends RecordOptions {
  readonly upstream?: string
}

function withUpstream(command: Command): Command {
  return command.option('--upstream <url>', 'URL of the model server, if no Minutebook server is running')
}

/** Continues a run at the running server. If there is none, runs it here to its end. */
async function continueRun(
  terminal: Terminal,
  options: WorkingOptions,
  setExitCode: SetExitCode,
  run: string,
  name: 'resume' | 'retry',
): Promise<void> {
  await atWork(terminal, options, setExitCode, run, async (reached) => {
    const { runs, own } = reached
    const { status } = await runs.summary(run)
    // A run whose process died was never paused. It continues as soon as a process serves it.
    if (!(own && isUnderWay(status))) {
      const summary = await runs.steer(run, name)
      if (!own) return printSummary(terminal, options, summary)
    }
    const askPersons = personsAt(terminal, reached, options.json)
    return followRun(terminal, runs, run, { json: options.json, pauses: true, askPersons })
  })
}

/** Whether a run goes on by itself, or as soon as a person has answered. */
function isUnderWay(status: RunSummary['status']): boolean {
  return status === 'running' || status === 'waiting'
}

interface ForkOptions extends WorkingOptions {
  readonly round: number
  readonly as?: string
  readonly set?: Value
}

const defineFork: DefineCommand = (command, terminal, setExitCode) => {
  withUpstream(resultCommand(command))
    .description('Start a new run from the rounds of another before --round, with a change')
    .argument('<run>', 'its name')
    .requiredOption('--round <k>', 'the first round to play again', countOf('A round'))
    .option('--as <run>', 'name of the new run (default: a generated one)')
    .option(
      '--set <field=value>',
      'override a field, for example participants.ann.model=gemma3:12b; can be repeated',
      withSetting,
    )
    .action((run: string, _: object, given: Command) => {
      const { round, as, set: changes, ...options } = given.optsWithGlobals<ForkOptions>()
      return atWork(terminal, options, setExitCode, undefined, async (reached) => {
        const { runs, own } = reached
        const fork = { round, as, changes }
        if (!own) return printSummary(terminal, options, await runs.fork(run, fork))
        const folder = await folderOf(own.services.stores.of('default').store, run)
        const { id } = await forkRun(own.services, { tenant: 'default', folder }, run, fork)
        const askPersons = personsAt(terminal, reached, options.json)
        return followRun(terminal, runs, id, { json: options.json, pauses: true, askPersons })
      })
    })
}

/** `run`: the run to continue. */
async function atWork(
  terminal: Terminal,
  options: WorkingOptions,
  setExitCode: SetExitCode,
  run: string | undefined,
  work: (reached: Awaited<ReturnType<typeof reachRuns>>) => Promise<ExitCode>,
): Promise<void> {
  try {
    const reached = await reachRuns(terminal, options, run)
    try {
      setExitCode(await work(reached))
    } finally {
      await reached.close()
    }
  } catch (error) {
    setExitCode(tellFailure(terminal, error, options.json === true))
  }
}

function printSummary(terminal: Terminal, options: RecordOptions, summary: RunSummary): ExitCode {
  const { run, status } = summary
  const isOn = status === 'running'
  show(terminal, options, summary, () => [
    `${terminal.paint.bold(run)} ${statusText(status, terminal.paint)}${isOn ? terminal.paint.dim(`  watch it with: ${terminal.command(`runs watch ${run}`)}`) : ''}`,
  ])
  return 0
}

/** The runs as a table. */
function runList({ runs, next }: RunList, { paint, textColumns, command }: Terminal, now: number): string[] {
  if (runs.length === 0) return [`There are no runs yet. Start one with: ${command('run experiment.yaml')}`]
  const shown: (Column & { readonly of: (run: RunSummary) => string })[] = [
    { title: 'run', paint: (text) => paint.cyan(text), of: ({ run }) => run },
    { title: 'status', paint: (text, row) => paint[colourOf(runs[row]!.status)](text), of: ({ status }) => status },
    { title: 'round', right: true, of: ({ round, limit }) => (limit === null ? String(round) : `${round}/${limit}`) },
    { title: 'tokens', right: true, of: ({ spending: { prompt, completion } }) => figure(prompt + completion) },
    ...(runs.some(({ spending }) => spending.cost !== undefined)
      ? [
          {
            title: 'cost',
            right: true,
            of: ({ spending: { cost } }: RunSummary) => (cost === undefined ? '–' : numberText(cost)),
          },
        ]
      : []),
    { title: 'changed', paint: (text) => paint.dim(text), of: ({ changed }) => ago(changed ?? null, now) },
    {
      title: 'experiment',
      flexible: true,
      of: ({ name, status, reason, waiting }) =>
        [
          name,
          ...(reason === undefined ? [] : [reason]),
          ...(status === 'waiting' ? [`waits for ${waiting.join(', ')}`] : []),
        ]
          .map(printableLine)
          .join(': '),
    },
  ]
  const rows = runs.map((run) => shown.map(({ of }) => of(run)))
  const more = next === undefined ? [] : ['', paint.dim(`There are more: ${command(`runs --after ${next}`)}`)]
  return [...table(shown, rows, textColumns(), paint.bold), ...more]
}
