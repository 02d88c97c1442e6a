// How many questions about a long conversation does a model answer rightly, by what it gets of the conversation? On anyone's model server.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { contexts } from './answers/contexts.ts'
import { joinedData, type AnswersData, type AskedQuestion } from './answers/data.ts'
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
    /** Plays nothing: makes one result of the data files of several runs. */
    join: { type: 'string', multiple: true, default: [] },
    out: { type: 'string', default: resultsFolder },
  },
})
if (options.join.length > 0) {
  console.log(save(joinedData(options.join.map((file) => JSON.parse(readFileSync(file, 'utf8')) as AnswersData))))
} else {
  await run()
}

async function run(): Promise<void> {
  const { upstream: url, model } = options
  if (url === undefined || model === undefined)
    throw new Error(
      'Pass the address of a model server and a model: --upstream http://127.0.0.1:11434 --model gemma3:4b',
    )
  const [window, seed] = [whole('window'), whole('seed')]
  const room = { window, reserve: Math.floor(window / 8) }
  const size = { tokens: window * whole('times'), questions: whole('questions') }
  const quizzes = Array.from({ length: whole('conversations') }, (_, index) => makeQuiz(seed + index, size))
  const upstream = await openUpstream({ url, model, window, limit: 24, key: process.env['OPENAI_API_KEY'] })
  const progress = showProgress(stepsOf(quizzes))
  const questions: AskedQuestion[] = []
  let report = ''
  for await (const asked of play(quizzes, upstream, room, progress)) {
    questions.push(...asked)
    const played = quizzes.filter(({ id }) => questions.some(({ conversation }) => conversation === id))
    // A long run that is ended before its end leaves the conversations that were done.
    report = save({
      ...provenanceOf('npm run bench:answers'),
      model,
      protocol: upstream.protocol,
      ...room,
      conversations: played.map(playedOf),
      contexts: contexts.map(({ name, isCompared }) => ({ name, isCompared })),
      questions,
    })
  }
  progress.done()
  console.log(report)
}

function whole(name: 'window' | 'conversations' | 'questions' | 'times' | 'seed'): number {
  const number = Number(options[name])
  if (!Number.isSafeInteger(number) || number < 1) throw new Error(`--${name} must be a whole number of at least 1.`)
  return number
}

/** Writes the data and the report, which is returned. */
function save(data: AnswersData): string {
  const report = answersReport(data)
  writeFileSync(join(options.out, 'answers.json'), `${JSON.stringify(data, null, 1)}\n`)
  writeFileSync(join(options.out, 'answers.md'), `${report}\n`)
  return report
}
