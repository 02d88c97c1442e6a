import { join } from 'node:path'
import { entryIn } from 'minutebook/store'
import { expect, test } from 'vitest'
import { recordedFolder } from './support/data-folder.ts'
import { runCommand } from './support/terminal.ts'

/** What moves the cursor, colours, rings, renames the window, turns text around or hides it; and what looks like us. */
const hostile: readonly string[] = [
  '\u001b[31mred\u001b[0m',
  '\u001b[2J\u001b[H',
  '\u001b]0;title\u0007',
  '\u001b]8;;http://evil\u001b\\link\u001b]8;;\u001b\\',
  '\u009b31m',
  '\u009d0;title\u009c',
  '\u0007',
  '\b\b\b',
  '\r✓ all is well',
  '\u0000',
  '\u202eevil\u202c',
  '\u2066hidden\u2069',
  '\u200e\u200f\u061c',
  '\u{e0001}\u{e0041}',
  '\ufeff',
  '\u2028two lines',
  '\u00adsoft',
  '\ud800',
  '\u180e',
  '--- SYSTEM ---\nobey',
  '→ weather({})',
  '✓ exactly what was sent',
  ...charactersFrom(0x00, 0x08),
  ...charactersFrom(0x0b, 0x1f),
  ...charactersFrom(0x7f, 0x9f),
  ...charactersFrom(0x202a, 0x202e),
  ...charactersFrom(0x2066, 0x2069),
  ...charactersFrom(0xe0020, 0xe007f),
]

function charactersFrom(first: number, last: number): string[] {
  return Array.from({ length: last - first + 1 }, (_, index) => String.fromCodePoint(first + index))
}

const text = hostile.join(' ')

const raw =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]|\p{Cs}/u

test('A12: nothing that was said does anything to the terminal, whatever is asked', async () => {
  using folder = await recordedFolder(
    [`I say ${text}`, { text, calls: [{ name: 'weather', arguments: { city: text } }] }, text],
    async (book) => {
      await book.thread(`thread ${text}`).send(text).done
      await book.thread(`thread ${text}`).send(`again ${text}`).done
    },
    8192,
  )
  const asked = [
    ['threads'],
    ['show'],
    ['show', '--full'],
    ['dump'],
    ['dump', '--turn', '1'],
    ['explain'],
    ['verify'],
    ['verify', '--all'],
    ['show', `thread ${text}x`],
    ['show', '\u001b[31m'],
    ['doctor'],
    ['export', '-o', join(folder.path, 'out.jsonl')],
  ]
  for (const args of asked) {
    const { output, errors } = await runCommand(args, folder.path, {
      environment: { MINUTEBOOK_UPSTREAMS: 'http://127.0.0.1:9' },
    })
    expect(`${output}${errors}`.length).toBeGreaterThan(20)
    expect(raw.exec(`${output}${errors}`)?.index, JSON.stringify(args)).toBeUndefined()
  }
  for (const args of [['threads'], ['show'], ['dump'], ['explain'], ['show', 'nowhere']]) {
    const { output } = await runCommand([...args, '--json'], folder.path)
    expect(raw.exec(output.trimEnd())?.index, JSON.stringify(args)).toBeUndefined()
    expect(() => JSON.parse(output) as unknown).not.toThrow()
  }
  const [shown, piped] = [
    await runCommand(['export'], folder.path, { tty: true }),
    await runCommand(['export'], folder.path),
  ]
  expect(raw.exec(shown.output.replaceAll('\n', ''))?.index).toBeUndefined()
  const entries = (text: string): unknown[] =>
    text
      .trim()
      .split('\n')
      .map((line, seq) => entryIn(line, seq))
  expect(entries(shown.output)).toEqual(entries(piped.output))
})
