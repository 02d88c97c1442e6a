import { MinutebookError } from 'minutebook'

/** What is wrong with an expression, found before it runs. */
export class Mistake extends MinutebookError {
  override readonly name: string = 'Mistake'
  readonly problem: string
  readonly fix: string
  /** In characters from the expression's beginning. */
  readonly offset: number

  constructor(problem: string, fix: string, offset: number) {
    super('invalid_expression', `This is no expression that can be used: ${problem}; ${fix}.`, { problem, fix, offset })
    this.problem = problem
    this.fix = fix
    this.offset = offset
  }
}
