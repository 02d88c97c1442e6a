import { readdirSync, readFileSync } from 'node:fs'

const folder = new URL('../../sql/', import.meta.url)

/** Every statement by the name of its file. */
export function statementTexts(): readonly (readonly [name: string, text: string])[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .toSorted()
    .map((file) => [file.slice(0, -'.sql'.length), readFileSync(new URL(file, folder), 'utf8')])
}
