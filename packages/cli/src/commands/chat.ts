import type { Command } from 'commander'
import { printableLine } from '@minutebook/server'
import { chooseModel, modelsOf } from '../chat/models.ts'
import { beginAnew, type Conversation } from '../chat/conversation.ts'
import { reachGateway } from '../chat/gateway.ts'
import { messagesOf } from '../chat/known-thread.ts'
import { talk } from '../chat/talk.ts'
import { tellFailure, type ExitCode } from '../failure.ts'
import { withThread } from '../find-thread.ts'
import { remoteDesk } from '../remote-desk.ts'
import type { ServerAddress } from '../server-call.ts'
import type { Terminal } from '../terminal.ts'
import { officeCommand, type Ended, type ReadingOptions } from './reading.ts'

interface Options extends ReadingOptions {
  readonly model?: string
  readonly thread?: string
  readonly system?: string
  readonly upstream?: string
}

export function chatCommand(terminal: Terminal, ended: Ended): Command {
  return officeCommand('chat', 'Chat in the terminal, through the gateway')
    .argument('[message...]', 'say this, print the answer, and end')
    .option('--model <name>', 'the model; asked for where there are several')
    .option('--thread <id>', 'go on with this thread')
    .option('--system <text>', 'the system message of a new thread')
    .option('--upstream <url>', 'where the models are, for a gateway of its own')
    .option('--json', 'for programs: one line of JSON for each answer')
    .action(async (words: readonly string[], options: Options) => {
      try {
        ended(await chat(terminal, words.join(' '), options))
      } catch (error) {
        ended(tellFailure(terminal, error, options.json === true))
      }
    })
}

async function chat(terminal: Terminal, message: string, options: Options): Promise<ExitCode> {
  const { address, own, close } = await reachGateway(terminal, options)
  try {
    const conversation = await begin(terminal, address, options)
    if (message === '' && options.json !== true && terminal.output.isTTY === true)
      greet(terminal, conversation, own ? undefined : address.url)
    return await talk(conversation, terminal, { message, json: options.json === true })
  } finally {
    await close()
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
    desk: remoteDesk(address),
    model: chosen,
    system,
    thread: undefined,
    turn: undefined,
    messages: [],
  }
  beginAnew(conversation)
  if (thread === undefined) return conversation
  return withThread(conversation.desk, thread, async (id) => ({
    ...conversation,
    messages: await messagesOf(conversation.desk, id),
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
