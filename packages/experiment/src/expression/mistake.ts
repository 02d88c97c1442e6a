import { MinutebookError } from 'minutebook'
import type { Fix } from '../fix.ts'

/** What is wrong with an expression, found before it runs. */
export class Mistake extends MinutebookError {
  override readonly name: string = 'Mistake'
  /** In words for the one who wrote it. `offset`: in characters from the expression's beginning. */
  readonly finding: { readonly problem: string; readonly fix: Fix; readonly offset: number }

  constructor(problem: string, fix: Fix, offset: number) {
    super(
      'invalid_expression',
      `This is no expression that can be used: ${problem}.`,
      'Check the experiment to see what may be meant.',
      { problem, offset },
    )
    this.finding = { problem, fix, offset }
  }
}
