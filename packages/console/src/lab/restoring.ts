import type { Changes } from './changes.ts'
import { isSeen } from './verdict-changes.ts'
import { labCall, type Lab, type LabCall } from './lab.ts'

/** Changes that bring an entry back, and in what words to offer them. */
export interface Restoring {
  readonly changes: Changes
  readonly says: string
  readonly call: LabCall
}

/**
 * The smallest changes that bring an entry back into the prompt of a call: first what costs no room (to recall more,
 * another preset), then a larger window, up to `largest`. Undefined where none of them does.
 */
export function restoring(
  lab: Lab,
  receipt: Lab['receipts'][number],
  entry: string,
  largest: number,
): Restoring | undefined {
  const { window } = lab.settings(receipt)
  for (const [says, changes] of candidates(window, largest)) {
    const call = labCall(lab, receipt, changes)
    if (!('problem' in call) && call.entries.some(({ id, verdict }) => id === entry && isSeen(verdict)))
      return { changes, says, call }
  }
  return undefined
}

function candidates(window: number, largest: number): (readonly [string, Changes])[] {
  const windows = [1.5, 2, 3, 4, 8, 16, 32]
    .map((factor) => Math.round(window * factor))
    .filter((size) => size <= largest)
  return [
    ['keep 40% of the room for what is recalled', { recall: 0.4 }],
    ['keep 80% of the room for what is recalled', { recall: 0.8 }],
    ['no outline, and 80% of the room for what is recalled', { outline: 0, recall: 0.8 }],
    ['send the newest exchanges only', { preset: 'firstAndRecent' }],
    ...windows.map((size) => [`a window of ${size} tokens`, { window: size }] as const),
  ]
}
