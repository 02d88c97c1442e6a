import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Which of the texts stand in files below a folder: each as `name`, with the files. */
export function foundIn(folder: string, texts: Readonly<Record<string, string>>): Record<string, string[]> {
  const found: Record<string, string[]> = {}
  for (const each of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!each.isFile()) continue
    const path = join(each.parentPath, each.name)
    const bytes = readFileSync(path)
    for (const [name, text] of Object.entries(texts))
      if (bytes.includes(text)) (found[name] ??= []).push(path.slice(folder.length + 1))
  }
  return found
}
