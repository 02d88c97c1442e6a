/** Our messages say what is wrong, then what to do, after a semicolon or a full stop: the two by themselves. */
export function parted(text: string): { readonly message: string; readonly fix: string } {
  const at = ['; ', '. '].map((mark) => text.indexOf(mark)).find((place) => place > 0) ?? -1
  if (at < 0) return { message: text, fix: 'See the documentation of this error code.' }
  const fix = text.slice(at + 2)
  return { message: `${text.slice(0, at)}.`, fix: `${fix.charAt(0).toUpperCase()}${fix.slice(1)}` }
}
