/** What is measured: each is one transaction. */
export type Operation = 'append' | 'tail' | 'turn'

export const operations: readonly Operation[] = ['append', 'tail', 'turn']

export const tailLength = 50

export const titles: Readonly<Record<Operation, string>> = {
  append: 'Append: one entry of about 1 KB, under the head and the term',
  tail: `Tail: the last ${tailLength} entries of a thread`,
  turn: `Turn: the last ${tailLength} entries, then two appends, all in one transaction`,
}

/** Our rate as a share of pgbench's that we set out to reach. */
export const targets: Readonly<Partial<Record<Operation, number>>> = { append: 0.75, turn: 0.8 }
