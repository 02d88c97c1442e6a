import { isCancel, text } from '@clack/prompts'
import { printable, printableLine, type RunBoard } from '@minutebook/server'
import type { ThreadCall } from 'minutebook'
import { shortId } from '../call/open-call.ts'
import { decideAt, waitingAt } from '../connection/remote-decision.ts'
import type { ServerAddress } from '../connection/server.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { wrapped } from '../terminal/text.ts'
import type { AskPersons, ReachedRuns } from './runs.ts'

/**
 * Asks the persons in a run at this terminal, if the run is executed in this process. Otherwise says what they are
 * asked, and how to answer.
 */
export function personsAt(
  terminal: Terminal,
  { address, own }: Pick<ReachedRuns, 'address' | 'own'>,
  json: boolean | undefined,
): AskPersons {
  const isHere = own !== undefined && json !== true && terminal.input.isTTY === true && terminal.output.isTTY === true
  return async (board) => {
    const questions = await questionsIn(address, board)
    for (const [index, open] of questions.entries()) {
      if (!isHere || !(await isAnswered(terminal, address, open))) {
        for (const line of answerLines(terminal, questions.slice(index), board, own !== undefined))
          terminal.remark(line)
        return false
      }
    }
    return true
  }
}

/** What the persons in a run are asked now. */
async function questionsIn(server: ServerAddress, { participants, waiting }: RunBoard): Promise<readonly ThreadCall[]> {
  const asked = participants.filter(({ name }) => waiting.includes(name))
  return (await Promise.all(asked.map(({ thread }) => waitingAt(server, thread)))).flat()
}

/** Asks here. Returns false if the person leaves without an answer. */
async function isAnswered(terminal: Terminal, server: ServerAddress, open: ThreadCall): Promise<boolean> {
  const { input, output, columns, print } = terminal
  print()
  for (const line of wrapped(printable(questionOf(open)), columns())) print(line)
  const answer = await text({ message: `You answer for ${nameOf(open)}`, input, output })
  if (isCancel(answer)) return false
  const events = await decideAt(server, {
    thread: open.thread,
    call: open.id,
    decision: { do: 'answer', output: answer },
  })
  // Until its turn is over: the run then goes on by itself.
  for await (const { event } of events) if (event === 'end') break
  return true
}

/** What is asked, and how to answer elsewhere. */
function answerLines(
  { command }: Terminal,
  questions: readonly ThreadCall[],
  { run }: RunBoard,
  isOwn: boolean,
): string[] {
  return [
    ...questions.flatMap((open) => [
      `${nameOf(open)} was asked:`,
      ...printable(questionOf(open))
        .split('\n')
        .map((line) => `  ${line}`.trimEnd()),
      `Answer with: ${command(`decide ${shortId(open.id)} --thread ${printableLine(open.thread)} --answer TEXT`)}`,
    ]),
    isOwn
      ? `That needs a server: ${command('serve')}. Or answer at a terminal: ${command(`runs resume ${run}`)}`
      : `Then watch the run with: ${command(`runs watch ${run}`)}`,
  ]
}

function questionOf({ call: { input } }: ThreadCall): string {
  const { question } = Object(input) as { readonly question?: unknown }
  return typeof question === 'string' ? question : ''
}

/** The participant whose thread it is. */
function nameOf({ thread }: ThreadCall): string {
  return printableLine(thread.split('/').at(-1) ?? thread)
}
