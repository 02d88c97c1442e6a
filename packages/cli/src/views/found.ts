import { printableLine } from '@minutebook/server'
import type { SearchResult } from 'minutebook/store'
import { figure } from '../figures.ts'
import { table } from '../table.ts'
import type { Terminal } from '../terminal.ts'

/** What a search found, a line for each entry. */
export function foundLines(found: readonly SearchResult[], { paint, columns }: Terminal): string[] {
  if (found.length === 0) return ['Nothing that people can see holds all of these words.']
  const rows = found.map(({ thread, seq, id, text }) => [
    printableLine(thread),
    figure(seq),
    id.slice(0, 12),
    printableLine(text.slice(0, longest)),
  ])
  return table(
    [
      { title: 'thread', paint: paint.bold },
      { title: 'entry', right: true },
      { title: 'id', paint: paint.dim },
      { title: 'said', flexible: true },
    ],
    rows,
    columns(),
    paint.dim,
  )
}

const longest = 500
