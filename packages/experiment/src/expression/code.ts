import type { ASTNode } from '@marcbachmann/cel-js'
import type { Value } from '@minutebook/experiment/run'
import type { Frame } from './frame.ts'
import type { Type } from './type.ts'

/** A part of an expression, ready to run. */
export interface Code {
  readonly type: Type
  /** How many parts it has, itself included. */
  readonly size: number
  readonly run: (frame: Frame) => Value
}

/** What names mean where a part stands. */
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
