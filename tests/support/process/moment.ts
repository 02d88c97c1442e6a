/** Microseconds of the machine's steady clock: the same in every process. */
export function now(): number {
  return Number(process.hrtime.bigint()) / 1000
}

/** A word that says when it was written. Mostly letters, as words are, so that it is not dear to count. */
export function stampedWord(): string {
  return `~${Math.round(now() * 1000).toString(36)} `
}

export interface Stamp {
  readonly word: string
  /** When it was written, in microseconds. */
  readonly at: number
}

/** The stamped words in a text, in order. */
export function stampsIn(text: string): Stamp[] {
  return Array.from(text.matchAll(/~([0-9a-z]{6,12}) /g), ([word, digits = '']) => ({
    word,
    at: Number.parseInt(digits, 36) / 1000,
  }))
}

/** The same text whenever it was written. */
export function withoutStamps(text: string): string {
  return text.replace(/~[0-9a-z]{6,12}/g, '~')
}
