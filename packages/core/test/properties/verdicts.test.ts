import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exchanges, type CompileResult, type Entry, type Message } from 'minutebook'
import { verdicts, type Verdict } from 'minutebook/compile'
import { entryOf } from 'minutebook/store'
import { words } from '@minutebook/testing'
import { isEntry } from '../../src/log/entry.ts'
import { traits } from '../../src/log/kind.ts'
import { listed, quoted, recalledLines } from '../../src/compiler/framing.ts'
import { anyPolicy, anyProfile, logs, windowSize } from '../../../../tests/support/arbitrary.ts'
import { attempt } from '../../../../tests/support/attempt.ts'
import { entriesOf, type Log } from '../../../../tests/support/entries.ts'

describe.each(logs)('every verdict on %s', (_, anyLog) => {
  test('is true of the prompt: what it promises is in there, and nothing of what it denies', () => {
    fc.assert(
      fc.property(anyLog, anyPolicy, windowSize, anyProfile, (log, policy, window, profile) => {
        const entries = withCanaries(log)
        if (profile.needsUser && !entries.some(({ kind }) => kind === 'user')) return
        const compiled = attempt(entries, { window, policy, counter: words, profile })
        if (!compiled) return
        const prompt = compiled.messages.map((message) => entryOf(message).text).join('\n\n')
        for (const { index, verdict } of verdicts(compiled.plan, entries)) {
          const fault = promises[verdict]({ compiled, prompt, entries, index, entry: entries[index]! })
          expect(fault, `entry ${index}, ${verdict}: ${fault ?? ''}`).toBeUndefined()
        }
      }),
    )
  })
})

interface Judged {
  readonly compiled: CompileResult
  readonly prompt: string
  readonly entries: readonly Entry[]
  readonly index: number
  readonly entry: Entry
}

/** What each verdict promises; in words, what of that is not so. */
const promises: Readonly<Record<Verdict, (judged: Judged) => string | undefined>> = {
  verbatim: ({ prompt, entry }) =>
    [entry.text, listed(entry.text), quoted(entry.text)].some((text) => prompt.includes(text))
      ? undefined
      : 'its text is not there in full',
  recalled: ({ prompt, entry }) => (prompt.includes(recalledLines(entry)) ? undefined : 'it is not quoted in full'),
  clipped: ({ prompt, entry }) => {
    if (!prompt.includes(canaryOf(entry))) return 'its head is not there'
    return prompt.includes(`tokens left out of entry #${entry.seq} ${entry.id.slice(0, 8)} …]`)
      ? undefined
      : 'no line says what is missing'
  },
  digested: (judged) => {
    const line = linesOf(judged).find(({ own }) => own)
    if (!line || !judged.prompt.includes(line.text)) return 'it has no line'
    if (linesOf(judged).length > 1) return 'it has more than one line'
    const first = judged.entries
      .slice(line.first, line.end)
      .find(({ kind }) => traits[kind].chained && kind !== 'system')!
    return first.text === '' || line.text.includes(canaryOf(first))
      ? undefined
      : 'its line is not of its exchange or step'
  },
  outlined: (judged) => {
    const line = linesOf(judged).find(({ own }) => !own)
    if (!line || !judged.prompt.includes(line.text)) return 'no line counts it'
    if (linesOf(judged).length > 1) return 'it has more than one line'
    return line.text.includes(`: ${line.counted} `) ? undefined : `its line does not count ${line.counted}`
  },
  omitted: ({ prompt, entry }) =>
    entry.text !== '' && prompt.includes(canaryOf(entry)) ? 'something of it is there' : undefined,
  hidden: ({ prompt, entry }) => {
    if (traits[entry.kind].late) return prompt.includes(canaryOf(entry)) ? 'something of it is there' : undefined
    return entry.kind === 'system' && prompt.includes(entry.text)
      ? undefined
      : 'it is no system entry that is there already'
  },
}

interface Line {
  readonly own: boolean
  readonly text: string
  /** The entries that it tells of. */
  readonly first: number
  readonly end: number
  /** How many exchanges or messages it says that these are. */
  readonly counted: number
}

/** The lines that tell of an entry. */
function linesOf({ compiled: { plan }, entries, index }: Judged): readonly Line[] {
  const found = exchanges(entries)
  return plan.parts
    .flatMap((part) =>
      part.shape !== 'digest'
        ? []
        : part.lines.map(({ from, to, own, text }) => {
            if (part.of === 'exchanges')
              return { own, text, first: found[from]!.from, end: found[to - 1]!.to, counted: to - from }
            const spoken = entries.slice(from, to).filter(({ kind }) => traits[kind].chained && kind !== 'system')
            return { own, text, first: from, end: to, counted: spoken.length }
          }),
    )
    .filter(({ first, end }) => first <= index && index < end)
}

/** The entries, each of which but system entries begins with a word of its own if it says anything. */
function withCanaries(log: Log): Entry[] {
  return entriesOf(
    ...log.map((each, index) => {
      const message = isEntry(each) ? each.raw : each
      if (message.role === 'system') return each
      const said = { ...message, content: marked(message.content, `${canary(index)} `) } as Message
      return isEntry(each) ? { ...each, raw: said } : said
    }),
  )
}

function marked(content: unknown, mark: string): unknown {
  if (typeof content === 'string') return content === '' ? '' : mark + content
  return Array.isArray(content)
    ? content.map((part: object) => ('text' in part ? { ...part, text: `${mark}${String(part.text)}` } : part))
    : content
}

const canary = (index: number): string => `canary-${index}.`
const canaryOf = (entry: Entry): string => canary(entry.seq)
