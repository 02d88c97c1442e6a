import type { Entry } from '../api/entries.ts'
import type { Inspection } from '../inspector/inspection.ts'
import type { Asking } from './asking.ts'
import { policyConfigOf, type Changes } from './changes.ts'
import type { LabSettings } from './lab.ts'

export interface AskingParts {
  readonly inspection: Inspection
  /** The branch, as it is on record. */
  readonly entries: readonly Entry[]
  readonly recorded: LabSettings
  readonly changes: Changes
}

const policyKnobs = ['preset', 'verbatim', 'outline', 'recall', 'notes'] as const

/** The question of a call, to be asked again: the user entry of its turn. Undefined where that is not on the branch, or erased. */
export function askingOf({ inspection: { thread, receipt, model }, entries, recorded, changes }: AskingParts): (Asking & { readonly id: string }) | undefined {
  const head = entries.findIndex(({ id }) => id === receipt.head)
  const question = entries.slice(0, head + 1).findLast(({ kind }) => kind === 'user')
  if (!question || question.status === 'erased') return undefined
  const touched = policyKnobs.some((knob) => changes[knob] !== undefined)
  return {
    id: question.id,
    thread,
    question: { text: question.text, parent: question.parent },
    model,
    window: changes.window ?? recorded.window,
    reserve: changes.reserve ?? recorded.reserve,
    policy: touched ? policyConfigOf(changes, recorded.policy) : undefined,
  }
}

/** What was answered to a question in the end. */
export function answerTo(entries: readonly Entry[], question: string): string | undefined {
  const from = entries.findIndex(({ id }) => id === question)
  const next = entries.findIndex(({ kind }, index) => index > from && kind === 'user')
  return entries.slice(from + 1, next < 0 ? undefined : next).findLast(({ kind, text }) => kind === 'assistant' && text !== '')?.text
}
