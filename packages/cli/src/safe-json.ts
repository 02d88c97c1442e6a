/**
 * JSON that is safe to print: what a terminal could take for a command, or for a change of direction, is written as an
 * escape. The same value when it is read.
 */
export function safeJson(value: unknown, indent = 0): string {
  return withEscapes(JSON.stringify(value, null, indent))
}

/** The same for a text that is JSON already: outside of its strings there is nothing to write out. */
export function withEscapes(json: string): string {
  // oxlint-disable-next-line no-control-regex
  return json.replaceAll(/[\u007f-\u009f]|[\p{Cf}\p{Zl}\p{Zp}\p{Co}]/gu, inUnits)
}

function inUnits(character: string): string {
  let units = ''
  for (let index = 0; index < character.length; index++)
    units += `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`
  return units
}
