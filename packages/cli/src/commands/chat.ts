import { printableLine } from '@minutebook/server'
import { talk } from '../chat/chat.ts'
import { chooseModel, type Conversation, messagesOf, modelsOf, startThread } from '../chat/conversation.ts'
import { reachGateway } from '../connection/gateway.ts'
import { withThread } from '../thread/find.ts'
import { remoteArchive } from '../connection/remote-archive.ts'
import type { ServerAddress } from '../connection/server.ts'
import { type ExitCode, tellFailure } from '../terminal/failure.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type DefineCommand, type RecordOptions, serverCommand } from './command.ts'

interface Options extends RecordOptions {
  readonly model?: string
  readonly thread?: string
  readonly system?: string
  readonly upstream?: string
}

export const define: DefineCommand = (command, terminal, setExitCode) => {
  serverCommand(command)
    .argument('[message...]', 'send this message, print the answer, and exit')
    .option('--model <name>', 'the model (default: the only one, else you are asked)')
    .option('--thread <id>', 'continue this thread')
    .option('--system <text>', 'the system message of a new thread')
    .option('--upstream <url>', 'URL of the model server, if no gateway is running')
    .option('--json', 'print one line of JSON for each answer')
    .action(async (words: readonly string[], options: Options) => {
      try {
        setExitCode(await chat(terminal, words.join(' '), options))
      } catch (error) {
        setExitCode(tellFailure(terminal, error, options.json === true))
      }
    })
}

async function chat(terminal: Terminal, message: string, options: Options): Promise<ExitCode> {
  const { address, own } = await reachGateway(terminal, options, async ({ hostedRuns }) => hostedRuns.onlyAsked())
  try {
    const conversation = await begin(terminal, address, options)
    if (message === '' && options.json !== true && terminal.output.isTTY === true)
      greet(terminal, conversation, own ? undefined : address.url)
    return await talk(conversation, terminal, { message, json: options.json === true })
  } finally {
    await own?.close({ patience: 2000 })
  }
}

async function begin(
  terminal: Terminal,
  address: ServerAddress,
  { model, thread, system, key }: Options,
): Promise<Conversation> {
  const given = key ?? terminal.environment['MINUTEBOOK_KEY'] ?? address.token ?? ''
  const choice = await modelsOf({ url: address.url, key: given }, terminal)
  const chosen = await chooseModel(choice, model, terminal)
  const conversation: Conversation = {
    ...choice,
    archive: remoteArchive(address),
    model: chosen,
    system,
    thread: undefined,
    turn: undefined,
    messages: [],
  }
  startThread(conversation)
  if (thread === undefined) return conversation
  return withThread({ ...conversation, command: terminal.command }, thread, async (id) => ({
    ...conversation,
    messages: await messagesOf(conversation.archive, id),
    thread: id,
  }))
}

function greet({ print, paint }: Terminal, { model, thread, messages }: Conversation, url: string | undefined): void {
  const where = url === undefined ? 'its own gateway' : `the gateway at ${url}`
  print(`${paint.bold(printableLine(model))} ${paint.dim(`through ${where}`)}`)
  if (thread !== undefined) print(paint.dim(`Continuing ${printableLine(thread)}: ${messages.length} messages so far.`))
  print(paint.dim('Ctrl-C stops an answer; press it again to quit. /help lists the commands.'))
}
