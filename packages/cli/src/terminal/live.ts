import type { Terminal } from './terminal.ts'
import { clipped, figure, textWidth } from './text.ts'

/** Shows the progress of long work on `errors`: after half a second, and only on a terminal. */
interface Progress {
  at(done: number, total?: number): void
  /** Clears the line. */
  end(): void
}

export function createProgress(
  { errors }: Terminal,
  doing: string,
  unit: string,
  now: () => number = Date.now,
): Progress {
  const start = now()
  let drawn = 0
  return {
    at: (done, total) => {
      const time = now()
      if (errors.isTTY !== true || time - start < 500 || time - drawn < 100) return
      drawn = time
      const share =
        total === undefined || total === 0 ? '' : ` of ${figure(total)} (${Math.floor((done / total) * 100)}%)`
      errors.write(`\r\u001b[2K${doing}: ${figure(done)}${share} ${unit}`)
    },
    end: () => {
      if (drawn !== 0) errors.write('\r\u001b[2K')
    },
  }
}

/** Lines on a terminal that are drawn again in place. */
interface Block {
  draw(lines: readonly string[]): void
  /** Later output appears below it. */
  end(): void
}

/** Never higher than the terminal: lines that have scrolled away cannot be drawn again. */
export function createBlock({ output, columns }: Terminal): Block {
  let height = 0
  return {
    draw: (lines) => {
      const { rows = 24 } = output as { readonly rows?: number }
      const shown = lines.slice(0, Math.max(1, rows - 1)).map((line) => clippedLine(line, columns()))
      const back = height > 0 ? `\u001b[${height}A` : ''
      // Overwrites line by line: clearing first would flicker.
      output.write(`${back}${shown.map((line) => `${line}\u001b[K\n`).join('')}\u001b[J`)
      height = shown.length
    },
    end: () => void (height = 0),
  }
}

/** Cuts a line that is wider than `columns`. It then loses its colours, so that none runs on. */
function clippedLine(line: string, columns: number): string {
  // oxlint-disable-next-line no-control-regex
  return textWidth(line) <= columns ? line : clipped(line.replace(/\u001b\[[\d;]+m/g, ''), columns)
}
