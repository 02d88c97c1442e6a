import { confirm, isCancel } from '@clack/prompts'
import { MinutebookError } from 'minutebook'
import type { Terminal } from './terminal.ts'

/** Asks before what cannot be undone; where nobody can be asked, `--yes` must have been said. */
export async function confirmed({ input, output }: Terminal, question: string, isSaid: boolean): Promise<boolean> {
  if (isSaid) return true
  if (input.isTTY !== true || output.isTTY !== true)
    throw new MinutebookError('not_confirmed', 'This cannot be undone, and nobody is here to be asked.', 'Add --yes.')
  const answer = await confirm({ message: question, initialValue: false, input, output })
  return !isCancel(answer) && answer
}
