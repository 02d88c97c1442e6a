import { folderOf, forkRun, runCommands, type RunCommand, type RunList, type RunSummary } from '@minutebook/server'
import type { Command } from 'commander'
import type { Value } from '@minutebook/experiment/run'
import { tellFailure, type ExitCode } from '../failure.ts'
import type { Office } from '../office.ts'
import { followRun } from '../runs/follow-run.ts'
import { reachRuns } from '../runs/reach-runs.ts'
import { withSetting } from '../runs/setting.ts'
import type { Terminal } from '../terminal.ts'
import { runBoard } from '../views/run-board.ts'
import { runList } from '../views/run-list.ts'
import { statusText } from '../views/run-words.ts'
import { countOf, reading, readingCommand, show, type Ended, type ReadingOptions } from './reading.ts'

interface ListOptions extends ReadingOptions {
  readonly limit: number
  readonly after?: string
}

/** Runs of experiments: which there are, and what is wanted of them. */
export function runsCommand(terminal: Terminal, ended: Ended): Command {
  const command = readingCommand('runs', 'List the runs of experiments, the newest first; show and steer them')
    .option('--limit <n>', 'how many', countOf('A limit'), 20)
    .option('--after <run>', 'the last run of the page before')
    .action((options: ListOptions) =>
      reading(terminal, options, ended, async (office) => {
        const list = await office.runs.list({ limit: Math.min(200, options.limit), after: options.after })
        show(terminal, options, list, () => [
          ...runList(list, terminal, Date.now()),
          ...(isUnserved(office) ? unservedLines(list, terminal) : []),
        ])
      }),
    )
  command.addCommand(showCommand(terminal, ended))
  command.addCommand(watchCommand(terminal, ended))
  for (const wish of runCommands) command.addCommand(steerCommand(terminal, ended, wish))
  command.addCommand(forkCommand(terminal, ended))
  return command.addCommand(manifestCommand(terminal, ended))
}

/** Whether it is known that no run goes on: others may work on a database. */
function isUnserved({ server, config }: Office): boolean {
  return server === undefined && config.database === undefined
}

function unservedLines({ runs }: RunList, { paint }: Terminal): string[] {
  return runs
    .filter(({ status }) => status === 'running')
    .map(({ run }) => paint.yellow(`Nobody runs ${run}; go on with: minutebook runs resume ${run}`))
}

function showCommand(terminal: Terminal, ended: Ended): Command {
  return readingCommand('show', 'Show a run, round by round')
    .argument('<run>', 'its name')
    .action((run: string, _: object, command: Command) => {
      const options = command.optsWithGlobals<ReadingOptions>()
      return reading(terminal, options, ended, async ({ runs }) => {
        const board = await runs.show(run)
        show(terminal, options, board, () => runBoard(board, terminal))
      })
    })
}

function watchCommand(terminal: Terminal, ended: Ended): Command {
  return readingCommand('watch', 'Watch a run that goes on; Ctrl-C leaves it')
    .argument('<run>', 'its name')
    .action((run: string, _: object, command: Command) => {
      const options = command.optsWithGlobals<ReadingOptions>()
      return reading(terminal, options, ended, async (office) => {
        if (isUnserved(office) && (await office.runs.summary(run)).status === 'running') {
          terminal.remark(`Nobody runs ${run}; go on with: minutebook runs resume ${run}`)
          return 1
        }
        return followRun(terminal, office.runs, run, { json: options.json, pauses: false })
      })
    })
}

function manifestCommand(terminal: Terminal, ended: Ended): Command {
  return readingCommand('manifest', 'Print what a run was really made with, as JSON')
    .argument('<run>', 'its name')
    .action((run: string, _: object, command: Command) => {
      const options = command.optsWithGlobals<ReadingOptions>()
      return reading(terminal, options, ended, async ({ runs }) =>
        show(terminal, { json: true }, await runs.manifest(run), () => []),
      )
    })
}

const wishes: Readonly<Record<RunCommand, string>> = {
  pause: 'Let no further turn of a run begin',
  resume: 'Go on with a run that was paused; in this process where no server runs',
  stop: 'End a run',
  retry: 'Go on with a run that failed or was stopped; in this process where no server runs',
}

function steerCommand(terminal: Terminal, ended: Ended, wish: RunCommand): Command {
  const command = readingCommand(wish, wishes[wish]).argument('<run>', 'its name')
  if (wish === 'resume' || wish === 'retry') withUpstream(command)
  return command.action((run: string, _: object, given: Command) => {
    const options = given.optsWithGlobals<WorkingOptions>()
    if (wish === 'resume' || wish === 'retry') return carriedOn(terminal, options, ended, run, wish)
    return reading(terminal, options, ended, async ({ runs }) => told(terminal, options, await runs.steer(run, wish)))
  })
}

interface WorkingOptions extends ReadingOptions {
  readonly upstream?: string
}

function withUpstream(command: Command): Command {
  return command.option('--upstream <url>', 'where the models are, where no server runs')
}

/** At the server that runs; else here, to its end. */
async function carriedOn(
  terminal: Terminal,
  options: WorkingOptions,
  ended: Ended,
  run: string,
  wish: 'resume' | 'retry',
): Promise<void> {
  await atWork(terminal, options, ended, run, async ({ runs, own }) => {
    const { status } = await runs.summary(run)
    // One whose process died was never paused: it goes on as soon as somebody serves it.
    if (!(own && status === 'running')) {
      const summary = await runs.steer(run, wish)
      if (!own) return told(terminal, options, summary)
    }
    return followRun(terminal, runs, run, { json: options.json, pauses: true })
  })
}

interface ForkOptions extends WorkingOptions {
  readonly round: number
  readonly as?: string
  readonly set?: Value
}

function forkCommand(terminal: Terminal, ended: Ended): Command {
  return withUpstream(readingCommand('fork', 'Begin a new run with what another did before a round, and one change'))
    .argument('<run>', 'its name')
    .requiredOption('--round <k>', 'the first round that is played anew', countOf('A round'))
    .option('--as <run>', 'the name of the new run; one is made up unless told')
    .option(
      '--set <field=value>',
      'what is other, such as participants.ann.model=gemma3:12b; can be repeated',
      withSetting,
    )
    .action((run: string, _: object, command: Command) => {
      const { round, as, set: changes, ...options } = command.optsWithGlobals<ForkOptions>()
      return atWork(terminal, options, ended, undefined, async ({ runs, own }) => {
        const wish = { round, as, changes }
        if (!own) return told(terminal, options, await runs.fork(run, wish))
        const folder = await folderOf(own.services.stores.of('default').store, run)
        const { id } = await forkRun(own.services, { tenant: 'default', folder }, run, wish)
        return followRun(terminal, runs, id, { json: options.json, pauses: true })
      })
    })
}

/** `run`: the one that goes on. */
async function atWork(
  terminal: Terminal,
  options: WorkingOptions,
  ended: Ended,
  run: string | undefined,
  work: (reached: Awaited<ReturnType<typeof reachRuns>>) => Promise<ExitCode>,
): Promise<void> {
  try {
    const reached = await reachRuns(terminal, options, run)
    try {
      ended(await work(reached))
    } finally {
      await reached.close()
    }
  } catch (error) {
    ended(tellFailure(terminal, error, options.json === true))
  }
}

function told(terminal: Terminal, options: ReadingOptions, summary: RunSummary): ExitCode {
  const { run, status } = summary
  const isOn = status === 'running'
  show(terminal, options, summary, () => [
    `${terminal.paint.bold(run)} ${statusText(status, terminal.paint)}${isOn ? terminal.paint.dim(`  watch it with: minutebook runs watch ${run}`) : ''}`,
  ])
  return 0
}
