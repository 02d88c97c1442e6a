import type { KeptReceipt } from 'minutebook/inspect'
import type { Changes } from './changes.ts'
import type { LabCall, LabSettings, Problem, Recompiled } from './lab.ts'
import type { Counts } from './recorded-counts.ts'

/** The questions that the worker answers, each with the types of both. */
export interface LabQuestions {
  open: { readonly asked: { readonly lines: readonly string[]; readonly counts: Counts }; readonly answer: Opened }
  call: {
    readonly asked: { readonly receipt: string; readonly changes: Changes }
    readonly answer: LabCall | { readonly problem: Problem }
  }
  all: { readonly asked: { readonly changes: Changes }; readonly answer: readonly Recompiled[] }
  restore: {
    readonly asked: { readonly receipt: string; readonly entry: string; readonly largest: number }
    readonly answer: { readonly changes: Changes; readonly says: string } | null
  }
}

export type LabQuestion = keyof LabQuestions

/** What the worker returns once it has read a log. */
export interface Opened {
  readonly receipts: readonly KeptReceipt[]
  /** In the order of the receipts. Null if they were erased. */
  readonly settings: readonly (LabSettings | null)[]
  /** How far the count of new text may be off. */
  readonly margin: number
}

export interface LabRequest {
  readonly id: number
  readonly question: LabQuestion
  readonly asked: unknown
}

/** `dropped`: a newer request replaced it. */
export type LabResponse =
  | { readonly id: number; readonly answer: unknown }
  | { readonly id: number; readonly failure: string }
  | { readonly id: number; readonly dropped: true }
