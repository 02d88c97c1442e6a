import { type Definition, definitionValue } from '@minutebook/experiment'
import { statedSeed, type Value } from '@minutebook/experiment/run'
import { beginRun, printableLine, type RunArchive, type RunSummary } from '@minutebook/server'
import { InvalidArgumentError } from 'commander'
import { MinutebookError } from 'minutebook'
import { configOf } from '../connection/location.ts'
import { toolsAt } from '../connection/remote-archive.ts'
import { checkPlace, placeOf } from '../runs/check-place.ts'
import { type ExperimentFile, namedIn, readExperimentFile, registeredIn, withSetting } from '../runs/experiment-file.ts'
import { personsAt } from '../runs/person.ts'
import { followRun, type ReachedRuns, reachRuns } from '../runs/runs.ts'
import { type ExitCode, safeJson, tellFailure } from '../terminal/failure.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { counted } from '../terminal/text.ts'
import { type DefineCommand, type RecordOptions, serverCommand } from './command.ts'

interface Options extends RecordOptions {
  readonly name?: string
  readonly seed?: number
  readonly answers?: string
  readonly set?: Value
  readonly check?: boolean
  readonly upstream?: string
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  serverCommand(command)
    .argument('<file>', 'the experiment, for example stand.yaml')
    .option('--name <run>', 'name of the run (default: a generated one)')
    .option(
      '--seed <number>',
      'seed of hooks, tools, and models without a seed of their own (default: that of the file or of --answers)',
      seedOf,
    )
    .option('--answers <run>', 'replay the answers of this run; calls no model')
    .option(
      '--set <field=value>',
      'override a field, for example participants.ann.model=gemma3:12b; can be repeated',
      withSetting,
    )
    .option('--check', 'only check the file; runs and starts nothing')
    .option('--upstream <url>', 'URL of the model server, if no Minutebook server is running')
    .option('--json', 'print one line of JSON for each event')
    .addHelpText('after', help)
    .action(async (file: string, options: Options) => {
      let hasBegun = false
      const begins = (): void => void (hasBegun = true)
      try {
        setExitCode(
          options.check === true ? await check(terminal, file, options) : await run(terminal, file, options, begins),
        )
      } catch (error) {
        const code = tellFailure(terminal, error, options.json === true)
        setExitCode(options.check === true || hasBegun ? code : 2)
      }
    })
}

const help = `
If a server is running, the experiment runs there. Otherwise it runs in this process, and its tools can be modules
next to the file, HTTP addresses and MCP servers. Such an experiment can start programs and send environment
variables, so run only files that you trust. --check runs nothing. Ctrl-C pauses the run.
Participants that are persons are asked at this terminal if the experiment runs in this process. Otherwise the
command says how to answer for them.
The exit code is 0 if the run reached a success goal or its limit of rounds, and 1 if it ended or stopped otherwise.
It is 2 if no run began, for example because its name is taken.`

async function check(terminal: Terminal, file: string, options: Options): Promise<ExitCode> {
  const place = await placeOf(terminal, options)
  const registered = place.server ? await toolsAt(place.server) : (text: string) => namedIn(place.config, text)
  const read = await readExperimentFile(file, { registered, changes: options.set })
  await checkPlace(place, file, read)
  const { name, participants, tools = {} } = read.definition
  const found = { participants: Object.keys(participants).length, tools: Object.keys(tools).length }
  const untried = untriedIn(read.definition)
  const fixedSeeds = fixedSeedsIn(read.definition)
  if (options.json === true) terminal.print(safeJson({ name, ...found, problems: [], untried, fixedSeeds }))
  else {
    terminal.print(
      `${terminal.paint.green('✓')} ${terminal.paint.bold(printableLine(name))} can be run: ${counted(found.participants, 'participant')}, ${counted(found.tools, 'tool')}`,
    )
    for (const line of fixedSeedLines(fixedSeeds)) terminal.print(terminal.paint.dim(`  ${line}`))
    if (untried.length > 0)
      terminal.print(
        terminal.paint.dim(
          `  Not tested, because a check loads and starts nothing: ${untried.map(printableLine).join(', ')}`,
        ),
      )
  }
  return 0
}

/** The fields that name code or a server, which only a run can test. */
function untriedIn({ tools = {} }: Definition): readonly string[] {
  return Object.entries(tools).flatMap(([name, tool]) =>
    (['module', 'mcp', 'http'] as const).filter((way) => tool[way] !== undefined).map((way) => `tools.${name}.${way}`),
  )
}

/** The seeds that `--seed` does not change, by participant. */
function fixedSeedsIn({ participants }: Definition): Readonly<Record<string, Value>> {
  return Object.fromEntries(
    Object.entries(participants).flatMap(([name, { model }]) => {
      const seed = model && statedSeed(model)
      return seed === undefined ? [] : [[name, seed]]
    }),
  )
}

/** One line, or none if there are none. */
function fixedSeedLines(seeds: Readonly<Record<string, Value>>): string[] {
  const texts = Object.entries(seeds).map(
    ([name, seed]) => `${name} (${printableLine(typeof seed === 'string' ? seed : JSON.stringify(seed))})`,
  )
  return texts.length === 0 ? [] : [`Fixed model seeds, which --seed does not change: ${texts.join(', ')}`]
}

async function run(
  terminal: Terminal,
  file: string,
  { set, name, seed, answers, json, ...options }: Options,
  begins: () => void,
): Promise<ExitCode> {
  // Report errors in the file before anything is started.
  const registered = await registeredIn(await configOf(terminal, options))
  const mayBeRegistered = options.server === undefined && terminal.environment['MINUTEBOOK_SERVER'] === undefined
  if (mayBeRegistered) await readExperimentFile(file, { registered, changes: set }).catch(ignoreUnknownTools)
  const reached = await reachRuns(terminal, options)
  try {
    const read = await readExperimentFile(file, {
      registered: reached.own ? registered : await toolsAt(reached.address),
      changes: set,
    })
    const { run: begun } = await begin(terminal, reached, read, { run: name, seed, answers })
    begins()
    if (seed !== undefined) for (const line of fixedSeedLines(fixedSeedsIn(read.definition))) terminal.remark(line)
    const askPersons = personsAt(terminal, reached, json)
    return await followRun(terminal, reached.runs, begun, { json, pauses: true, askPersons })
  } finally {
    await reached.close()
  }
}

/** Throws any other error: a running server may have tools that the settings here do not name. */
function ignoreUnknownTools(error: unknown): void {
  if (!MinutebookError.isInstance(error)) throw error
  const { problems } = error.details as { readonly problems?: readonly { readonly field: string }[] }
  if (!problems?.every(({ field }) => /\.(tools\[\d+\]|use)$/.test(field))) throw error
}

async function begin(
  terminal: Terminal,
  { runs, own, address }: ReachedRuns,
  { definition, folder }: ExperimentFile,
  wish: { readonly run: string | undefined; readonly seed: number | undefined; readonly answers: string | undefined },
): Promise<Pick<RunSummary, 'run'>> {
  try {
    if (own) return { run: (await beginRun(own.services, { tenant: 'default', folder }, { definition, ...wish })).id }
    return await runs.begin({ definition: definitionValue(definition), ...wish })
  } catch (error) {
    if (MinutebookError.isInstance(error) && error.code === 'run_exists' && wish.run !== undefined)
      throw await withNextCommand(terminal, error, runs, wish.run, own !== undefined)
    if (own || !MinutebookError.isInstance(error) || error.code !== 'tool_not_allowed') throw error
    throw new MinutebookError(
      error.code,
      error.problem,
      `${error.fix}\nTo run it in this process, stop the server at ${address.url}, or pass another folder with --data.`,
      error.details,
    )
  }
}

/** Adds to the error how to continue the run that already has the name, if it is not over. */
async function withNextCommand(
  { command }: Terminal,
  error: MinutebookError,
  runs: RunArchive,
  run: string,
  isOwn: boolean,
): Promise<MinutebookError> {
  const { status } = await runs.summary(run)
  const way = status === 'running' || status === 'waiting' ? (isOwn ? 'resume' : 'watch') : ways[status]
  return way === undefined
    ? error
    : new MinutebookError(
        error.code,
        `${error.message}\nThat run is ${status}.`,
        `Continue it with: ${command(`runs ${way} ${run}`)}`,
        error.details,
      )
}

const ways: Readonly<Partial<Record<RunSummary['status'], string>>> = {
  paused: 'resume',
  stopping: 'watch',
  stopped: 'retry',
  error: 'retry',
}

function seedOf(text: string): number {
  const seed = Number(text)
  if (!Number.isSafeInteger(seed) || text.trim() === '') throw new InvalidArgumentError('A seed is a whole number.')
  return seed
}
