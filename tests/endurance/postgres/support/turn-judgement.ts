import type { Book, Entry } from 'minutebook'
import { traits } from 'minutebook/store'

/** What was sent and done, held against what is on record. */
export interface TurnJudgement {
  /** Messages that were not said, or not answered. */
  readonly lost: number
  /** How often a message was said or answered once more. */
  readonly doubled: number
  /** What is wrong; empty when all is well. */
  readonly findings: readonly string[]
}

/** A message that was sent under an id, and until it was answered. */
export interface Sent {
  readonly thread: string
  readonly message: string
}

export interface TurnEvidence {
  readonly sent: readonly Sent[]
  /** For each run of the tool that may not be repeated, the message of its turn. */
  readonly runs: readonly string[]
}

/**
 * Judges turns of `crash-instance.ts`. Each message must be said once and answered once, and what may not be repeated
 * was not.
 */
export async function judgeTurns(book: Book, { sent, runs }: TurnEvidence): Promise<TurnJudgement> {
  const judged: TurnJudgement[] = []
  for (const name of new Set(sent.map(({ thread }) => thread)))
    judged.push(
      await judgeThread(
        book,
        name,
        sent.filter(({ thread }) => thread === name).map(({ message }) => message),
      ),
    )
  const repeated = [...counted(runs)]
    .filter(([, count]) => count > 1)
    .map(([message, count]) => `the tool that may not be repeated ran ${count} times for ${message}`)
  const sum = (count: 'lost' | 'doubled'): number => judged.reduce((total, each) => total + each[count], 0)
  return {
    lost: sum('lost'),
    doubled: sum('doubled'),
    findings: [...judged.flatMap(({ findings }) => findings), ...repeated],
  }
}

async function judgeThread(book: Book, name: string, messages: readonly string[]): Promise<TurnJudgement> {
  const thread = book.thread(name)
  const chain = (await thread.entries()).filter(({ kind }) => traits[kind].chained)
  const said = counted(chain.filter(({ kind }) => kind === 'user').map(({ text }) => text))
  const answered = counted(
    chain.filter(({ kind, calls }) => kind === 'assistant' && calls.length === 0).map(({ text }) => text),
  )
  const answers = (message: string): number => answered.get(`Answer to ${message}`) ?? 0
  const lost = messages.filter((message) => !said.has(message) || answers(message) === 0)
  const doubled = messages.reduce(
    (total, message) => total + Math.max(0, (said.get(message) ?? 0) - 1) + Math.max(0, answers(message) - 1),
    0,
  )
  const { ok, problems } = await thread.verify()
  const branches = await thread.branches()
  return {
    lost: lost.length,
    doubled,
    findings: [
      ...lost.map((message) => `${message} was ${said.has(message) ? 'not answered' : 'lost'}`),
      ...(doubled > 0 ? [`in ${name}, ${doubled} times something was said or answered once more`] : []),
      ...(said.size === new Set(messages).size && chain.every(isInPlace)
        ? []
        : [`${name} is not made of turns to what was sent`]),
      ...(branches.length === 1 ? [] : [`${name} has ${branches.length} branches`]),
      ...(ok ? [] : [`${name} is not whole: ${JSON.stringify(problems)}`]),
    ],
  }
}

/** Each turn is a message, calls, their two results, and the answer to that message. */
function isInPlace({ kind, text }: Entry, index: number, chain: readonly Entry[]): boolean {
  const place = index % 5
  return (
    kind === ['user', 'assistant', 'tool', 'tool', 'assistant'][place] &&
    (place < 4 || text === `Answer to ${chain[index - 4]?.text}`)
  )
}

function counted(texts: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const text of texts) counts.set(text, (counts.get(text) ?? 0) + 1)
  return counts
}
