import { readFileSync } from 'node:fs'

/**
 * The lines of a page's block of output that a program did not print, in their order; `…` stands for any number of
 * lines.
 */
export function shownIn(page: URL, printed: string): string[] {
  const [, block = ''] = readFileSync(page, 'utf8').split('```text\n')
  const lines = printed.split('\n')
  let from = 0
  return block
    .slice(0, block.indexOf('\n```'))
    .split('\n')
    .filter((line) => {
      if (line === '…') return false
      const at = lines.indexOf(line, from)
      if (at >= 0) from = at + 1
      return at < 0
    })
}
