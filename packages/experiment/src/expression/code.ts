import type { ASTNode } from '@marcbachmann/cel-js'
import type { Random, Value, Work } from '@minutebook/experiment/run'
import { MinutebookError } from 'minutebook'
import { type Fix, sentence } from '../problem.ts'
import type { Type } from './type.ts'

/** A part of an expression, ready to run. */
export interface Code {
  readonly type: Type
  /** How many parts it has, itself included. */
  readonly size: number
  readonly run: (frame: Frame) => Value
}

/** What names mean at the place of a part. */
export interface Scope {
  readonly variables: ReadonlyMap<string, Meaning>
  /** Whether chance may be asked. */
  readonly chance: boolean
  /** What lists are gone through with: its slot. */
  readonly locals: ReadonlyMap<string, number>
  readonly depth: number
}

export interface Meaning {
  readonly type: Type
  /** Of a map whose fields are known: nothing else is in it. */
  readonly fields?: ReadonlyMap<string, Type> | undefined
}

export type Build = (node: ASTNode, scope: Scope) => Code

/** What one evaluation goes by. */
export interface Frame {
  readonly values: Readonly<Record<string, Value>>
  readonly random: Random | undefined
  /** What lists are gone through with, by slot. */
  readonly slots: Value[]
  /** Counts work. Throws when there was too much. */
  spend(work: number): void
}

/** `work` is shared with whatever else is evaluated for the same purpose. */
export function frameOf(values: Readonly<Record<string, Value>>, random: Random | undefined, work: Work): Frame {
  return {
    values,
    random,
    slots: [],
    spend: (amount) => {
      try {
        work.spend(amount)
      } catch {
        throw evaluationError(
          'it takes too much work',
          'use shorter lists and texts, fewer of them within each other, or fewer expressions',
        )
      }
    },
  }
}

export function evaluationError(why: string, fix: string): MinutebookError {
  return new MinutebookError('expression_failed', `An expression failed: ${why}.`, sentence(fix), { why, fix })
}

/** What is wrong with an expression, found before it runs. */
export class Mistake extends MinutebookError {
  override readonly name: string = 'Mistake'
  /** In words for the writer. `offset`: in characters from the expression's beginning. */
  readonly finding: { readonly problem: string; readonly fix: Fix; readonly offset: number }

  constructor(problem: string, fix: Fix, offset: number) {
    super(
      'invalid_expression',
      `This expression cannot be used: ${problem}.`,
      'Check the experiment to see what may be meant.',
      { problem, offset },
    )
    this.finding = { problem, fix, offset }
  }
}
