import type { Entry, Message } from 'minutebook'
import { checksum, entryOf, payloadOf, searchText, searchWords, traits } from 'minutebook/store'
import type { BareEntry } from './bare-sqlite.ts'
import { createRandom, type Random } from './random.ts'

/** The entries of a long conversation, for both sides: a question, an answer and its receipt a turn. */
export interface BenchTurn {
  readonly question: Entry
  readonly answer: Entry
  readonly receipt: Entry
}

export function makeTurns(count: number): BenchTurn[] {
  const random = createRandom(7)
  const turns: BenchTurn[] = []
  for (let index = 0; index < count; index++) {
    const time = `2026-11-15T12:00:${String(index % 60).padStart(2, '0')}.000Z`
    const question = entryOf(said('user', prose(random, 20)), turns.at(-1)?.answer, { time, key: `key-${index}` })
    const answer = entryOf(said('assistant', prose(random, 80)), question, { time })
    const receipt = entryOf(
      said(
        'system',
        JSON.stringify({
          head: question.id,
          policy: 'default@1',
          prompt: answer.id,
          tokens: { predicted: index, reported: index },
        }),
      ),
      answer,
      { time, kind: 'receipt' },
    )
    turns.push({ question, answer, receipt })
  }
  return turns
}

export function bareOf(entry: Entry): BareEntry {
  return {
    id: entry.id,
    chained: traits[entry.kind].chained,
    payload: payloadOf(entry),
    checksum: checksum(entry),
    words: searchWords(searchText(entry)).join(' '),
  }
}

function said(role: string, content: string): Message {
  return { role, content }
}

/** Words by Zipf's law, as in speech, so that the search index meets frequent and rare ones. */
function prose(random: Random, mean: number): string {
  const length = Math.max(3, Math.round(random.lognormal(mean, 0.6)))
  return Array.from({ length }, () => `word${Math.floor(3000 * random.next() ** 3)}`).join(' ')
}
