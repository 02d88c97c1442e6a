import { MinutebookError } from 'minutebook'
import type { Fix } from '../fix.ts'

/** What is wrong with an expression, found before it runs. */
export class Mistake extends MinutebookError {
  override readonly name: string = 'Mistake'
  readonly problem: string
  readonly fix: Fix
  /** In characters from the expression's beginning. */
  readonly offset: number

  constructor(problem: string, fix: Fix, offset: number) {
    super(
      'invalid_expression',
      `This is no expression that can be used: ${problem}. Check the experiment to see what may be meant.`,
      { problem, offset },
    )
    this.problem = problem
    this.fix = fix
    this.offset = offset
  }
}
