import { printableLine } from '@minutebook/server'
import { Option } from 'commander'
import { MinutebookError, type Decision, type ThreadCall } from 'minutebook'
import type { StreamEvent } from 'minutebook/http'
import type { KeptDecision } from 'minutebook/inspect'
import { firstDecision, secondError } from '../call/first-decision.ts'
import { callText, findCall, shortId } from '../call/open-call.ts'
import { serverFor } from '../connection/connection.ts'
import { configOf, fileIn, writesNoFileError } from '../connection/location.ts'
import { remoteArchive } from '../connection/remote-archive.ts'
import { decideAt, waitingAt } from '../connection/remote-decision.ts'
import type { ServerAddress } from '../connection/server.ts'
import { type ExitCode, safeJson, tellFailure } from '../terminal/failure.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { counted } from '../terminal/text.ts'
import { entryLines, margin } from '../thread/thread.ts'
import { type DefineCommand, resultCommand, type RecordOptions } from './command.ts'

interface Options extends RecordOptions {
  readonly run?: true
  readonly input?: string
  readonly refuse?: string | true
  readonly answer?: string
  readonly output?: string
  readonly thread?: string
  readonly by?: string
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  resultCommand(command)
    .argument('<call>', 'id of the call, or the beginning of it, as `minutebook waiting` lists it')
    .addOption(new Option('--run', 'allow the call: the tool runs').conflicts(['refuse', 'answer', 'output']))
    .option('--input <json>', 'with --run: other arguments for the tool')
    .addOption(
      new Option('--refuse [reason]', 'refuse the call, and tell the model why').conflicts(['answer', 'output']),
    )
    .addOption(new Option('--answer <text>', 'this text is the result of the call').conflicts('output'))
    .option('--output <json>', 'this value is the result of the call')
    .option('--thread <id>', 'the thread of the call, if a copy of the thread has the same call')
    .option('--by <name>', 'the person who decides; it is recorded as a claim, besides the key')
    .addHelpText('after', help)
    .action(async (named: string, options: Options) => {
      try {
        setExitCode(await decide(terminal, named, options))
      } catch (error) {
        setExitCode(tellFailure(terminal, withFirst(error), options.json === true))
      }
    })
}

const help = `
A call that needs approval takes --run or --refuse. One that needs an answer takes --answer, --output or --refuse.
The first decision counts. The server continues the turn, and this command shows it; Ctrl-C stops showing it, not the
turn. The exit code is 0 if the turn was answered or waits for another decision, else 1.`

async function decide(terminal: Terminal, named: string, options: Options): Promise<ExitCode> {
  const decision = decisionOf(options)
  const server = await runningAt(terminal, options)
  const open = await openCall(terminal, server, named, options.thread)
  const { id: call, thread } = open
  const events = await decideAt(server, { thread, call, decision, by: options.by })
  const done = decision.do === 'run' && 'input' in decision ? withInput(open, decision.input) : open
  terminal.remark(`${terminal.paintErrors.green('✓')} ${doneText[decision.do]}: ${callText(done)}`)
  return follow(terminal, options, open, events)
}

/** The call that waits. If it no longer does, the error says who has decided, if the log can be read. */
async function openCall(
  { command }: Terminal,
  server: ServerAddress,
  named: string,
  thread: string | undefined,
): Promise<ThreadCall> {
  const waiting = await waitingAt(server, thread)
  try {
    return findCall(waiting, named, command)
  } catch (error) {
    const isGone = MinutebookError.isInstance(error) && error.code === 'not_waiting'
    const first = isGone ? await firstDecision(remoteArchive(server), named, thread) : undefined
    throw first ? secondError(first) : error
  }
}

/** The call as it runs. */
function withInput(open: ThreadCall, input: unknown): Pick<ThreadCall, 'call'> {
  return { call: { ...open.call, input } }
}

const doneText: Readonly<Record<Decision['do'], string>> = { run: 'Allowed', refuse: 'Refused', answer: 'Answered' }

function decisionOf({ run, input, refuse, answer, output }: Options): Decision {
  if (input !== undefined && run === undefined) throw decisionError('--input is only for --run.')
  if (run) return { do: 'run', ...(input !== undefined && { input: jsonOf('--input', input) }) }
  if (refuse !== undefined) return { do: 'refuse', ...(refuse !== true && { reason: refuse }) }
  if (answer !== undefined) return { do: 'answer', output: answer }
  if (output !== undefined) return { do: 'answer', output: jsonOf('--output', output) }
  throw decisionError('No decision was given.')
}

function jsonOf(option: string, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new MinutebookError(
      'invalid_decision',
      `The value of ${option} is not JSON.`,
      `Write it like ${option} '{"item":"fern"}'.`,
    )
  }
}

function decisionError(problem: string): MinutebookError {
  return new MinutebookError('invalid_decision', problem, 'Pass --run, --refuse, --answer or --output.')
}

/** A server must run: another process may be writing to the record, and a turn that goes on needs its model. */
async function runningAt(terminal: Terminal, options: Options): Promise<ServerAddress> {
  const config = await configOf(terminal, options)
  const server = await serverFor(terminal, options, config)
  if (server) return server
  const file = fileIn(config)
  if (file !== undefined) throw writesNoFileError(file)
  throw new MinutebookError(
    'no_server',
    'No server is running on this record, and only a server can continue a turn.',
    `Start one with: ${terminal.command('serve')}. Or name one with --server.`,
  )
}

/** Prints what happens until the turn is over or waits again. */
async function follow(
  terminal: Terminal,
  { json = false }: Options,
  { thread }: ThreadCall,
  events: AsyncIterable<StreamEvent>,
): Promise<ExitCode> {
  const { paint, textColumns } = terminal
  for await (const { event, data } of events) {
    if (event === 'entry' && !json)
      for (const line of entryLines(data, Math.max(24, textColumns() - margin), paint, false)) terminal.print(line)
    if (event !== 'end') continue
    if (json) terminal.print(safeJson({ thread, ...data }))
    else for (const line of endLines(terminal, data)) terminal.remark(line)
    return data.status === 'failed' || data.status === 'cancelled' ? 1 : 0
  }
  throw new MinutebookError(
    'server_gone',
    'The decision is recorded, but the connection broke before the turn was over.',
    `See what became of it with: ${terminal.command(`show ${printableLine(thread)}`)}`,
  )
}

type EndOfTurn = Extract<StreamEvent, { readonly event: 'end' }>['data']

function endLines({ paintErrors: paint }: Terminal, { status, reason, waiting = [] }: EndOfTurn): string[] {
  if (status === 'waiting')
    return [
      `The turn waits for ${counted(waiting.length, 'more decision')}:`,
      ...waiting.map((open) => `  ${shortId(open.id)}  ${open.needs}  ${callText(open)}`),
    ]
  if (status === 'complete') return []
  return [`${paint.red('✗')} The turn is ${status}${reason ? `: ${printableLine(reason.message)}` : '.'}`]
}

/** Says in the error who decided first. */
function withFirst(error: unknown): unknown {
  if (!MinutebookError.isInstance(error) || error.code !== 'already_decided') return error
  const first = error.details as Partial<KeptDecision>
  return first.decision ? secondError({ ...first, decision: first.decision }) : error
}
