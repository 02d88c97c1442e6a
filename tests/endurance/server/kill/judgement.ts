import { existsSync } from 'node:fs'
import { sqliteStore } from '@minutebook/sqlite'
import { memoryStore, openBook, type Entry, type Store } from 'minutebook'
import { systemClock } from 'minutebook/clock'
import { answerTo, type Asked } from './talker.ts'

/** What is wrong, a line for each fault. */
export interface Judgement {
  /** Answers that looked complete and were not. */
  readonly early: readonly string[]
  /** Answers that looked complete and are not on record as such, behind their question. */
  readonly lost: readonly string[]
  /** Questions that are on record more than once. */
  readonly doubled: readonly string[]
  /** Threads that do not verify. */
  readonly broken: readonly string[]
}

/** Of a file of SQLite, which may not be there. */
export async function judge(file: string, asked: readonly Asked[]): Promise<Judgement> {
  if (!existsSync(file)) return judgeStore(memoryStore(), asked)
  using store = sqliteStore(file)
  return await judgeStore(store, asked)
}

export async function judgeStore(store: Store, asked: readonly Asked[]): Promise<Judgement> {
  const seemed = asked.filter(({ isWhole }) => isWhole)
  const record = await readRecord(store)
  return {
    early: seemed.filter(({ question, text }) => text !== answerTo(question)).map(lineOf),
    lost: seemed.filter(({ question, text }) => !record.answers.get(question)?.has(text)).map(lineOf),
    doubled: [...record.questions]
      .filter(([, times]) => times > 1)
      .map(([question, times]) => `${question}: ${times} times`),
    broken: record.broken,
  }
}

interface KeptRecord {
  /** By question, the texts of whole answers. */
  readonly answers: ReadonlyMap<string, ReadonlySet<string>>
  readonly questions: ReadonlyMap<string, number>
  readonly broken: readonly string[]
}

async function readRecord(store: Store): Promise<KeptRecord> {
  const answers = new Map<string, Set<string>>()
  const questions = new Map<string, number>()
  const broken: string[] = []
  const book = openBook({ store, clock: systemClock })
  let after: string | undefined
  do {
    const { threads, next } = await store.list(after === undefined ? {} : { after })
    for (const { thread } of threads) {
      const entries = await store.read(thread)
      note(entries, answers, questions)
      const { ok } = await book.thread(thread).verify()
      if (!ok) broken.push(thread)
    }
    after = next
  } while (after !== undefined)
  return { answers, questions, broken }
}

function note(entries: readonly Entry[], answers: Map<string, Set<string>>, questions: Map<string, number>): void {
  const byId = new Map(entries.map((entry) => [entry.id, entry]))
  for (const { kind, origin, status, text, parent } of entries) {
    if (kind === 'user') questions.set(text, (questions.get(text) ?? 0) + 1)
    const question = parent === null ? undefined : byId.get(parent)
    // What a client sends back is on record too, but was not when it looked complete.
    if (kind !== 'assistant' || origin !== 'model' || status !== 'complete' || question?.kind !== 'user') continue
    answers.set(question.text, (answers.get(question.text) ?? new Set()).add(text))
  }
}

function lineOf({ manner, question, text }: Asked): string {
  return `${manner.client}, ${manner.streams ? 'streamed' : 'whole'}, ${question}: ${JSON.stringify(text.slice(-40))}`
}
