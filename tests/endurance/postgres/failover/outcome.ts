import type { Part } from './settings.ts'

/** What one death of the primary showed. */
export interface Outcome {
  /** Which of the tables its line belongs to. */
  readonly part: Part
  /** A line of that table, by its headings. */
  readonly row: Readonly<Record<string, string | number>>
  /** What is wrong; empty when all is well. */
  readonly findings: readonly string[]
}
