import type { Policy } from 'minutebook'
import type { InspectedEntry } from '../api/calls.ts'
import { grouped } from '../ui/text.ts'

/**
 * The rule of the policy that decided about an entry, in words and as data.
 *
 * @example
 * ruleFor({ verdict: 'digested', tier: 'outline' }, defaultPolicy()).says // 'Older exchanges become lines of at most 64 tokens, …'
 */
export function ruleFor({ verdict, tier }: Pick<InspectedEntry, 'verdict' | 'tier'>, policy: Policy | null): Rule {
  if (verdict === 'hidden') return { says: 'It is not part of the prompt by its kind.' }
  if (!policy) return { says: 'The policy of this call is not shown here, or was erased.' }
  const key = verdict === 'outlined' || verdict === 'omitted' ? verdict : (tier ?? 'omitted')
  const rule = rules[key]?.(policy) ?? { says: 'The policy decided this.' }
  return verdict === 'clipped' ? { ...rule, says: `${rule.says} It did not fit whole, so its middle was cut.` } : rule
}

interface Rule {
  readonly says: string
  /** The field of the policy, as data. */
  readonly field?: string
}

const rules: Readonly<Record<string, (policy: Policy) => Rule>> = {
  system: ({ system }) => ({
    says:
      system === 'in place'
        ? 'System entries are always sent; a late one stays in its place until it is older than the cut.'
        : 'System entries are always sent, all at the head.',
    field: `system: ${JSON.stringify(system)}`,
  }),
  pinned: ({ firstUser, pins = { share: 1 / 4 } }) => ({
    says: `Pinned messages are always sent: ${firstUser ? `the first of the user in at most ${percent(firstUser.share)} of the budget, ` : ''}all that someone pinned in at most ${percent(pins.share)}.`,
    field: `firstUser: ${JSON.stringify(firstUser)}, pins: ${JSON.stringify(pins)}`,
  }),
  notes: ({ notes }) => ({
    says: `The newest notes come first, in at most ${percent(notes?.share ?? 1 / 8)} of the budget.`,
    field: `notes: ${JSON.stringify(notes ?? { share: 1 / 8 })}`,
  }),
  outline: ({ outline }) => ({
    says: `${older(outline)} It is among the newest of these, which have a line each.`,
    field: `outline: ${JSON.stringify(outline)}`,
  }),
  outlined: ({ outline }) => ({
    says: `${older(outline)} A line each had no room for all of them: it is counted in a line for several.`,
    field: `outline: ${JSON.stringify(outline)}`,
  }),
  verbatim: ({ verbatim }) => ({ says: newest(verbatim), field: `verbatim: ${JSON.stringify(verbatim)}` }),
  recall: ({ recall }) => ({
    says: recall
      ? `What the question asks about comes back, in up to ${percent(recall.largest)} of the room.`
      : 'Nothing is recalled.',
    field: `recall: ${JSON.stringify(recall)}`,
  }),
  current: () => ({ says: 'The current turn is always sent: its question, and its newest calls with their results.' }),
  omitted: ({ outline, recall, marker }) => ({
    says: `It is older than what fits${outline ? ', no line of the outline speaks of it' : ', and this policy keeps no outline'}${recall ? ', and the question did not ask about it' : ', and nothing is recalled'}.`,
    field: `marker: ${JSON.stringify(marker)}`,
  }),
}

function older(outline: Policy['outline']): string {
  return outline
    ? `Older exchanges become lines of at most ${grouped(outline.line)} tokens, in ${percent(outline.share)} of the room.`
    : 'Older steps of a turn become lines.'
}

function newest({ exchanges, messages, clipped }: Policy['verbatim']): string {
  if (messages !== undefined) return `The newest ${grouped(messages)} messages are sent, in whole exchanges.`
  if (exchanges !== undefined) return `The newest ${exchanges} finished exchanges are sent whole.`
  return `The newest exchanges are sent whole, as many as fit${clipped ? ', and of the next as much as fits' : ''}.`
}

function percent(share: number): string {
  return `${Math.round(share * 1000) / 10}%`
}
