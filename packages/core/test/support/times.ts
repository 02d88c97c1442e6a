/** A word so many times, with blanks between. */
export function times(count: number, word: string = 'word'): string {
  return Array.from({ length: count }, () => word).join(' ')
}
