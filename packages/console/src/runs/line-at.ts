/**
 * Where a line of a text begins and ends; the last one where there are not so many.
 *
 * @example
 * lineAt('a\nbc', 2) // { from: 2, to: 4 }
 */
export function lineAt(text: string, line: number): { readonly from: number; readonly to: number } {
  const lines = text.split('\n')
  const index = Math.max(0, Math.min(lines.length, line) - 1)
  const from = lines.slice(0, index).reduce((sum, each) => sum + each.length + 1, 0)
  return { from, to: from + (lines[index]?.length ?? 0) }
}
