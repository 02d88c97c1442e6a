import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { WireMessage } from '../wire-message.ts'
import { cut } from './chat-model.ts'
import { contexts, ours, sliding } from './contexts.ts'
import { isRightAnswer, joinedData, type AnswersData, type AskedQuestion } from './data.ts'
import { play, playedOf } from './play.ts'
import { makeQuiz } from './quiz.ts'
import { answersReport } from './report.ts'
import { interval, signTest } from './statistics.ts'
import { openUpstream, type Upstream } from './upstream.ts'

const window = 1024
const room = { window, reserve: 128 }
const silent = { step: (): void => undefined, done: (): void => undefined }
const quiz = makeQuiz(1, { tokens: 4000, questions: 12 })
const tokensOf = (messages: readonly WireMessage[]): number =>
  messages.reduce((sum, { content }) => sum + Math.ceil((content ?? '').length / 4) + 5, 0)

/** A model server that repeats the sentence with the answer if it is in the window; refuses or cuts what does not fit. */
async function scripted(protocol: 'Ollama' | 'OpenAI', overflow: 'refuses' | 'cuts'): Promise<Upstream> {
  const server = createServer((request, response) => {
    const pieces: Uint8Array[] = []
    request.on('data', (piece: Uint8Array) => pieces.push(piece))
    request.on('end', () => {
      if (request.method === 'GET') return void response.writeHead(protocol === 'Ollama' ? 200 : 404).end('{}')
      const { messages } = JSON.parse(Buffer.concat(pieces).toString()) as { messages: WireMessage[] }
      if (overflow === 'refuses' && tokensOf(messages) > window) return void response.writeHead(400).end('too long')
      const seen = cut(messages, (some) => tokensOf(some) <= window)
      const question = quiz.questions.find(({ text }) => text === messages.at(-1)?.content)!
      const isThere = seen.some(({ content }) => content?.includes(question.statement))
      const message = { role: 'assistant', content: isThere ? question.statement : 'I do not know.' }
      const counts = { prompt_eval_count: tokensOf(seen), usage: { prompt_tokens: tokensOf(seen) } }
      response.end(JSON.stringify({ message, choices: [{ message }], ...counts }))
    })
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  return openUpstream({ url: `http://127.0.0.1:${port}`, model: 'any', window, limit: 32 })
}

async function run(protocol: 'Ollama' | 'OpenAI', overflow: 'refuses' | 'cuts'): Promise<AnswersData> {
  const upstream = await scripted(protocol, overflow)
  expect(upstream.protocol).toBe(protocol)
  const provenance = { command: '', commit: '', isChanged: false, date: '', machine: '' }
  const questions: AskedQuestion[] = []
  for await (const asked of play([quiz], upstream, room, silent)) questions.push(...asked)
  const conversations = [playedOf(quiz)]
  return { ...provenance, model: 'any', protocol, ...room, conversations, contexts, questions }
}

const rightIn = ({ questions }: AnswersData, name: string): number =>
  questions.filter(({ answers }) => answers[name]!.isRight).length

describe('a run', () => {
  test('counts what a model that sees the fact answers, in each context', async () => {
    const data = await run('Ollama', 'cuts')
    expect(rightIn(data, 'only the message with the fact')).toBe(12)
    expect(rightIn(data, ours)).toBeGreaterThan(rightIn(data, sliding))
    for (const { answers } of data.questions)
      for (const name of [ours, sliding])
        expect(answers[name]!.isRight, JSON.stringify(answers[name])).toBe(answers[name]!.isFactSent)
    const whole = data.questions.map(({ answers }) => answers['whole history, as it is']!)
    expect(whole.every(({ isFactSent }) => isFactSent)).toBe(true)
    expect(whole.filter(({ isRight }) => isRight).length).toBeLessThan(12)
    expect(answersReport(data)).toContain(`| ${ours} `)
  })

  test('counts a prompt that is refused as not answered', async () => {
    const data = await run('OpenAI', 'refuses')
    expect(rightIn(data, 'whole history, as it is')).toBe(0)
    expect(answersReport(data)).toMatch(/\| whole history, as it is +\| +0 of 12 \| +0 % \| +0–2\d % \| +12 \| +12 \|/)
    expect(rightIn(data, ours)).toBeGreaterThan(0)
  })
})

test('runs about other conversations are one result; those that do not belong together are refused', () => {
  const asked = (conversation: string): AskedQuestion => ({ ...question, conversation })
  const question = { conversation: '', text: '', expected: '', messagesSince: 0, answers: {} }
  const runOf = (id: string, window = 2048): AnswersData => ({
    command: `run ${id}`,
    commit: 'c',
    isChanged: false,
    date: '',
    machine: '',
    model: 'm',
    protocol: 'Ollama',
    window,
    reserve: 256,
    conversations: [{ id, messages: 2, tokens: 9 }],
    contexts: [],
    questions: [asked(id)],
  })
  const joined = joinedData([runOf('quiz-1'), runOf('quiz-4')])
  expect(joined.questions.map(({ conversation }) => conversation)).toEqual(['quiz-1', 'quiz-4'])
  expect(joined.conversations.map(({ id }) => id)).toEqual(['quiz-1', 'quiz-4'])
  expect(joined.command).toBe('run quiz-1` and `run quiz-4')
  expect(() => joinedData([runOf('quiz-1'), runOf('quiz-1')])).toThrow('in two of these runs')
  expect(() => joinedData([runOf('quiz-1'), runOf('quiz-4', 4096)])).toThrow('differ in their setting')
})

describe('a quiz', () => {
  test('is the same for a seed, and has one fact for each question', () => {
    expect(makeQuiz(1, { tokens: 4000, questions: 12 })).toEqual(quiz)
    expect(makeQuiz(2, { tokens: 4000, questions: 12 })).not.toEqual(quiz)
    for (const { statement, evidence, expected } of quiz.questions) {
      const places = quiz.messages.flatMap(({ content }, index) => (content?.includes(statement) ? [index] : []))
      expect(places).toEqual([evidence])
      expect(statement).toContain(expected)
    }
  })
})

describe('an answer', () => {
  const dogs = ['Pickle', 'Olive', 'Blue-Cheese']
  test.each([
    ['It is called pickle.', true],
    ['Pickle', true],
    ['Pickled', false],
    ['It is called Olive.', false],
    ['Either Pickle or Olive.', false],
    ['I do not know.', false],
  ])('%s: %s', (given, isRight) => expect(isRightAnswer(given, 'Pickle', dogs)).toBe(isRight))

  test('may leave out a hyphen', () => expect(isRightAnswer('It was blue cheese!', 'Blue-Cheese', dogs)).toBe(true))
})

test('a window that cuts keeps system messages and the newest message, and drops no more than it must', () => {
  const message = (role: WireMessage['role'], content: string): WireMessage => ({ role, content })
  const messages = [message('system', 's'), ...['a', 'b', 'c', 'd'].map((text) => message('user', text))]
  const kept = (most: number): string =>
    cut(messages, (some) => some.length <= most)
      .map(({ content }) => content)
      .join('')
  expect([9, 5, 4, 2, 1].map(kept)).toEqual(['sabcd', 'sabcd', 'sbcd', 'sd', 'sd'])
})

test('intervals and tests are those of the tables', () => {
  expect(interval(5, 10).map(Math.round)).toEqual([24, 76])
  expect(interval(0, 40).map(Math.round)).toEqual([0, 9])
  expect(signTest(5, 0)).toBeCloseTo(0.0625)
  expect(signTest(3, 3)).toBe(1)
})
