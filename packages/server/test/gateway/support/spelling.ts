import type { Dice } from '../../../../../tests/support/dice.ts'

/** A number that is written as it stands, since a program would write it another way. */
export interface Numeral {
  readonly numeral: string
}

export const numerals: readonly Numeral[] = [
  '12345678901234567890',
  '-0',
  '1.0',
  '1e2',
  '1E+400',
  '0.1000',
  '1.7976931348623157e308',
  '-9007199254740993',
  '3.141592653589793238462643',
].map((numeral) => ({ numeral }))

/**
 * Writes a value as JSON in one of the many ways that mean the same: blanks, escapes and letter case as the dice fall.
 * `blanks`: those that may stand between tokens.
 */
export function spelled(value: unknown, dice: Dice, blanks: readonly string[] = anyBlank): string {
  const blank = (): string => (dice.isLucky(0.1) ? dice.pick(blanks) : '')
  const write = (each: unknown): string => `${blank()}${written(each)}${blank()}`
  const written = (each: unknown): string => {
    if (typeof each === 'string') return quoted(each, dice)
    if (Array.isArray(each)) return `[${each.length === 0 ? blank() : each.map(write).join(',')}]`
    if (typeof each !== 'object' || each === null) return JSON.stringify(each) ?? 'null'
    if (isNumeral(each)) return each.numeral
    const members = Object.entries(each).filter(([, member]) => member !== undefined)
    return `{${members.length === 0 ? blank() : members.map(([name, member]) => `${blank()}${JSON.stringify(name)}${blank()}:${write(member)}`).join(',')}}`
  }
  return write(value)
}

export const anyBlank: readonly string[] = [' ', '  ', '\n', '\t', '\r\n', '\n    ']
export const lineBlank: readonly string[] = [' ', '  ', '\t']

/** With a code in place of a character now and then. */
function quoted(text: string, dice: Dice): string {
  let written = ''
  for (const character of text) {
    if (dice.isLucky(0.03))
      written += [...Array(character.length).keys()].map((unit) => coded(character.charCodeAt(unit), dice)).join('')
    else if (character === '/' && dice.isLucky(0.5)) written += '\\/'
    else written += JSON.stringify(character).slice(1, -1)
  }
  return `"${written}"`
}

function coded(unit: number, dice: Dice): string {
  const code = unit.toString(16).padStart(4, '0')
  return `\\u${dice.isLucky(0.5) ? code : code.toUpperCase()}`
}

function isNumeral(value: object): value is Numeral {
  return Object.keys(value).join() === 'numeral' && typeof (value as Numeral).numeral === 'string'
}

/** What is hard to read, to write and to split. */
export const oddWords: readonly string[] = [
  'The lamp ',
  'Grüße',
  ' 世界',
  ' 👩‍💻',
  '"quoted" \\ ',
  '\n\n',
  'data: [DONE]',
  '\u2028',
  '{"done":true}',
  '</b>',
  '\u0000',
  '\ud83d',
  '[NOTE',
  ' ok.',
]

/** What a field that only its client knows can hold. */
export function oddValue(dice: Dice): unknown {
  return dice.pick([
    null,
    dice.pick(numerals),
    dice.pick(oddWords),
    { numeral_of: dice.pick(numerals), list: [dice.pick(oddWords), [], {}] },
    [],
  ])
}
