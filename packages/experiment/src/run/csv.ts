import type { Value } from './experiment.ts'

/**
 * A row of a table as text. Texts are quoted if needed, and none begins a formula in a spreadsheet.
 *
 * @example
 * csvLine(['stand-1', 7, '=1+1', 'a, b']) // `stand-1,7,'=1+1,"a, b"`
 */
export function csvLine(values: readonly (Value | undefined)[]): string {
  return values.map(csvField).join(',')
}

function csvField(value: Value | undefined): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const plain = beginsFormula.test(text) ? `'${text}` : text
  return /[",\n\r]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

/** Spreadsheets skip blanks before a sign, and read its wide form as the sign itself. */
const beginsFormula = /^\s*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/
