/** What one death of the primary showed. */
export interface Outcome {
  /** A line of the table, by its headings. */
  readonly row: Readonly<Record<string, string | number>>
  /** What is wrong; empty when all is well. */
  readonly findings: readonly string[]
}
