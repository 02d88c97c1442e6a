import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { createNoteParser, splitNotes, type NoteForm, type SplitText } from 'minutebook/wire'
import { mostHeld } from '../../src/log/note-finder.ts'
import { longestLead } from '../../src/log/note-lead.ts'
import { capNote, longestNote } from '../../src/log/note-parser.ts'
import { bestOf, canBeDoneIn } from '../../../../tests/support/stopwatch.ts'

const block = '[NOTE TO SELF: x]'
const fence = '```'

describe('in the exact form, a trailing block is a note', () => {
  test.each<[string, string, string, string | undefined]>([
    ['at the end', `Done. ${block}`, 'Done.', 'x'],
    ['on a line of its own', `Done.\n\n${block}`, 'Done.', 'x'],
    ['with white space after it', `Done. ${block} \n\t\u00a0\u3000\ufeff`, 'Done.', 'x'],
    ['without white space before it', `Done.${block}`, 'Done.', 'x'],
    ['that is all there is', block, '', 'x'],
    ['after white space alone', ` \n${block}`, '', 'x'],
    ['its text is trimmed', 'Done. [NOTE TO SELF: \n x y \n]', 'Done.', 'x y'],
    ['over several lines', 'Done. [NOTE TO SELF: a\n- b\n- c]', 'Done.', 'a\n- b\n- c'],
    ['without a blank after the colon', 'Done. [NOTE TO SELF:x]', 'Done.', 'x'],
    ['with brackets that balance', 'Done. [NOTE TO SELF: a [b [c]] d]', 'Done.', 'a [b [c]] d'],
    ['that speaks of another', `Done. [NOTE TO SELF: a ${block} b]`, 'Done.', `a ${block} b`],
    ['that ends with another', `Done. [NOTE TO SELF: a ${block}]`, 'Done.', `a ${block}`],
    ['the last of several', 'Done. [NOTE TO SELF: a]\n[NOTE TO SELF: b][NOTE TO SELF: c]', 'Done.', 'c'],
    ['the last that is not empty', 'Done. [NOTE TO SELF: a] [NOTE TO SELF: \n]', 'Done.', 'a'],
    ['an empty one is none', 'Done. [NOTE TO SELF: ]', 'Done.', undefined],
    ['nor is one without even a blank', 'Done. [NOTE TO SELF:]', 'Done.', undefined],
    ['nor are two empty ones', 'Done. [NOTE TO SELF: ] [NOTE TO SELF:\t]', 'Done.', undefined],
    ['after one that is text', `A ${block} b. [NOTE TO SELF: c]`, `A ${block} b.`, 'c'],
    ['after a bracket that is never closed', `See [1 for it. ${block}`, 'See [1 for it.', 'x'],
    ['after a bracket that was never opened', `a] b] ${block}`, 'a] b]', 'x'],
    [
      'after a mention of the marker that is never closed',
      `I end with [NOTE TO SELF: as told. ${block}`,
      'I end with [NOTE TO SELF: as told.',
      'x',
    ],
    ['after the beginning of a marker', `[NOTE TO ${block}`, '[NOTE TO', 'x'],
    ['after a bracket too many', `[${block}`, '[', 'x'],
    ['after a code block', `${fence}js\na()\n${fence}\n${block}`, `${fence}js\na()\n${fence}`, 'x'],
    ['after a code block of tildes', `~~~\n${fence}\n~~~\n${block}`, `~~~\n${fence}\n~~~`, 'x'],
    [
      'after a code block with blanks behind its end',
      `${fence}\na\n${fence}  \n${block}`,
      `${fence}\na\n${fence}`,
      'x',
    ],
    ['after a code block in a list', `- ${fence}\n  a\n  ${fence}\n${block}`, `- ${fence}\n  a\n  ${fence}`, 'x'],
    [
      'after a code block far to the right',
      `1. Do:\n     ${fence}\n     a\n     ${fence}\n${block}`,
      `1. Do:\n     ${fence}\n     a\n     ${fence}`,
      'x',
    ],
    [
      'after a code block with a shorter fence in it',
      `${fence}\`\n${fence}\n${fence}\`\n${block}`,
      `${fence}\`\n${fence}\n${fence}\``,
      'x',
    ],
    [
      'after a code block with an indented fence in it',
      `${fence}\n    ${fence}\n${fence}\n${block}`,
      `${fence}\n    ${fence}\n${fence}`,
      'x',
    ],
    [
      'after a code block with another kind of fence in it',
      `${fence}\n~~~\n${fence}\n${block}`,
      `${fence}\n~~~\n${fence}`,
      'x',
    ],
    [
      'after a code block, with line breaks of Windows',
      `${fence}\r\na\r\n${fence}\r\n${block}`,
      `${fence}\r\na\r\n${fence}`,
      'x',
    ],
    ['after code in three backticks on one line', `${fence}a${fence} b\n${block}`, `${fence}a${fence} b`, 'x'],
    ['after two backticks', `\`\`\na\n${block}`, '``\na', 'x'],
    ['after code in a line', `Run \`a\` now. ${block}`, 'Run `a` now.', 'x'],
    [
      'after code in a line with another run of backticks in it',
      `Run \`\`a\`b\`\` now. ${block}`,
      'Run ``a`b`` now.',
      'x',
    ],
    ['after a backtick on the line before', `Press \`.\n${block}`, 'Press `.', 'x'],
    ['after a line that begins with >', `> quoted\n${block}`, '> quoted', 'x'],
    ['after such a line and a carriage return', `> quoted\r${block}`, '> quoted', 'x'],
    ['after a > in a line', `1 > 0 ${block}`, '1 > 0', 'x'],
    ['after a quotation mark and a blank', `"Done." ${block}`, '"Done."', 'x'],
    ['with a backtick in the one before', 'Done. [NOTE TO SELF: a ` b] [NOTE TO SELF: c]', 'Done.', 'c'],
    ['with a code block in it', `Done. [NOTE TO SELF: a\n${fence}\nb]\n[NOTE TO SELF: c]`, 'Done.', 'c'],
    ['with odd characters', 'Done. [NOTE TO SELF: 😀 \ud800 \u0000]', 'Done.', '😀 \ud800 \u0000'],
  ])('%s', (_, answer, text, note) => {
    const { text: shown, notes } = splitNotes(answer, 'exact')
    expect([shown, notes.at(-1)]).toEqual([text, note])
    expect(inPieces(answer.split(''), 'exact')).toEqual({ text, notes })
  })
})

describe('in the exact form, what is not a trailing block is text', () => {
  test.each<[string, string]>([
    ['nothing', ''],
    ['no block', 'Done. \n'],
    ['followed by a word', `Done. ${block} Bye.`],
    ['followed by a dot', `Done. ${block}.`],
    ['several, followed by a word', `${block} ${block} Bye.`],
    ['followed by an unclosed one', `Done. ${block} [NOTE TO SELF: y`],
    ['followed by the beginning of one', `Done. ${block} [NOTE TO`],
    ['followed by a bracket', `[see ${block}]`],
    ['followed by another bracket', `Done. ${block} [1]`],
    ['unclosed', 'Done. [NOTE TO SELF: x '],
    ['unclosed, for a bracket in it is', 'Done. [NOTE TO SELF: x [y] '],
    ['the marker alone', '[NOTE TO SELF:'],
    ['in small letters', 'Done. [note to self: x]'],
    ['with a blank before the colon', 'Done. [NOTE TO SELF : x]'],
    ['with two blanks', 'Done. [NOTE  TO SELF: x]'],
    ['in round brackets', 'Done. (NOTE TO SELF: x)'],
    ['in a code block that is still open', `${fence}\n${block}\n`],
    ['in one of tildes', `~~~ text\n${block}`],
    ['in one of tildes with backticks on its first line', `~~~ \`a\`\n${block}`],
    ['on the first line of one', `~~~ ${block}`],
    ['in one in a list', `1. ${fence}\n   ${block}`],
    ['in one with a longer fence', `${fence}\`\n${fence}\n${block}`],
    ['in one whose end has words behind it', `${fence}\na\n${fence} b\n${block}`],
    ['in one with a fence behind a word in it', `${fence}\na ${fence}\n${block}`],
    ['in code in a line that is still open', `Run \`a ${block}`],
    ['in code with two backticks that is still open', `Run \`\`a\` ${block}`],
    ['on a line that begins with >', `> ${block}`],
    ['on such a line, set in', `a\n  > b ${block}`],
    ['in backticks', `\`${block}\``],
    ['directly after a backtick', `a\`b\`${block}`],
    ['in quotation marks', `"${block}"`],
    ...'"\'“”„‘’«»「'.split('').map((mark): [string, string] => [`directly after ${mark}`, `a ${mark}${block}`]),
  ])('%s', (_, answer) => {
    expect(splitNotes(answer, 'exact')).toEqual({ text: answer, notes: [] })
    expect(inPieces(answer.split(''), 'exact')).toEqual({ text: answer, notes: [] })
  })
})

describe('on a stream', () => {
  test.each<[string, string[], string[]]>([
    ['text is shown as it comes', ['Do', 'ne.'], ['Do', 'ne.']],
    ['white space waits for what follows', ['Done. ', '\n', 'Bye.'], ['Done.', '', ' \nBye.']],
    ['a bracket waits until it cannot be a note', ['a [', 'N', 'O!', ' b'], ['a', '', ' [NO!', ' b']],
    ['a block waits', ['Done. [NOTE TO SELF: x', ']', ' ', '\n'], ['Done.', '', '', '']],
    [
      'a block that something follows is shown',
      ['Done. [NOTE TO SELF: x]', ' ', 'Bye', '.'],
      ['Done.', '', ' [NOTE TO SELF: x] Bye', '.'],
    ],
    [
      'a quoted block is shown as soon as it is known to be quoted',
      ['a `[NOTE TO', ' SELF: x', ']`'],
      ['a `', '[NOTE TO SELF: x', ']`'],
    ],
    ['white space in a code block is shown at once', ['```\n', '  a\n', '  ', 'b'], ['', '```\n  a\n', '  ', 'b']],
    ['but not behind its end', ['```\na\n', '```', ' ', '\n'], ['```\na\n', '```', '', '']],
    [
      'a line waits until it cannot be a note',
      ['a\nNo', 'te', ' to', 'day', ' b'],
      ['a', '', '', '\nNote today', ' b'],
    ],
    ['so does one in bold', ['a\n**', '[', 'b', ']** c'], ['a', '', '\n**[b', ']** c']],
    ['bold text in a line is shown at once', ['a **b', '** c'], ['a **b', '** c']],
    ['a note without a bracket waits', ['a\nNote to self: b', ' c', '\n', '- d'], ['a', '', '', '']],
    ['and is shown if text follows', ['a\nNote to self: b', '\n', 'c'], ['a', '', '\nNote to self: b\nc']],
    ['a character in two pieces is given out whole', ['a\ud83d', '\ude00', '', 'b'], ['a', '😀', '', 'b']],
    ['half a character is not given out by nothing', ['a\ud83d', '', 'b'], ['a', '', '\ud83db']],
  ])('%s', (_, pieces, shown) => {
    const parser = createNoteParser()
    expect(pieces.map((piece) => parser.push(piece))).toEqual(shown)
  })

  test('nothing of the note is ever given out, wherever the answer is cut in two', () => {
    const answer = 'Done 😀. [NOTE TO SELF: canary one]\n [NOTE TO SELF: canary [two]]\n'
    for (let cut = 0; cut <= answer.length; cut++) {
      const parser = createNoteParser()
      const shown = [parser.push(answer.slice(0, cut)), parser.push(answer.slice(cut))].join('')
      expect(shown).toBe('Done 😀.')
      expect([parser.end(), parser.notes]).toEqual(['', ['canary one', 'canary [two]']])
    }
  })

  test('an answer that breaks off in its note has shown nothing of it', () => {
    const answer = 'Done. [NOTE TO SELF: canary]'
    for (let cut = 0; cut <= answer.length; cut++)
      expect('Done.').toContain(createNoteParser().push(answer.slice(0, cut)))
  })
})

describe('for any text', () => {
  const piece = fc.constantFrom(
    '[NOTE TO SELF:',
    '[NOTE TO SELF: x]',
    'Note to self:',
    '\nnote to self - y',
    '**Note to self**',
    '**',
    '_',
    '(',
    ')',
    '1. ',
    '# ',
    ']',
    '[',
    '[NOTE',
    ' TO SELF:',
    'word',
    '.',
    ' ',
    ' ',
    '\n',
    '\r\n',
    '`',
    '```',
    '~~~',
    '> ',
    '"',
    '- ',
    '😀',
    '\ud83d',
    '\u3000',
    '中',
  )
  const pieces = fc.array(piece, { maxLength: 24 })
  const anyForm = fc.constantFrom<NoteForm>('lenient', 'exact')
  const plain = fc.array(fc.constantFrom('[NOTE TO SELF:', '[NOTE TO SELF: x]', '[NOTE', ']', '[', 'word', ' ', '\n'), {
    maxLength: 16,
  })

  test('the pieces that it comes in make no difference', () => {
    fc.assert(
      fc.property(pieces, fc.array(fc.nat({ max: 40 })), anyForm, (parts, cuts, form) => {
        const whole = splitNotes(parts.join(''), form)
        expect(inPieces(parts, form)).toEqual(whole)
        expect(inPieces(cutAt(parts.join(''), cuts), form)).toEqual(whole)
        expect(inPieces(parts.join('').split(''), form)).toEqual(whole)
      }),
    )
  })

  test('all of it is shown if no block ends a line', () => {
    const block = /\[NOTE TO SELF:[^]*\]\s*(?:[\r\n]|$)/
    fc.assert(
      fc.property(pieces, (parts) => {
        const answer = parts.join('')
        if (!block.test(answer)) expect(splitNotes(answer, 'exact')).toEqual({ text: answer, notes: [] })
      }),
    )
  })

  test('without quotes it is what a slow reader finds', () => {
    fc.assert(
      fc.property(plain, (parts) => {
        expect(splitNotes(parts.join(''), 'exact')).toEqual(slowly(parts.join('')))
      }),
    )
  })

  test('what is shown has no block of its own', () => {
    fc.assert(
      fc.property(pieces, (parts) => {
        const { text } = splitNotes(parts.join(''))
        expect(splitNotes(text, 'exact')).toEqual({ text, notes: [] })
      }),
    )
  })

  test('a note at its end is taken off, whatever stands before it on other lines', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }).filter((text) => !/[`~]{3}|\[NOTE|self/i.test(text)),
        (text) => {
          expect(splitNotes(`${text}\n[NOTE TO SELF: canary]`)).toEqual({ text: text.trimEnd(), notes: ['canary'] })
        },
      ),
    )
  })
})

describe('a long note', () => {
  const room = mostHeld - longestLead

  test.each<[string, string, SplitText]>([
    ['is held', `a [NOTE TO SELF: ${'x'.repeat(3900)}]`, { text: 'a', notes: ['x'.repeat(3900)] }],
    ['is shown beyond the limit', `a\n[NOTE TO SELF: ${'x'.repeat(mostHeld)}]`, { text: '=', notes: [] }],
    ['without a bracket, too', `a\nNote to self: ${'x'.repeat(mostHeld)}`, { text: '=', notes: [] }],
    ['makes no text of a later one', `[NOTE TO SELF: ${'x'.repeat(room)}\nb\n${block}`, { text: '<', notes: ['x'] }],
    ['of blanks', `a${' '.repeat(9000)}\n${block}`, { text: `a${' '.repeat(2 * (mostHeld - 13))}`, notes: ['x'] }],
  ])('%s', (_, answer, { text, notes }) => {
    const shown = text === '=' ? answer : text === '<' ? answer.slice(0, -block.length - 1) : text
    expect(splitNotes(answer)).toEqual({ text: shown, notes })
    expect(inPieces(answer.split(''))).toEqual({ text: shown, notes })
  })

  test.each([
    ['lenient', '- **Note to self: x [y\n'],
    ['exact', '[NOTE TO SELF:'],
  ] as const)('in the %s form, never more than 4,096 characters are held back', (form, text) => {
    const parser = createNoteParser(form)
    const held = fill(text, 20_000)
      .split('')
      .map((character) => 1 - parser.push(character).length)
    let [now, most] = [0, 0]
    for (const change of held) most = Math.max(most, (now += change))
    expect(most).toBeLessThanOrEqual(4096)
    expect(most).toBeGreaterThan(3900)
  })

  test.each<[string, string, string]>([
    ['is whole up to its limit', 'x'.repeat(longestNote), 'x'.repeat(longestNote)],
    [
      'is cut beyond it, and says so',
      'x'.repeat(longestNote + 1),
      `${'x'.repeat(3940)}\n(61 more characters were left out)`,
    ],
    [
      'is not cut within a character',
      `x${'😀'.repeat(2000)}`,
      `x${'😀'.repeat(1969)}\n(62 more characters were left out)`,
    ],
    ['is trimmed before it is counted', `${' '.repeat(9000)}x`, 'x'],
  ])('left by tool %s', (_, note, kept) => {
    expect(capNote(note)).toBe(kept)
    expect(capNote(kept)).toBe(kept)
  })
})

const hostile: readonly [string, (length: number) => string][] = [
  ['openings', (length) => fill('[NOTE TO SELF: ', length)],
  ['openings, all of them closed', (length) => fill('[NOTE TO SELF: ', length / 2) + fill(']', length / 2)],
  ['blocks', (length) => fill('[NOTE TO SELF: x] ', length)],
  ['empty blocks', (length) => fill('[NOTE TO SELF:]', length)],
  ['blocks with a word between', (length) => fill('[NOTE TO SELF: x] y ', length)],
  ['an opening and blanks', (length) => `[NOTE TO SELF: ${' '.repeat(length)}`],
  ['a note of blanks', (length) => `[NOTE TO SELF: ${' '.repeat(length)}]`],
  ['blanks after a block', (length) => `[NOTE TO SELF: x]${' '.repeat(length)}.`],
  ['blanks', (length) => ' '.repeat(length)],
  ['brackets', (length) => '['.repeat(length)],
  ['brackets in a block', (length) => `[NOTE TO SELF: ${'['.repeat(length / 2)}${']'.repeat(length / 2)}]`],
  ['beginnings of a marker', (length) => fill('[NOTE TO ', length)],
  ['backticks', (length) => fill('` `` ``` ', length)],
  ['fences', (length) => fill('```\n', length)],
  ['notes without a bracket', (length) => fill('Note to self: x\n', length)],
  ['a note and lines that continue it', (length) => `Note to self: x\n${fill('- y\n', length)}`],
  ['notes with a line between', (length) => fill('Note to self: x\ny\n', length)],
  ['notes that open brackets', (length) => fill('- [Note to self: [x\n', length)],
  ['beginnings of a lead', (length) => fill('\n> **Note to myse', length)],
  ['marks', (length) => fill('> - * [ ( " # ', length)],
  ['lines of marks', (length) => fill('*\n', length)],
  ['bold words', (length) => fill('**x** _y_ ', length)],
  ['lines that open a code block', (length) => fill('```note-to-\n', length)],
  ['Chinese', (length) => '中'.repeat(length)],
]

describe('1 MB of', () => {
  test.each(hostile)('%s is parsed in less than 250 ms', (_, make) => {
    for (const length of [8192, 1 << 20]) {
      const text = make(length)
      expect(canBeDoneIn(250, () => parse([text]))).toBe(true)
    }
  })
})

describe('64 KB of', () => {
  test.each(hostile)('%s cost about twice as much as half of it, whole or in pieces of one character', (_, make) => {
    const [half, whole] = [make(1 << 15), make(1 << 16)]
    expect(canBeDoneIn(bestOf(() => parse([half])) * 4 + 10, () => parse([whole]))).toBe(true)
    const [halfPieces, pieces] = [half.split(''), whole.split('')]
    expect(canBeDoneIn(bestOf(() => parse(halfPieces)) * 4 + 10, () => parse(pieces))).toBe(true)
  })
})

function inPieces(pieces: readonly string[], form?: NoteForm): SplitText {
  const parser = createNoteParser(form)
  const shown = pieces.map((piece) => parser.push(piece)).join('')
  return { text: shown + parser.end(), notes: parser.notes }
}

function cutAt(text: string, cuts: readonly number[]): string[] {
  const places = [
    0,
    ...cuts.map((cut) => Math.min(cut, text.length)).toSorted((left, right) => left - right),
    text.length,
  ]
  return places.slice(1).map((place, index) => text.slice(places[index], place))
}

/** Which notes has an answer without quotes? First those at its end, one after another, then those that end a line. */
function slowly(answer: string): SplitText {
  const notes: string[] = []
  let end = answer
  for (let rest = answer; ;) {
    rest = rest.trimEnd()
    const start = rest.endsWith(']') ? opener(rest) : -1
    if (start < 0 || !rest.startsWith('[NOTE TO SELF:', start)) break
    notes.unshift(rest.slice(start + 14, -1).trim())
    rest = end = rest.slice(0, start).trimEnd()
  }
  let text = ''
  let from = 0
  const before: string[] = []
  for (const line of linesOfBlocks(end)) {
    const last = line.at(-1)!
    if (!/^ *\n/.test(end.slice(last.to))) continue
    const said = text + end.slice(from, line[0]!.from).trimEnd()
    text = said.trim() === '' ? '' : said
    from = last.to + /^ */.exec(end.slice(last.to))![0].length
    before.push(...line.map(({ note }) => note))
    if (text === '') from += end.slice(from).length - end.slice(from).trimStart().length
  }
  return { text: text + end.slice(from), notes: [...before, ...notes].filter((note) => note !== '') }
}

interface SlowBlock {
  readonly from: number
  readonly to: number
  readonly note: string
}

/** The blocks that are in no other, in groups of those that follow each other on one line. */
function linesOfBlocks(text: string): SlowBlock[][] {
  const open: number[] = []
  const lines: SlowBlock[][] = []
  const isNote = (at: number): boolean => text.startsWith('[NOTE TO SELF:', at)
  for (const [index, character] of text.split('').entries()) {
    if (character === '[') open.push(index)
    const from = character === ']' ? open.pop() : undefined
    if (from === undefined || !isNote(from) || open.some(isNote)) continue
    const block = { from, to: index + 1, note: text.slice(from + 14, index).trim() }
    const line = lines.at(-1)
    if (line && /^ *$/.test(text.slice(line.at(-1)!.to, from))) line.push(block)
    else lines.push([block])
  }
  return lines
}

/** Where the bracket opened that the last character closes. */
function opener(text: string): number {
  const open: number[] = []
  for (const [index, character] of text.slice(0, -1).split('').entries()) {
    if (character === '[') open.push(index)
    if (character === ']') open.pop()
  }
  return open.at(-1) ?? -1
}

function parse(pieces: readonly string[]): void {
  const parser = createNoteParser()
  for (const piece of pieces) parser.push(piece)
  parser.end()
}

function fill(text: string, length: number): string {
  return text.repeat(Math.ceil(length / text.length))
}
