import { parseJson } from './canonical.ts'
import type { Entry } from './entry.ts'
import { placeOf } from './exchange.ts'
import { traits } from './kind.ts'
import type { Call } from './message.ts'
import { noteToolName, splitNote } from './note-parser.ts'

/** An entry as people see it: without the message as it came, without reasoning, without notes. */
export type VisibleEntry = Pick<
  Entry,
  'id' | 'parent' | 'seq' | 'kind' | 'origin' | 'status' | 'text' | 'calls' | 'images' | 'answers' | 'speaker' | 'time'
>

/**
 * What people see of a log or a stretch of it: the one way to it. Notes, journal and all that is kept for the record
 * only are left out, and so are calls that leave a note, with their results. A result whose call is not among the
 * entries counts as a note's only if it says so itself: pass whole turns.
 *
 * @example
 * visible(history(log)).map(({ kind, text }) => `${kind}: ${text}`)
 */
export function visible(entries: readonly Entry[]): VisibleEntry[] {
  const open = new Map<string | null, readonly Call[]>()
  return entries.flatMap((entry) => {
    const place = placeOf(entry, open.get(entry.parent) ?? [])
    if (place.open.length > 0) open.set(entry.id, place.open)
    const tool = place.answers?.name ?? entry.answers?.name
    return entry.kind === 'tool' && tool === noteToolName ? [] : project(entry)
  })
}

function project(entry: Entry): VisibleEntry[] {
  const { id, parent, seq, kind, origin, status, answers, speaker, time } = entry
  if (!traits[kind].visible) return []
  const shown = shownOf(entry)
  if (!shown) return []
  return [{
    id, parent, seq, kind, origin, status, ...shown,
    ...(answers && { answers }),
    ...(speaker !== undefined && { speaker }),
    ...(time !== undefined && { time }),
  }]
}

/** Undefined where all that an entry said was a note. */
function shownOf({ kind, origin, status, text, calls, images }: Entry): Pick<Entry, 'text' | 'calls' | 'images'> | undefined {
  if (status === 'erased') return { text: '', calls: [], images: [] }
  if (kind === 'stop') return { text: reasonOf(text), calls, images }
  if (kind !== 'assistant') return { text, calls, images }
  const said = origin === 'model' ? splitNote(text).text : text
  const called = calls.filter(({ name }) => name !== noteToolName)
  const empty = said === '' && called.length === 0 && images.length === 0
  const hides = said.length < text.length || called.length < calls.length
  return empty && hides ? undefined : { text: said, calls: called, images }
}

/** The engine writes JSON, of which only the reason is for people. */
function reasonOf(text: string): string {
  const { reason } = Object(parseJson(text)) as { reason?: unknown }
  return typeof reason === 'string' ? reason : ''
}
