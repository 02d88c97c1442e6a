// What did a run show? A table of right answers with their uncertainty, and who got right what others did not.
import { table } from '../markdown.ts'
import { ours } from './contexts.ts'
import type { AnswersData, AskedQuestion } from './data.ts'
import { interval, signTest } from './statistics.ts'

const answersTitle = '# Right answers'

export function answersReport(data: AnswersData): string {
  return [answersTitle, setting(data), answersTable(data), comparisons(data)].join('\n\n')
}

/** What was asked, of whom, in one paragraph. */
export function setting({ model, protocol, window, reserve, conversations, questions }: AnswersData): string {
  const mean = (of: (each: AnswersData['conversations'][number]) => number): string =>
    Math.round(conversations.reduce((sum, each) => sum + of(each), 0) / conversations.length).toLocaleString('en')
  return `${questions.length} questions about ${conversations.length === 1 ? 'one generated conversation' : `${conversations.length} generated conversations`} of about ${mean(({ messages }) => messages)} messages and ${mean(({ tokens }) => tokens)} tokens (${conversations.map(({ id }) => id).join(', ')}). Model \`${model}\` (${protocol}'s protocol) at temperature 0, a context window of ${window.toLocaleString('en')} tokens; Minutebook and the sliding window keep ${reserve} of them free for the answer. An answer is right if it names the expected word and no other one that could be meant.`
}

export function answersTable({ contexts, questions }: AnswersData): string {
  const rows = contexts.map(({ name, isCompared }) => {
    const given = questions.map(({ answers }) => answers[name]!)
    const right = given.filter(({ isRight }) => isRight).length
    const [low, high] = interval(right, given.length)
    const read = given.flatMap(({ promptTokens }) => promptTokens ?? [])
    return [
      isCompared ? name : `*${name}*`,
      `${right} of ${given.length}`,
      `${Math.round((100 * right) / given.length)} %`,
      `${Math.round(low)}–${Math.round(high)} %`,
      String(given.filter(({ isFactSent }) => isFactSent).length),
      String(given.filter(({ refusal }) => refusal !== undefined).length),
      read.length === 0
        ? '–'
        : Math.round(read.reduce((sum, each) => sum + each, 0) / read.length).toLocaleString('en'),
    ]
  })
  return table(
    ['what the model got', 'right', 'share', '95 % interval', 'fact was sent', 'refused', 'tokens read, mean'],
    rows,
  )
}

/** One line for each other context that is compared. */
export function comparisons({ contexts, questions }: AnswersData): string {
  const others = contexts.filter(({ name, isCompared }) => isCompared && name !== ours)
  const isRight = ({ answers }: AskedQuestion, name: string): boolean => answers[name]!.isRight
  return others
    .map(({ name }) => {
      const onlyOurs = questions.filter((each) => isRight(each, ours) && !isRight(each, name)).length
      const onlyOther = questions.filter((each) => !isRight(each, ours) && isRight(each, name)).length
      const chance = signTest(onlyOurs, onlyOther)
      return `- Compared with "${name}": ${onlyOurs} questions are right only with Minutebook, ${onlyOther} only without it (sign test: p ${chance < 0.001 ? '< 0.001' : `= ${chance.toFixed(3)}`}).`
    })
    .join('\n')
}
