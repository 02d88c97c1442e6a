// Writes the drawings of the documentation, light and dark: npm run docs:drawings
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { windowFilm } from './film.ts'
import { operations } from './operations.ts'
import { dark, light, svgOf } from './pen.ts'
import { prompts } from './prompts.ts'
import { threads } from './threads.ts'
import { verdicts } from './verdicts.ts'

/** The text of each drawing, by the name of its file. */
export const drawingFiles: ReadonlyMap<string, string> = new Map(
  Object.entries({ ...prompts, ...verdicts, ...threads, ...operations, window: windowFilm }).flatMap(
    ([name, drawing]) =>
      Object.entries({ light, dark }).map(
        ([theme, palette]) => [`${name}-${theme}.svg`, svgOf(drawing, palette)] as const,
      ),
  ),
)

/** The names of files in a folder that are missing, or are not as they are drawn here. */
export function wrongFiles(folder: string): string[] {
  return [...drawingFiles]
    .filter(([file, svg]) => !existsSync(join(folder, file)) || readFileSync(join(folder, file), 'utf8') !== svg)
    .map(([file]) => file)
    .toSorted()
}

if (import.meta.main)
  for (const file of wrongFiles(import.meta.dirname))
    writeFileSync(join(import.meta.dirname, file), drawingFiles.get(file)!)
