import type { Explanation } from '@minutebook/server'
import type { Share } from '@minutebook/inspect'
import type { Paint } from '../terminal/terminal.ts'
import { figure, textWidth } from '../terminal/text.ts'
import { shareLooks } from './palette.ts'

/** A bar of the window, exactly `width` columns wide. Every share has at least one column, if there are enough. */
export function bar(shares: readonly Share[], width: number, paint: Paint): string {
  const cells = cellsOf(shares, width - 2)
  return `▕${shares.map(({ name }, index) => paint[shareLooks[name].colour](shareLooks[name].letter.repeat(cells[index]!))).join('')}▏`
}

/** The meaning of the letters in a bar, in as many lines as needed. */
export function legend(shares: readonly Share[], width: number, paint: Paint): string[] {
  const lines: string[] = []
  for (const { name, tokens } of shares) {
    const { letter, colour } = shareLooks[name]
    const text = `${paint[colour](letter)} ${name} ${figure(tokens)}`
    const last = lines.at(-1)
    if (last === undefined || textWidth(last) + textWidth(text) + 3 > width) lines.push(` ${text}`)
    else lines[lines.length - 1] = `${last}   ${text}`
  }
  return lines
}

/**
 * Bar, total and shares on one line of at most `width` columns. The shares have their names if these fit, else their
 * letters. The smallest shares are left out if not even those fit.
 */
export function budgetLine(
  { plan, shares }: Pick<Explanation, 'plan' | 'shares'>,
  width: number,
  paint: Paint,
): string {
  const sum = ` ${figure(plan.tokens)} of ${figure(plan.window)}`
  const room = width - textWidth(sum) - leastBar
  const names = shares
    .map(({ name, tokens }) => `${paint.dim(' ·')} ${paint[shareLooks[name].colour](`${name} ${figure(tokens)}`)}`)
    .join('')
  const labels = textWidth(names) <= room ? names : letters(shares, room, paint)
  return bar(shares, Math.min(mostBar, width - textWidth(sum) - textWidth(labels)), paint) + sum + labels
}

const leastBar = 14
const mostBar = 32

function letters(shares: readonly Share[], room: number, paint: Paint): string {
  const kept = [...shares]
  const text = (): string =>
    kept
      .map(({ name, tokens }) => `  ${paint[shareLooks[name].colour](`${shareLooks[name].letter} ${figure(tokens)}`)}`)
      .join('')
  while (textWidth(text()) > room)
    kept.splice(kept.indexOf(kept.toSorted((one, other) => one.tokens - other.tokens)[0]!), 1)
  return text()
}

/** The number of cells of each share: in proportion, at least one, `width` in total. */
function cellsOf(shares: readonly Share[], width: number): number[] {
  const total = shares.reduce((sum, { tokens }) => sum + tokens, 0)
  const cells = shares.map(({ tokens }) => Math.max(1, Math.floor((tokens / total) * width)))
  const largest = (): number => cells.indexOf(Math.max(...cells))
  for (let over = cells.reduce((sum, count) => sum + count, 0) - width; over !== 0; over -= Math.sign(over))
    cells[largest()]! -= Math.sign(over)
  return cells
}
