import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { defaultPolicy, exchanges, type CompileResult, type Entry } from 'minutebook'
import { verdicts } from 'minutebook/compile'
import { traits } from 'minutebook/store'
import { words } from '@minutebook/testing'
import { framing } from '../../src/compiler/framing.ts'
import { systemOnlyFirst } from '../../src/compiler/profile.ts'
import { anyPolicy, anyProfile, noted, windowSize } from '../../../../tests/support/arbitrary.ts'
import { attempt } from '../../../../tests/support/attempt.ts'
import { entriesOf } from '../../../../tests/support/entries.ts'
import { cases, withSure } from '../../../../tests/support/runs.ts'

const isNote = ({ kind }: Entry): boolean => !traits[kind].chained
const noteLabels: readonly string[] = [traits.note.label, traits.journal.label]
const headings: readonly string[] = [framing.notes, framing.journal]
const profile = anyProfile.map((flags) => ({ ...flags, needsUser: false }))

describe('a note', () => {
  test('is in the prompt once where its verdict says so, and else not at all; from the cut on always, and the journal never', () => {
    let sent = 0
    const drawn = [noted, anyPolicy, windowSize, profile] as const
    fc.assert(
      fc.property(...drawn, (log, policy, window, flags) => {
        const compiled = attempt(log, { window, policy, counter: words, profile: flags })
        if (!compiled) return
        for (const { index, verdict } of verdicts(compiled.plan, log)) {
          const entry = log[index]!
          if (!isNote(entry)) continue
          const inPlace = compiled.plan.parts.some(
            (part) =>
              part.shape === 'entries' && part.notes && part.tier !== 'system' && part.from <= index && index < part.to,
          )
          const shown = (inPlace && !traits[entry.kind].late) || verdict === 'verbatim' || verdict === 'clipped'
          expect(mentions(compiled, canaryOf(entry)), `entry ${index}, ${verdict}`).toBe(shown ? 1 : 0)
          if (shown) sent++
        }
      }),
      withSure(20, cases('usual'), drawn),
    )
    expect(sent).toBeGreaterThan(0)
  })

  test('stands under the system role where policy and profile allow that, and never among what an assistant or a tool said', () => {
    fc.assert(
      fc.property(noted, anyPolicy, windowSize, profile, (log, policy, window, flags) => {
        const compiled = attempt(log, { window, policy, counter: words, profile: flags })
        for (const [index, pieces] of compiled?.pieces.entries() ?? []) {
          const role = compiled!.messages[index]!.role
          if (pieces.some(({ label }) => label === traits.journal.label)) expect(role).toBe('user')
          if (pieces.some(({ label }) => label === traits.note.label))
            expect(
              policy.notes?.role === 'user' || flags.onlyTheirSystem
                ? ['user']
                : systemOnlyFirst(flags)
                  ? ['system', 'user']
                  : ['system'],
            ).toContain(role)
          for (const { label, text } of pieces) if (!noteLabels.includes(label)) expect(text).not.toContain('canary')
        }
      }),
    )
  })

  test('is quoted under our heading, and none of its lines stands beside the list', () => {
    fc.assert(
      fc.property(noted, anyPolicy, windowSize, profile, (log, policy, window, flags) => {
        const compiled = attempt(log, { window, policy, counter: words, profile: flags })
        for (const [index, pieces] of compiled?.pieces.entries() ?? []) {
          for (const [place, { label, text }] of pieces.entries()) {
            if (!noteLabels.includes(label)) continue
            const headed = headings.some((heading) => text.startsWith(heading))
            expect(headed || noteLabels.includes(pieces[place - 1]?.label ?? '')).toBe(true)
            const [first = '', ...others] = text.split('\n').slice(headed ? 1 : 0)
            expect(first).toMatch(/^> - canary\d+\./)
            for (const line of others) expect(line).toMatch(/^(?:> {3}|$)/)
          }
          const { content } = compiled!.messages[index]!
          if (pieces.some(({ label }) => noteLabels.includes(label)) && typeof content === 'string')
            expect(content).toBe(pieces.map(({ text }) => text).join('\n\n'))
        }
      }),
    )
  })

  test('takes nothing away from what was said where there is room for all of it', () => {
    fc.assert(
      fc.property(noted, anyPolicy, profile, (log, policy, flags) => {
        // What was said beside calls is quoted in their result, with more of it where two answers become one.
        if (flags.mustAlternate && flags.callsWithoutText) return
        const said = (entries: readonly Entry[]): string =>
          visibleText(attempt(entries, { window: 100_000, policy, counter: words, profile: flags })!)
        expect(said(log)).toBe(said(entriesOf(...log.filter((entry) => !isNote(entry)))))
      }),
    )
  })

  test('is never recalled, and calls are recalled with all their results and nothing else', () => {
    let recalled = 0
    const drawn = [noted, fc.integer({ min: 40, max: 300 })] as const
    fc.assert(
      fc.property(...drawn, (log, window) => {
        const compiled = attempt(log, { window, policy: defaultPolicy({ recall: 'eager' }), counter: words })
        for (const part of compiled?.plan.parts ?? []) {
          if (part.shape !== 'recall') continue
          const indexes = new Set(part.entries.map(({ index }) => index))
          for (const index of indexes) expect(isNote(log[index]!)).toBe(false)
          for (const { from, to } of exchanges(log).flatMap(({ steps }) => steps)) {
            const step = [...log.keys()].slice(from, to).filter((index) => !isNote(log[index]!))
            expect([0, step.length]).toContain(step.filter((index) => indexes.has(index)).length)
            if (step.length > 1 && indexes.has(from)) recalled++
          }
        }
      }),
      withSure(20, cases('usual'), drawn),
    )
    expect(recalled).toBeGreaterThan(0)
  })
})

function canaryOf({ text }: Entry): string {
  return text.slice(0, text.indexOf('.') + 1)
}

/** How many items of note lists begin with the words. */
function mentions({ pieces }: CompileResult, canary: string): number {
  return pieces
    .flat()
    .filter(
      ({ label, text }) =>
        noteLabels.includes(label) && ['', ...headings].some((heading) => text.startsWith(`${heading}> - ${canary}`)),
    ).length
}

/** All that a prompt says beside notes and the words that we put between, without what merging changes. */
function visibleText({ pieces, messages }: CompileResult): string {
  const ours: readonly string[] = [framing.unanswered, framing.opening, framing.pause]
  const texts = pieces
    .flat()
    .filter(({ label, text }) => text !== '' && !noteLabels.includes(label) && !ours.includes(text))
    .map(({ label, text }) => `${label} ${text.replace(framing.theirs, '')}`)
    .filter((text) => text !== 'USER ')
  const calls = messages.flatMap((message) => message.tool_calls ?? [])
  return JSON.stringify([texts, calls])
}
