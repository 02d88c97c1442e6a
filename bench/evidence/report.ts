// How does a bench leave its report for the pages? As Markdown, and as data with where the figures are from.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { table } from '../markdown.ts'
import { provenanceOf, resultsFolder, type Provenance } from './provenance.ts'

/** A stretch of a report below one heading. */
export interface Section {
  readonly title: string
  readonly tables: readonly Table[]
  /** Paragraphs and lists, as they were written. */
  readonly notes: readonly string[]
}

export interface Table {
  readonly headings: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

/** What is in `bench/results/NAME.json`. */
export interface RecordedReport extends Provenance {
  readonly sections: readonly Section[]
}

/** A report that is printed as it is made. */
export interface Report {
  /** Prints a part of it, with an empty line before all but the first. */
  say(markdown: string): void
  /** Writes what was said to `NAME.md`, and as data to `NAME.json`. A smoke test does not call it. */
  keep(): void
}

export function openReport(name: string, command: string, folder: string = resultsFolder): Report {
  const said: string[] = []
  return {
    say: (markdown) => {
      console.log(said.length === 0 ? markdown : `\n${markdown}`)
      said.push(markdown)
    },
    keep: () => keepReport(name, said.join('\n\n'), provenanceOf(command), folder),
  }
}

export function keepReport(
  name: string,
  markdown: string,
  provenance: Provenance,
  folder: string = resultsFolder,
): void {
  const recorded: RecordedReport = { ...provenance, sections: sectionsOf(markdown) }
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, `${name}.md`), `${markdown.trimEnd()}\n`)
  writeFileSync(join(folder, `${name}.json`), `${JSON.stringify(recorded, null, 1)}\n`)
}

/** What a command left in `bench/results/NAME.json`, whatever it is. Undefined if the command was not run yet. */
export function recordedData<Data>(name: string, folder: string = resultsFolder): Data | undefined {
  const file = join(folder, `${name}.json`)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Data) : undefined
}

/** Reads a report: its headings, its tables, and the text between them. */
function sectionsOf(markdown: string): Section[] {
  const sections: { title: string; tables: Table[]; notes: string[] }[] = []
  for (const block of markdown.split(/\n{2,}|\n(?=#)|(?<=^#[^\n]*)\n/m).map((each) => each.trim())) {
    if (block === '') continue
    const title = /^#+ +(.+)$/.exec(block)?.[1]
    if (title !== undefined) sections.push({ title, tables: [], notes: [] })
    else if (sections.length === 0) throw new Error(`A report begins with a heading, not with "${block}".`)
    else if (block.startsWith('|')) sections.at(-1)!.tables.push(tableOf(block))
    else sections.at(-1)!.notes.push(block)
  }
  return sections
}

/** The first section whose title is or begins like this. Throws if the report has none. */
export function sectionOf({ command, sections }: RecordedReport, beginning: string): Section {
  const found = sections.find(({ title }) => title.startsWith(beginning))
  if (found === undefined) throw new Error(`The report of "${command}" has no section that begins with "${beginning}".`)
  return found
}

/** A table as Markdown. */
export function tableText({ headings, rows }: Table): string {
  return table(headings, rows)
}

function tableOf(block: string): Table {
  const [headings = [], , ...rows] = block.split('\n').map((line) =>
    line
      .replace(/^\| ?/, '')
      .replace(/ ?\|$/, '')
      .split(/ ?\| ?/)
      .map((cell) => cell.trim()),
  )
  return { headings, rows }
}
