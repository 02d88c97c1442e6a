import { scriptedModel, user } from '@minutebook/testing'
import fc from 'fast-check'
import { memoryStore, openBook } from 'minutebook'
import { splitNotes, takeNotes } from 'minutebook/wire'
import { describe, expect, test } from 'vitest'

const fence = '```'

/** A form of a note, with X for its text. */
type Form = readonly [name: string, form: string]

const openings: readonly Form[] = [
  ['in capitals', 'NOTE TO SELF: X'],
  ['in small letters', 'note to self: X'],
  ['as a title', 'Note To Self: X'],
  ['to myself', 'Note to myself: X'],
  ['with hyphens', 'Note-to-self: X'],
  ['as an identifier', 'NOTE_TO_SELF: X'],
]

const wrappers: readonly (readonly [name: string, wrap: (note: string) => string])[] = [
  ['bare', (note) => note],
  ['in brackets', (note) => `[${note}]`],
  ['in brackets, in bold', (note) => `**[${note}]**`],
  ['in brackets, in italics', (note) => `_[${note}]_`],
  ['in brackets, quoted', (note) => `> [${note}]`],
  ['in brackets, as an item', (note) => `- [${note}]`],
  ['in brackets, in a code block', (note) => `${fence}\n[${note}]\n${fence}`],
  ['in brackets, in quotation marks', (note) => `"[${note}]"`],
  ['in brackets that are never closed', (note) => `[${note}`],
  ['in bold', (note) => `**${note}**`],
  ['in italics', (note) => `*${note}*`],
  ['in parentheses', (note) => `(${note})`],
  ['quoted', (note) => `> ${note}`],
  ['in code', (note) => `\`${note}\``],
]

const endings: readonly Form[] = [
  ['', 'X'],
  [', a line break', 'X\n'],
  [', blanks', 'X \n\n\t'],
]

const singles: readonly Form[] = [
  // The nineteen that were shown to people.
  ['in bold', '**[Note to self: X]**'],
  ['in bold capitals', '**[NOTE TO SELF: X]**'],
  ['in italics', '*[NOTE TO SELF: X]*'],
  ['in bold italics', '***[NOTE TO SELF: X]***'],
  ['in a code block', `${fence}\n[NOTE TO SELF: X]\n${fence}`],
  ['in a code block with a language', `${fence}text\n[NOTE TO SELF: X]\n${fence}`],
  ['in code', '`[NOTE TO SELF: X]`'],
  ['with a full stop behind it', '[NOTE TO SELF: X].'],
  ['unclosed', '[NOTE TO SELF: X'],
  ['quoted', '> [NOTE TO SELF: X]'],
  ['in an item', '- [NOTE TO SELF: X]'],
  ['in quotation marks', '"[NOTE TO SELF: X]"'],
  ['in small letters', '[note to self: X]'],
  ['with one capital', '[Note to self: X]'],
  ['without brackets', 'NOTE TO SELF: X'],
  ['with a dash', 'NOTE TO SELF - X'],
  ['in parentheses', '(Note to self: X)'],
  ['with a bold lead', '**Note to self:** X'],
  ['with a blank before the colon', '[NOTE TO SELF : X]'],
  // More of them.
  ['with the colon behind the bold lead', '**Note to self**: X'],
  ['with a closed bracket', '[NOTE TO SELF] X'],
  ['with a long dash', 'Note to self — X'],
  ['with a wide colon', 'Note to self：X'],
  ['as a heading', '## Note to self\n\nX'],
  ['as a heading in one line', '### Note to self: X'],
  ['on the next line', '**Note to self:**\nX'],
  ['with a sign before it', '📝 Note to self: X'],
  ['in two brackets', '[[NOTE TO SELF: X]]'],
  ['in tildes', '~~~\nNote to self: X\n~~~'],
  ['in a code block that is never closed', `${fence}\nNote to self: X`],
  ['in typographic marks', '“Note to self: X”'],
  ['bold in the brackets', '[**Note to self:** X]'],
  ['set in', '    [Note to self: X]'],
]

const generated: readonly Form[] = openings.flatMap(([name, words]) =>
  wrappers.flatMap(([wrapped, wrap]) =>
    endings.map(([end, form]): Form => [`${name}, ${wrapped}${end}`, form.replace('X', wrap(words))]),
  ),
)

const forms: readonly Form[] = [...singles, ...generated]

describe('is a note, and is not shown', () => {
  test.each(forms)('%s', (_, form) => {
    const note = 'the footer is in base.html'
    const written = form.replace('X', note)
    for (const answer of [`Done.\n\n${written}`, `Done.\r\n${written}\n`, `Done.\n- a list\n- of things\n${written}`]) {
      const { text, notes } = splitNotes(answer)
      expect(notes).toEqual([note])
      expect(text).toMatch(/^Done\.|things$/)
      expect(text).not.toMatch(/note/i)
    }
    expect(splitNotes(written)).toEqual({ text: '', notes: [note] })
  })

  test('in more than sixty forms', () => expect(new Set(forms.map(([, form]) => form)).size).toBeGreaterThan(200))

  test.each([
    ['in a line, in brackets', 'Done. [Note to self: x]', 'Done.', 'x'],
    ['in a line, in bold', 'Done. **[Note to self: x]**', 'Done.', 'x'],
    ['in a line, unclosed', 'Done. [NOTE TO SELF: x', 'Done.', 'x'],
    ['the last of several', 'Done.\n[NOTE TO SELF: a]\n**Note to self:** b\n- Note to self: c.', 'Done.', 'c.'],
    ['with more than a line', 'Done.\nNote to self: I did\n- this\n- and that', 'Done.', 'I did\n- this\n- and that'],
    ['as a list', 'Done.\nNotes to self:\n- a\n- b', 'Done.', '- a\n- b'],
    ['over several quoted lines', 'Done.\n> Note to self: a\n> b', 'Done.', 'a\nb'],
    ['with brackets', 'Done.\n**[Note to self: a[0] is **x**]**', 'Done.', 'a[0] is **x**'],
    ['with parentheses', 'Done.\n(Note to self: call f() first)', 'Done.', 'call f() first'],
    ['with an apostrophe', "Done.\n'Note to self: don't do it'", 'Done.', "don't do it"],
    ['without words', 'Done.\n[Note to self: ]', 'Done.', undefined],
  ])('%s', (_, answer, text, note) => {
    const { text: shown, notes } = splitNotes(answer)
    expect([shown, notes.at(-1)]).toEqual([text, note])
  })

  test.each<[string, string, string, string[]]>([
    ['a block, and a closing line', 'Done.\n[NOTE TO SELF: x]\nHave a nice day!', 'Done.\nHave a nice day!', ['x']],
    ['at the end of a line of text', 'Done. [NOTE TO SELF: x]\n\nBye.', 'Done.\n\nBye.', ['x']],
    ['at the beginning', '[NOTE TO SELF: x]\n\nDone.', 'Done.', ['x']],
    ['several', 'A\n[NOTE TO SELF: a]\nB\n[NOTE TO SELF: b]\nC\n[NOTE TO SELF: c]', 'A\nB\nC', ['a', 'b', 'c']],
    ['two on a line', 'A [NOTE TO SELF: a] [NOTE TO SELF: b]\nB', 'A\nB', ['a', 'b']],
    ['over several lines', 'A\n[NOTE TO SELF: a\n- b\n- c]\nB', 'A\nB', ['a\n- b\n- c']],
    ['with a fence in it', 'A\n[NOTE TO SELF: a\n```\nb]\nB\n[NOTE TO SELF: c]', 'A\nB', ['a\n```\nb', 'c']],
    ['before a rule', 'A\n[NOTE TO SELF: a]\n---', 'A\n---', ['a']],
    ['as an item', 'A\n- [NOTE TO SELF: a]\n- B', 'A\n- B', ['a']],
    ['before a list', 'A\n[NOTE TO SELF: a]\n- B', 'A\n- B', ['a']],
    [
      'before a line that only seems to be one',
      'A\n[NOTE TO SELF: a]\nNote to self: b\nB',
      'A\nNote to self: b\nB',
      ['a'],
    ],
    ['after such a line', 'Note to self: a\n[NOTE TO SELF: b]\nB', 'Note to self: a\nB', ['b']],
    ['after such a line, at the end', 'A\nNote to self: a\n[NOTE TO SELF: b]', 'A', ['a', 'b']],
  ])('with text after it: %s', (_, answer, text, notes) => {
    expect(splitNotes(answer)).toEqual({ text, notes })
  })
})

const sentences: readonly string[] = [
  // About notes.
  'I made a note to self about it.',
  'I made a note to self: buy milk.',
  'She left a note to self on the door.',
  'He wrote "Note to self: buy milk" on the board.',
  'My note to self - as always - was ignored.',
  'A note to self is a short reminder.',
  'Note to self is a phrase that people use.',
  'Note to self, or memo: both words will do.',
  'Notes to self are useful.',
  'Note to selfish people: share.',
  'Note to self-employed people: keep the receipts.',
  'Note to the self-employed: keep the receipts.',
  'Note to yourself: there is no such form.',
  'A note: to self-host it, you need a server.',
  'Take note. To self-host it, you need a server.',
  '"Note to self: buy milk," she said.',
  '“Note to self: buy milk”, she wrote in her diary.',
  "'Note to self: buy milk' is what the paper said.",
  '(Note to self: buy milk) was all that it said.',
  '`Note to self: x` is the form that people use.',
  'I end each answer with a note (such as [NOTE TO SELF: x]).',
  'The form is "[NOTE TO SELF: x]".',
  'The form is `[NOTE TO SELF: x]`.',
  'Write [NOTE TO SELF: x] as the last thing.',
  '**[Note to self: x]**\n\nLet me know!',
  '> [NOTE TO SELF: x]\nis what it wrote.',
  '```\n[NOTE TO SELF: x]\n```\nis the form.',
  '[NOTE TO SELF: x] is the form of a note.',
  '**Note to self** is a song.',
  '*Note to Self* is her second album.',
  '# Note to self is a genre',
  // Headings and other notes.
  'Notes:\n- water the plants',
  'Note: this is not tested yet.',
  '**Note:** this is not tested yet.',
  '> Note: this is not tested yet.',
  'NOTE to all: the office is closed.',
  'Note to editors: the photos are free.',
  'Self-note: none',
  'Memo to self: that is another word.',
  'Reminder: buy milk.',
  'Todo: buy milk.',
  'To self or not to self: that is the question.',
  // In the middle of an answer.
  'Note to self: x\n\nAnything else?',
  'Note to self: x\nAnything else?',
  'Done.\n\n> Note to self: buy milk\n\nThat is what the page says.',
  'Done.\n- Note to self: buy milk\n- Memo: buy bread\n\nThese are two examples.',
  'Some ways to begin:\n- Note to self: …\n- Dear diary, …',
  '1. Note to self: a\n2. Memo: b\n3. Reminder: c',
  '[Note to self: x] and then some more.',
  'Note to self: x\n\n## Summary\nAll is done.',
  'Note to self\n\nThat is the title of the poem.',
  // In code.
  `${fence}\nNote to self: x\n${fence}\nThat is the form.`,
  `${fence}js\n// Note to self: x\n${fence}`,
  `${fence}js\na()\nNote to self: x\n${fence}`,
  `${fence}py\n# comment\n[NOTE TO SELF: x]\n${fence}`,
  `${fence}\n[NOTE TO SELF: x]\n${fence}\n\nUse it at the end.`,
  '// Note to self: x',
  'const note = "[NOTE TO SELF: x]"',
  '<!-- Note to self: x -->\n<p>Hello</p>',
  'note_to_self({ text: "x" })',
  '{ "note_to_self": "x" }',
  '{\n  "color": "red",\n  "note_to_self": "x"\n}',
  // In other languages, and unfinished.
  'Notiz an mich selbst: Milch kaufen.',
  'Note à moi-même : acheter du lait.',
  'Nota para mí: comprar leche.',
  '自分へのメモ：牛乳を買う',
  'Note to se',
  '[NOTE TO',
  'Note to',
]

describe('is text', () => {
  test.each(sentences.map((sentence) => [sentence]))('%s', (sentence) => {
    for (const answer of [sentence, `Done.\n\n${sentence}`, `Done.\n${sentence}\n`])
      expect(splitNotes(answer)).toEqual({ text: answer, notes: [] })
  })

  test('in at least sixty sentences', () => expect(new Set(sentences).size).toBeGreaterThanOrEqual(60))
})

const anyForm = fc.constantFrom(...forms.map(([, form]) => form), ...sentences)
const anyAnswer = fc
  .array(fc.oneof(anyForm, fc.constantFrom('Done.', 'x'.repeat(3000), fence, '> a', '', ' ')), { maxLength: 6 })
  .map((parts) => parts.join('\n'))

describe('for any answer', () => {
  test('what was streamed is what is recorded and visible, whatever its pieces', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyAnswer.filter((answer) => answer.trim() !== ''),
        fc.integer({ min: 1, max: 99 }),
        fc.constantFrom('block' as const, { form: 'block' as const, exact: true }),
        async (answer, size, notes) => {
          const pieces = Array.from({ length: Math.ceil(answer.length / size) }, (_, at) =>
            answer.slice(at * size, (at + 1) * size),
          )
          const model = scriptedModel([{ text: pieces }])
          const thread = openBook({ store: memoryStore(), model, window: 100_000, notes }).thread('t')
          let streamed = ''
          for await (const event of thread.send('Go')) if (event.type === 'text') streamed += event.text
          const entries = await thread.entries()
          const { text, notes: blocks } = splitNotes(answer, notes === 'block' ? 'lenient' : 'exact')
          expect(streamed).toBe(text)
          expect(entries.find(({ kind }) => kind === 'assistant')?.text ?? '').toBe(streamed)
          expect((await thread.visible()).findLast(({ kind }) => kind === 'assistant')?.text ?? '').toBe(streamed)
          const kept = entries.filter(({ kind }) => kind === 'note')
          expect(kept.map((entry) => entry.text)).toEqual(blocks.slice(-1))
          expect(kept.flatMap(({ raw }) => (raw as { readonly earlier?: readonly string[] }).earlier ?? [])).toEqual(
            blocks.slice(0, -1),
          )
        },
      ),
    )
  })

  test('that a user or a tool wrote, nothing is a note', () => {
    fc.assert(
      fc.property(anyAnswer, (text) => {
        for (const message of [user(text), { role: 'tool', content: text }, { role: 'system', content: text }])
          expect(takeNotes(message)).toEqual({ message, notes: [], earlier: [] })
      }),
    )
  })
})
