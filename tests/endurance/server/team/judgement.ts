import { postgresStore } from '@minutebook/postgres'
import { openBook } from 'minutebook'
import { traits, type StoredEntry } from 'minutebook/store'
import { systemClock } from 'minutebook/clock'
import type { Pool } from 'pg'
import { answerTo, type Talked } from './talker.ts'

/** What is wrong, a line for each fault. */
export interface Judgement {
  /** Questions that are not on record, or without their one whole answer. */
  readonly lost: readonly string[]
  /** Questions or answers that are there more than once. */
  readonly doubled: readonly string[]
  /** Turns whose client saw in the end something else than what is on record. */
  readonly different: readonly string[]
  /** Threads that do not verify, or have a branch that nobody asked for. */
  readonly broken: readonly string[]
  /** What did not fit together on the way. */
  readonly faults: readonly string[]
}

/** Compares what clients saw with what is on record. */
export async function judge(pool: Pool, talked: readonly Talked[]): Promise<Judgement> {
  const store = postgresStore(pool)
  const book = openBook({ store, clock: systemClock })
  const [lost, doubled, different, broken]: string[][] = [[], [], [], []]
  for (const thread of new Set(talked.map((each) => each.thread))) {
    const own = talked.filter((each) => each.thread === thread)
    const log = await store.read(thread)
    for (const { question, shown, status } of own) {
      const asked = log.filter(({ kind, text }) => kind === 'user' && text === question)
      const answers = log.filter((entry) => isAnswerTo(entry, asked[0]))
      if (asked.length === 0 || answers[0]?.text !== answerTo(question))
        lost?.push(`${thread}: ${question} (${status})`)
      if (asked.length > 1 || answers.length > 1) doubled?.push(`${thread}: ${question}`)
      if (shown !== answers[0]?.text) different?.push(`${thread}: ${question}: …${shown.slice(-40)}`)
    }
    const { ok, problems } = await book.thread(thread).verify()
    const strangers = log.filter(({ kind }) => traits[kind].chained && kind !== 'system').length - 2 * own.length
    const branches = await book.thread(thread).branches()
    if (!ok || strangers !== 0 || branches.length !== 1)
      broken?.push(`${thread}: ${JSON.stringify(problems)}, ${strangers} entries too many, ${branches.length} branches`)
  }
  return {
    lost: lost ?? [],
    doubled: doubled ?? [],
    different: different ?? [],
    broken: broken ?? [],
    faults: talked.flatMap(({ question, faults }) => faults.map((fault) => `${question}: ${fault}`)),
  }
}

function isAnswerTo({ kind, status, parent }: StoredEntry, question: StoredEntry | undefined): boolean {
  return kind === 'assistant' && status === 'complete' && parent !== null && parent === question?.id
}

export const flawless: Judgement = { lost: [], doubled: [], different: [], broken: [], faults: [] }
