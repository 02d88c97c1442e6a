/** Whether the last character is only half there. */
export function endsInHalf(text: string): boolean {
  const last = text.charCodeAt(text.length - 1)
  return last >= 0xd800 && last <= 0xdbff
}

/** Without half a surrogate pair at its end. */
export function wellFormed(text: string): string {
  return endsInHalf(text) ? text.slice(0, -1) : text
}
