import OpenAI, { APIError } from 'openai'
import { seededRandom } from './random.ts'
import { isTruncated, type Seen } from './seen.ts'
import { prose } from './texts.ts'

/** A client that knows nothing of us: it keeps the conversation itself and re-sends all of it with every turn. */
export interface ReSendingOptions {
  /** Of a server or of whatever stands before it, without `/v1`. */
  readonly url: string
  readonly turns: number
  /** What the engine has seen so far. */
  readonly seen: readonly Seen[]
  readonly model?: string
  readonly limit?: number
  /** How many times as long as usual each question is. */
  readonly length?: number
  readonly onTurn?: (turn: TurnReport) => void
}

export interface TurnReport {
  readonly turn: number
  /** The code or type of the refusal. */
  readonly rejected?: string
  /** Tokens of the prompt by the engine's own count, and as the client was told. */
  readonly tokens: number
  readonly reported: number
  /** Whether the engine took less than what it was sent. */
  readonly truncated: boolean
  /** Whether the engine saw them, in a message of the user's own: whole, or at least how they begin. */
  readonly holdsFirst: boolean
  readonly holdsLatest: boolean
  /** Whether one of them was not there whole. */
  readonly clips: boolean
  /** How many chats the engine saw for it. */
  readonly chats: number
}

export interface TalkReport {
  readonly turns: readonly TurnReport[]
  /** The turn of the first refusal. */
  readonly firstRejected: number | undefined
  readonly rejected: number
  readonly truncated: number
  readonly withoutFirst: number
  readonly withoutLatest: number
  /** Turns in which the first message or the latest question was clipped. */
  readonly clipped: number
  readonly milliseconds: number
}

/** Every other turn is streamed. A conversation that is refused is over: it would only be sent again, and longer. */
export async function talk({
  url,
  turns,
  seen,
  model = 'tiny',
  limit = 8,
  length = 1,
  onTurn,
}: ReSendingOptions): Promise<TalkReport> {
  const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: 'none' })
  const random = seededRandom(2026)
  const began = performance.now()
  const messages: OpenAI.ChatCompletionMessageParam[] = [
    { role: 'system', content: `You keep the minutes. ${prose(random, 12)}` },
  ]
  const reports: TurnReport[] = []
  const first = questionOf(0, random, length)
  for (let turn = 1; turn <= turns; turn++) {
    const question = turn === 1 ? first : questionOf(turn, random, length)
    messages.push({ role: 'user', content: question })
    const before = seen.length
    const answer = await ask(client, { model, messages, max_tokens: limit }, turn % 2 === 0)
    const report = reportOf(turn, answer, seen.slice(before), first, question)
    reports.push(report)
    onTurn?.(report)
    if ('rejected' in answer) break
    messages.push({ role: 'assistant', content: answer.text })
  }
  return { ...summaryOf(reports), milliseconds: performance.now() - began }
}

/** What went wrong, in words; undefined where nothing did. */
export function complaintOf({
  rejected,
  firstRejected,
  truncated,
  withoutFirst,
  withoutLatest,
  turns,
}: TalkReport): string | undefined {
  const faults = [
    firstRejected === undefined ? '' : `refused at turn ${firstRejected} (${turns.at(-1)?.rejected ?? ''})`,
    truncated > 0 ? `${truncated} prompts cut in silence` : '',
    withoutFirst > rejected ? `${withoutFirst - rejected} prompts without the first message` : '',
    withoutLatest > rejected ? `${withoutLatest - rejected} prompts without the latest question` : '',
    turns.some(({ chats }) => chats !== 1) ? 'a turn was not one model call' : '',
  ].filter((fault) => fault !== '')
  return faults.length === 0 ? undefined : faults.join(', ')
}

type Answer = { readonly text: string; readonly reported: number } | { readonly rejected: string }

async function ask(
  client: OpenAI,
  body: OpenAI.ChatCompletionCreateParamsNonStreaming,
  streams: boolean,
): Promise<Answer> {
  try {
    if (!streams) {
      const { choices, usage } = await client.chat.completions.create(body)
      return { text: choices[0]?.message.content ?? '', reported: usage?.prompt_tokens ?? 0 }
    }
    let text = ''
    let reported = 0
    for await (const { choices, usage } of await client.chat.completions.create({
      ...body,
      stream: true,
      stream_options: { include_usage: true },
    })) {
      text += choices[0]?.delta.content ?? ''
      reported = usage?.prompt_tokens ?? reported
    }
    return { text, reported }
  } catch (error) {
    if (!(error instanceof APIError)) throw error
    return {
      rejected: `${error.status}: ${String(error.type === 'exceed_context_size_error' ? error.type : (error.code ?? error.type))}`,
    }
  }
}

function reportOf(turn: number, answer: Answer, seen: readonly Seen[], first: string, latest: string): TurnReport {
  const newest = seen.at(-1)
  const texts = newest === undefined || newest.isRefused ? [] : userTexts(newest)
  const holds = (text: string): boolean => texts.some((each) => each.includes(text.slice(0, text.indexOf(':') + 1)))
  return {
    turn,
    ...('rejected' in answer && { rejected: answer.rejected }),
    tokens: newest?.sent ?? 0,
    reported: 'reported' in answer ? answer.reported : 0,
    truncated: seen.some(isTruncated) || ('reported' in answer && answer.reported !== newest?.sent),
    holdsFirst: holds(first),
    holdsLatest: holds(latest),
    clips: texts.length > 0 && [first, latest].some((text) => !texts.some((each) => each.includes(text))),
    chats: seen.length,
  }
}

function summaryOf(turns: readonly TurnReport[]): Omit<TalkReport, 'milliseconds'> {
  const count = (test: (turn: TurnReport) => boolean): number => turns.filter(test).length
  return {
    turns,
    firstRejected: turns.find(({ rejected }) => rejected !== undefined)?.turn,
    rejected: count(({ rejected }) => rejected !== undefined),
    truncated: count(({ truncated }) => truncated),
    withoutFirst: count(({ holdsFirst }) => !holdsFirst),
    withoutLatest: count(({ holdsLatest }) => !holdsLatest),
    clipped: count(({ clips, holdsFirst, holdsLatest }) => clips && holdsFirst && holdsLatest),
  }
}

function userTexts({ messages }: Seen): string[] {
  return (messages as readonly { readonly role: string; readonly content?: unknown }[])
    .filter(({ role }) => role === 'user')
    .map(({ content }) => String(content))
}

function questionOf(turn: number, random: () => number, length: number): string {
  return `Question ${turn}: ${prose(random, length * (8 + Math.floor(random() * 16)))}`
}
