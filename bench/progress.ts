export interface Progress {
  step(label: string): void
  done(): void
}

/** A bar on a terminal, else one plain line every few seconds; on stderr, so stdout stays the report. */
export function showProgress(total: number, stream: NodeJS.WriteStream = process.stderr): Progress {
  const width = 30
  const started = performance.now()
  let steps = 0
  let shown = started
  const seconds = (): string => `${((performance.now() - started) / 1000).toFixed(0)} s`
  return {
    step: (label) => {
      steps++
      const now = performance.now()
      if (stream.isTTY) {
        if (now - shown < 100 && steps < total) return
        const filled = Math.round((width * steps) / total)
        stream.write(
          `\r\u001b[2K${'█'.repeat(filled)}${'░'.repeat(width - filled)} ${steps}/${total} ${seconds()} ${label}`,
        )
      } else {
        if (now - shown < 5000) return
        stream.write(`${steps}/${total} ${seconds()} ${label}\n`)
      }
      shown = now
    },
    done: () => void stream.write(stream.isTTY ? `\r\u001b[2K` : `${steps}/${total} ${seconds()} done\n`),
  }
}
