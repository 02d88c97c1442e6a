/**
 * A value as JSON in which nothing hides: characters that would not be seen, or would move others, stand as escapes. It
 * still is the JSON of the value.
 *
 * @example
 * readableJson('a\u202eb') // '"a\\u202eb"'
 */
export function readableJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(hiding, escaped)
}

const hiding = /[\u007f-\u009f\u00ad\p{Cf}\p{Zl}\p{Zp}\p{Co}]/gu

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('')
}
