/** What we set out to reach, printed beside what a run reached. */
export interface Target {
  readonly row: string
  readonly dataset: string
  readonly window: number
  readonly measure: 'retention' | 'reuse'
  readonly atLeast: number
}

export const targets: readonly Target[] = [
  ...retentionTargets('default, recall eager', 'locomo', { 2048: 83, 4096: 90, 8192: 94 }),
  ...retentionTargets('default, recall eager', 'beam-100K', { 2048: 60, 4096: 75, 8192: 85 }),
  { row: 'default, recall off', dataset: 'cache conversation', window: 8192, measure: 'reuse', atLeast: 92 },
  { row: 'default, recall off', dataset: 'beam-100K', window: 8192, measure: 'reuse', atLeast: 75 },
  { row: 'default, recall gated', dataset: 'locomo', window: 8192, measure: 'retention', atLeast: 82 },
  { row: 'default, recall gated', dataset: 'locomo', window: 8192, measure: 'reuse', atLeast: 75 },
  { row: 'default, recall gated', dataset: 'beam-100K', window: 8192, measure: 'retention', atLeast: 70 },
  { row: 'default, recall gated', dataset: 'beam-100K', window: 8192, measure: 'reuse', atLeast: 45 },
]

function retentionTargets(row: string, dataset: string, byWindow: Readonly<Record<number, number>>): Target[] {
  return Object.entries(byWindow).map(([window, atLeast]) => ({
    row,
    dataset,
    window: Number(window),
    measure: 'retention',
    atLeast,
  }))
}
