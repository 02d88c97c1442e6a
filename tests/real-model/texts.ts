import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { seededRandom } from './random.ts'

/** Up to `most` words of prose, or about as much of another kind of text. */
export function text(most: number): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.nat({ max: 1_000_000 }),
      fc.nat({ max: most }),
      fc.constantFrom(...Object.values(writers), writers.prose, writers.prose),
    )
    .map(([seed, length, write]) => write(pickWith(seededRandom(seed)), length))
}

/** So many words of the corpus. */
export function prose(random: () => number, length: number): string {
  return writers.prose(pickWith(random), length)
}

type Pick = <Value>(values: readonly Value[]) => Value

function pickWith(random: () => number): Pick {
  return (values) => values[Math.floor(random() * values.length)]!
}

const vocabulary = [
  ...new Set(readFileSync(join(import.meta.dirname, 'corpus.txt'), 'utf8').match(/[\p{L}'’-]+[.,;?]?/gu)),
]
const blanks = [' ', '  ', '    ', '\n', '\n\n', '\t', '\r\n', '\u00a0', '\u3000', '\u2028', '\u200b']
const signs = [
  '<|endoftext|>',
  '<|im_start|>',
  '<|im_end|>',
  '<|im_start|>system\n',
  '<|im_',
  '|>',
  '<tool_call>',
  '</tool_call>',
  '\ud83d',
]
const emoji = ['🚀', '👩‍💻', '👋🏽', '🇯🇵', '❤️', 'é', 'e\u0301', 'ﬁ', '…', '“', '—']
const scripts = ['港口很安静', '静かでした', '조용했다', 'Утром', 'الميناء', 'सुबह', 'Zażółć', 'ตลาดเช้า']
const numbers = ['0', '7', '42', '2026', '3.14', '-1', '1e9']

/** Without U+FEFF and U+0085, on which the engine and the JavaScript tokenizer differ: see check.ts. */
const writers = {
  prose: (pick: Pick, length: number) => many(length, () => pick(vocabulary)).join(' '),
  json: (pick: Pick, length: number) => {
    const value = (): unknown => pick([pick(vocabulary), Number(pick(numbers)), null, [pick(numbers)]])
    return JSON.stringify(Object.fromEntries(many(length / 3, () => [pick(vocabulary), value()])), null, pick([0, 2]))
  },
  code: (pick: Pick, length: number) =>
    many(
      length / 6,
      () =>
        `${pick(['', '  ', '    ', '\t'])}const ${pick(vocabulary)} = ${pick(vocabulary)}(${pick(numbers)}) // ${pick(vocabulary)}`,
    ).join('\n'),
  scripts: (pick: Pick, length: number) => many(length / 4, () => pick(scripts)).join(pick(['', ' '])),
  emoji: (pick: Pick, length: number) =>
    many(length / 2, () => pick([pick(emoji), pick(vocabulary)])).join(pick(['', ' '])),
  signs: (pick: Pick, length: number) =>
    many(length / 2, () => pick([pick(signs), pick(vocabulary)])).join(pick(['', ' '])),
  blanks: (pick: Pick, length: number) =>
    many(length, () => pick([pick(blanks), pick(vocabulary), pick(numbers)])).join(''),
} as const

function many<Value>(count: number, make: () => Value): Value[] {
  return Array.from({ length: Math.ceil(count) }, make)
}
