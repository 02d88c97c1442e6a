import { clipped, textWidth } from '../text-width.ts'

/** A line with colours, cut where it is wider than so many columns: then it loses its colours, so that none runs on. */
export function clippedLine(line: string, columns: number): string {
  // oxlint-disable-next-line no-control-regex
  return textWidth(line) <= columns ? line : clipped(line.replace(/\u001b\[\d+m/g, ''), columns)
}
