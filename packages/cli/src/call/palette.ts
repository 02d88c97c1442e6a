import type { Share } from '@minutebook/inspect'
import type { Verdict } from 'minutebook/compile'
import type { Paint } from '../terminal/terminal.ts'

/**
 * How a verdict, and a share of the window, looks in every command: a letter, so that it can be told without colours,
 * and a colour.
 *
 * Both are those of the console, whose colours are in `theme.css`: a test compares them.
 */
export interface Look {
  readonly letter: string
  readonly colour: keyof Paint
}

export const verdictLooks: Readonly<Record<Verdict, Look>> = {
  verbatim: { letter: 'V', colour: 'blue' },
  clipped: { letter: 'C', colour: 'amber' },
  recalled: { letter: 'R', colour: 'jade' },
  digested: { letter: 'D', colour: 'purple' },
  outlined: { letter: 'O', colour: 'mauve' },
  omitted: { letter: 'X', colour: 'grey' },
  hidden: { letter: 'H', colour: 'rose' },
}

/** The look of what happened to a message in a call. Null: the prompt of the call cannot be derived here. */
export function verdictLook(verdict: Verdict | null): Look {
  return verdict === null ? { letter: '?', colour: 'dim' } : verdictLooks[verdict]
}

export const shareLooks: Readonly<Record<Share['name'], Look>> = {
  system: { letter: 'S', colour: 'slate' },
  tools: { letter: 'T', colour: 'olive' },
  pinned: { letter: 'P', colour: 'teal' },
  notes: { letter: 'N', colour: 'rose' },
  outline: { letter: 'O', colour: 'purple' },
  recalled: { letter: 'R', colour: 'jade' },
  verbatim: { letter: 'V', colour: 'blue' },
  latest: { letter: 'L', colour: 'blue' },
  free: { letter: '·', colour: 'dim' },
  reserve: { letter: '-', colour: 'dim' },
}
