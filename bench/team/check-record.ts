import { postgresStore } from '@minutebook/postgres'
import pg from 'pg'
import type { Said } from './crowd.ts'

/** What is on record and should not be, or should be and is not, a line for each. */
export async function checkRecord(database: string, said: readonly Said[]): Promise<string[]> {
  const pool = new pg.Pool({ connectionString: database, max: 4 })
  const store = postgresStore(pool)
  const findings: string[] = []
  for (const thread of new Set(said.map((each) => each.thread))) {
    const log = await store.read(thread)
    for (const { message, outcome } of said.filter((each) => each.thread === thread)) {
      const asked = log.filter(({ kind, text }) => kind === 'user' && text === message)
      const wanted = outcome.kind === 'turned away' ? 0 : 1
      if (asked.length !== wanted) findings.push(`${message}: on record ${asked.length} times, ${outcome.kind}`)
      if (outcome.kind === 'turned away') continue
      const answers = log.filter(
        ({ kind, parent, status }) => kind === 'assistant' && status === 'complete' && parent === asked[0]?.id,
      )
      if (answers.length !== 1) findings.push(`${message}: ${answers.length} answers`)
      else if (outcome.kind === 'answered' && answers[0]?.text !== outcome.text)
        findings.push(`${message}: the client saw another answer than the one on record`)
      else if (outcome.kind === 'answered' && !outcome.isSteady)
        findings.push(
          `${message}: what was shown on the way is no beginning of the answer, after ${outcome.resets} resets`,
        )
    }
  }
  await pool.end()
  return findings
}
