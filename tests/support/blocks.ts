/** A fenced piece of code in a Markdown file. */
export interface Block {
  readonly file: string
  /** Of the opening fence, counted from 1. */
  readonly line: number
  readonly language: string
  readonly marks: readonly string[]
  readonly text: string
}

/** All fenced blocks, in order. An unclosed fence is an error. */
export function blocksOf(file: string, markdown: string): Block[] {
  const blocks: Block[] = []
  const lines = markdown.split('\n')
  for (let i = 0; i < lines.length; i++) {
    const [, fence, info = ''] = /^(`{3,}|~{3,})(.*)$/.exec(lines[i] ?? '') ?? []
    if (fence === undefined) continue
    const end = lines.findIndex((line, at) => at > i && line.trimEnd() === fence)
    if (end < 0) throw new Error(`${file}:${i + 1}: this code block is never closed.`)
    const [language = '', ...marks] = info.trim().split(/\s+/)
    blocks.push({ file, line: i + 1, language, marks, text: lines.slice(i + 1, end).join('\n') + '\n' })
    i = end
  }
  return blocks
}

export const isScript = ({ language }: Block): boolean => language === 'ts' || language === 'js'

export const isRunnable = (block: Block): boolean => isScript(block) && !block.marks.includes('no-run')
