import { printableLine } from '@minutebook/server'
import { talk } from '../chat/chat.ts'
import { beginAnew, chooseModel, type Conversation, messagesOf, modelsOf } from '../chat/conversation.ts'
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
    .argument('[message...]', 'say this, print the answer, and end')
    .option('--model <name>', 'the model; asked for where there are several')
    .option('--thread <id>', 'go on with this thread')
    .option('--system <text>', 'the system message of a new thread')
    .option('--upstream <url>', 'where the models are, for a gateway of its own')
    .option('--json', 'for programs: one line of JSON for each answer')
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
  const choice = await modelsOf({
    url: address.url,
    key: key ?? terminal.environment['MINUTEBOOK_KEY'] ?? address.token ?? '',
  })
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
  beginAnew(conversation)
  if (thread === undefined) return conversation
  return withThread(conversation.archive, thread, async (id) => ({
    ...conversation,
    messages: await messagesOf(conversation.archive, id),
    thread: id,
  }))
}

function greet({ print, paint }: Terminal, { model, thread, messages }: Conversation, url: string | undefined): void {
  const where = url === undefined ? 'a gateway of its own' : `the gateway at ${url}`
  print(`${paint.bold(printableLine(model))} ${paint.dim(`through ${where}`)}`)
  if (thread !== undefined)
    print(paint.dim(`Going on with ${printableLine(thread)}: ${messages.length} messages so far.`))
  print(paint.dim('Ctrl-C stops an answer, and again leaves. /help lists what else there is.'))
}
