import { printable, type ShownThread } from '@minutebook/server'
import type { Terminal } from '../terminal/terminal.ts'
import { wrapped } from '../terminal/text.ts'

/** Why a turn ended without an answer, and how to fix it. */
interface Stop {
  /** The number of the turn. */
  readonly turn: number
  readonly reason: string
  readonly fix: string
}

/**
 * Why did a turn end without an answer? Without a number: the newest turn. Undefined if it has an answer, or still runs.
 *
 * @example
 * stopOf(await archive.show('garden'))?.reason // 'The messages that must be in the prompt need 3,971 tokens.'
 */
export function stopOf({ entries }: Pick<ShownThread, 'entries'>, turn?: number): Stop | undefined {
  const questions = entries.flatMap(({ turn: number }, index) => (number === undefined ? [] : [{ number, index }]))
  const asked = turn === undefined ? questions.at(-1) : questions.find(({ number }) => number === turn)
  if (!asked) return undefined
  const next = questions.find(({ index }) => index > asked.index)?.index
  const last = entries.slice(asked.index, next).findLast(({ kind }) => kind !== 'note')
  return last?.kind === 'stop' ? { turn: asked.number, ...textsIn(last.text) } : undefined
}

/** Admins get the text of a stop as it is recorded, in JSON; others get only the reason. */
function textsIn(text: string): Pick<Stop, 'reason' | 'fix'> {
  try {
    const { reason, fix } = Object(JSON.parse(text)) as Readonly<Record<string, unknown>>
    if (typeof reason === 'string') return { reason, fix: typeof fix === 'string' ? fix : '' }
  } catch {
    // It is the reason itself.
  }
  return { reason: text, fix: '' }
}

export function stopLines(
  { turn, reason, fix }: Stop,
  { paint, columns }: Pick<Terminal, 'paint' | 'columns'>,
): string[] {
  const said = `✗ Turn ${turn} has no answer. ${printable(reason)}`.trimEnd()
  return [...wrapped(said, columns()).map(paint.red), ...(fix === '' ? [] : wrapped(printable(fix), columns()))]
}
