// How many questions about a long conversation does a model answer rightly, by what it gets of the conversation? On anyone's model server.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { contexts } from './answers/contexts.ts'
import type { AnswersData, AskedQuestion } from './answers/data.ts'
import { play, playedOf, stepsOf } from './answers/play.ts'
import { makeQuiz } from './answers/quiz.ts'
import { answersReport } from './answers/report.ts'
import { openUpstream } from './answers/upstream.ts'
import { provenanceOf, resultsFolder } from './evidence/provenance.ts'
import { showProgress } from './progress.ts'

const { values: options } = parseArgs({
  options: {
    upstream: { type: 'string' },
    model: { type: 'string' },
    window: { type: 'string', default: '4096' },
    conversations: { type: 'string', default: '3' },
    questions: { type: 'string', default: '20' },
    /** Tokens of a conversation, as a multiple of the window. */
    times: { type: 'string', default: '4' },
    seed: { type: 'string', default: '1' },
    out: { type: 'string', default: resultsFolder },
  },
})
if (options.upstream === undefined || options.model === undefined)
  throw new Error('Pass the address of a model server and a model: --upstream http://127.0.0.1:11434 --model gemma3:4b')

const whole = (name: 'window' | 'conversations' | 'questions' | 'times' | 'seed'): number => {
  const number = Number(options[name])
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} must be a whole number of at least 1.`)
  return number
}
const [window, seed] = [whole('window'), whole('seed')]
const room = { window, reserve: Math.floor(window / 8) }
const size = { tokens: window * whole('times'), questions: whole('questions') }
const quizzes = Array.from({ length: whole('conversations') }, (_, index) => makeQuiz(seed + index, size))

const upstream = await openUpstream({
  url: options.upstream,
  model: options.model,
  window,
  limit: 24,
  key: process.env['OPENAI_API_KEY'],
})
const progress = showProgress(stepsOf(quizzes))
const questions: AskedQuestion[] = []
for await (const asked of play(quizzes, upstream, room, progress)) {
  questions.push(...asked)
  // A long run that is ended before its end leaves the conversations that were done.
  save()
}
progress.done()
console.log(save())

function save(): string {
  const played = quizzes.filter(({ id }) => questions.some(({ conversation }) => conversation === id))
  const data: AnswersData = {
    ...provenanceOf('npm run bench:answers'),
    model: options.model!,
    protocol: upstream.protocol,
    ...room,
    seed,
    conversations: played.map(playedOf),
    contexts: contexts.map(({ name, isCompared }) => ({ name, isCompared })),
    questions,
  }
  const report = answersReport(data)
  writeFileSync(join(options.out, 'answers.json'), `${JSON.stringify(data, null, 1)}\n`)
  writeFileSync(join(options.out, 'answers.md'), `${report}\n`)
  return report
}
