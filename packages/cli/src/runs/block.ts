import type { Terminal } from '../terminal.ts'
import { clippedLine } from './clipped-line.ts'

/** Lines on a terminal that are drawn again in place. */
export interface Block {
  draw(lines: readonly string[]): void
  /** What comes next stands beneath it. */
  end(): void
}

/** Never higher than the terminal: what has left it above cannot be drawn again. */
export function createBlock({ output, columns }: Terminal): Block {
  let height = 0
  return {
    draw: (lines) => {
      const { rows = 24 } = output as { readonly rows?: number }
      const shown = lines.slice(0, Math.max(1, rows - 1)).map((line) => clippedLine(line, columns()))
      const back = height > 0 ? `\u001b[${height}A` : ''
      // Line over line: what was cleared first would flicker.
      output.write(`${back}${shown.map((line) => `${line}\u001b[K\n`).join('')}\u001b[J`)
      height = shown.length
    },
    end: () => void (height = 0),
  }
}
