import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { CompileResult, Policy } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { findIllegal, words } from '@minutebook/testing'
import { framing } from '../../src/compiler/framing.ts'
import type { Piece } from '../../src/compiler/render.ts'
import { anyPolicy, anyProfile } from '../../../../tests/support/arbitrary.ts'
import { attempt } from '../../../../tests/support/attempt.ts'
import { characters } from '../support/characters.ts'
import { canary, hostileLog, lineBreak } from '../support/hostile.ts'
import { cases, withSure } from '../../../../tests/support/runs.ts'

const windowSize = fc.oneof(fc.integer({ min: 60, max: 500 }), fc.integer({ min: 300, max: 3000 }))
const profile = fc.option(anyProfile, { nil: {}, freq: 4 }).map((flags) => ({ ...flags, needsUser: false }))

describe('what users, tools, imports and arguments of calls say, in any log, under any policy and profile', () => {
  test('never stands under the system role, and none of its lines can be taken for one of ours', () => {
    const seen = { recall: 0, outline: 0, joined: 0, notes: 0, journal: 0 }
    const drawn = [hostileLog, anyPolicy, windowSize, profile] as const
    fc.assert(
      fc.property(...drawn, (log, policy, window, flags) => {
        const compiled = attempt(log, { window, policy, counter: words, profile: flags })
        if (!compiled) return
        expect(findIllegal(compiled.messages, flags)).toBeUndefined()
        for (const [index, { role, content }] of compiled.messages.entries()) {
          const pieces = compiled.pieces[index]!
          if (role === 'system' || role === 'developer') expect(String(content)).not.toContain(canary)
          for (const piece of pieces) checkLines(piece, policy)
          checkOrder(compiled, index, flags.noSystem === true)
          for (const { label } of pieces) {
            if (label === 'RECALL') seen.recall++
            if (label === 'OUTLINE') seen.outline++
            if (label === 'NOTE TO SELF') seen.notes++
            if (label === 'JOURNAL') seen.journal++
          }
          if (role === 'user' && pieces.some(({ label }) => label !== 'USER') && pieces.some(isTheirs)) seen.joined++
        }
      }),
      withSure(50, cases('attacks'), drawn),
    )
    expect(Object.values(seen)).not.toContain(0)
  })

  test('is paid for with its marks, to the character', () => {
    fc.assert(
      fc.property(
        hostileLog,
        anyPolicy,
        fc.integer({ min: 800, max: 12_000 }),
        profile,
        (log, policy, window, flags) => {
          const compiled = attempt(log, { window, policy, counter: characters, profile: flags })
          if (!compiled) return
          expect(compiled.messages.reduce((sum, message) => sum + entryOf(message).text.length, 0)).toBeLessThanOrEqual(
            compiled.tokens,
          )
          expect(compiled.tokens).toBeLessThanOrEqual(window)
        },
      ),
      { numRuns: Math.ceil(cases('attacks') / 4) },
    )
  })
})

/** Every line of a piece of ours is one that only we write, or is marked. */
function checkLines({ label, text }: Piece, policy: Policy): void {
  const lines = text.split(lineBreak)
  const unmarked = lines.filter((line) => line !== '' && !line.startsWith('> '))
  switch (label) {
    case 'OUTLINE':
      expect([framing.outline, framing.steps]).toContain(`${lines[0]}\n`)
      for (const line of lines.slice(1)) expect(line).toMatch(/^\[(?:Previous|Earlier): [^[\]］】]*\]$/)
      return
    case 'RECALL':
      expect(`${lines[0]}\n`).toBe(framing.recall)
      expect(lines.at(-1)).toBe(framing.recallEnd)
      for (const line of unmarked.slice(1, -1))
        expect(line).toMatch(/^#\d+ (?:user|assistant|tool)(?: [^[\]>]+)?> |^\[The assistant called [^[\]>]* with\]$/)
      return
    case 'TOOL CALL':
      expect(unmarked).toEqual([lines[0]])
      expect(lines[0]).toMatch(/^\[The assistant called [^[\]>]* with\]$/)
      return
    case 'NOTE TO SELF':
    case 'JOURNAL':
      expect(unmarked).toEqual(
        [framing.notes, framing.journal].some((heading) => text.startsWith(heading)) ? [lines[0]] : [],
      )
      for (const line of lines.filter((each) => each.startsWith('>')).slice(1)) expect(line).toMatch(/^> {3}/)
      if (label === 'NOTE TO SELF') expect(text).not.toContain(canary)
      return
    case 'MARKER':
      expect(text).toBe(policy.marker!.replace('{messages}', /\d+ messages?/.exec(text)?.[0] ?? ''))
  }
}

/** In one message nothing of ours comes after what somebody else said, and a line says where that begins. */
function checkOrder({ messages, pieces }: CompileResult, index: number, noSystem: boolean): void {
  const { role, content } = messages[index]!
  const parts = pieces[index]!
  const texts = parts.map(({ text }) => text).filter(Boolean)
  if (typeof content === 'string') expect(content).toBe(texts.join('\n\n'))
  if (role !== 'user') return
  const first = parts.findIndex(isTheirs)
  if (first < 0) return
  for (const part of parts.slice(first)) expect(isTheirs(part)).toBe(true)
  if (first === 0) return
  expect(parts[first]!.text.startsWith(framing.theirs)).toBe(true)
  // What an operator said joins a user's words only for a template that has no other place for it.
  if (parts.slice(0, first).some(({ label }) => label === 'SYSTEM')) expect(noSystem).toBe(true)
}

function isTheirs({ label, text }: Piece): boolean {
  return label === 'USER' && text !== framing.opening
}
