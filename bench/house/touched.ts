import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { run } from '../../tests/support/workshop.ts'
import { table } from '../markdown.ts'
import { loaderIn } from '../rounds/side.ts'
import { acts } from './acts.ts'

/** What ran when an act was played once, or why it could not be played. */
export type Played =
  /** How many functions ran, by file: `core/src/compiler/compile.ts`. Only files of which a function ran. */
  { readonly files: Readonly<Record<string, number>> } | { readonly failed: string }

/** One act: as it is, and as it was in the commit that it is held against. */
export interface Touched {
  readonly name: string
  readonly before?: Played
  readonly now: Played
}

/** Plays all acts on the sources of a checkout, and of an older one. All must succeed on the first one. */
export async function countTouched(checkout: string, older?: string): Promise<Touched[]> {
  const touched: Touched[] = []
  for (const { name } of acts) {
    const now = await playAct(checkout, name)
    if ('failed' in now) throw new Error(`The act "${name}" failed: ${now.failed}`)
    touched.push({ name, ...(older !== undefined && { before: await playAct(older, name) }), now })
  }
  return touched
}

/** Plays an act in a process of its own. What was loaded and prepared for it does not count. */
export async function playAct(checkout: string, name: string): Promise<Played> {
  const program = join(import.meta.dirname, 'touch-process.ts')
  const loader = pathToFileURL(loaderIn(checkout)).href
  const args = ['--no-warnings', '--import', loader, program, checkout, actsFor(checkout), name]
  const { code, stdout, stderr } = await run(process.execPath, args, checkout)
  // Such as an act that waits for something that never comes, which ends the process.
  if (code !== 0) return { failed: `its process ended with ${code}: ${/^.*Error.*$/m.exec(stderr)?.[0] ?? stderr}` }
  return JSON.parse(stdout) as Played
}

/** A checkout's own acts, if it has some: what they call may have other names there. */
function actsFor(checkout: string): string {
  const own = join(checkout, 'bench/house/acts.ts')
  return existsSync(own) ? own : join(import.meta.dirname, 'acts.ts')
}

/** Whether both checkouts play the acts of one text. */
export function hasSameActs(checkout: string, other: string): boolean {
  return readFileSync(actsFor(checkout), 'utf8') === readFileSync(actsFor(other), 'utf8')
}

/** All acts as Markdown, with `files` the files of each one, too. */
export function reportTouched(touched: readonly Touched[], files = false): string {
  const failed = touched.flatMap(({ name, before }) =>
    before && 'failed' in before ? [`- before: ${name}: ${before.failed}`] : [],
  )
  return [
    `# What an act touches`,
    table(['act', 'package', ...columnsOf(touched, 'files'), ...columnsOf(touched, 'functions')], rowsOf(touched)),
    ...(failed.length > 0 ? [failed.join('\n')] : []),
    ...(files ? touched.flatMap((act) => [`## ${act.name}`, fileTable(act)]) : []),
  ].join('\n\n')
}

function rowsOf(touched: readonly Touched[]): string[][] {
  return touched.flatMap((act) => {
    const sides = sidesOf(act)
    const packages = new Set(filesOf(act).map(packageOf))
    return [...packages].map((name) => {
      const counts = sides.map((side) => {
        if ('failed' in side) return undefined
        const ran = Object.entries(side.files).filter(([file]) => packageOf(file) === name)
        return { files: ran.length, functions: ran.reduce((sum, [, functions]) => sum + functions, 0) }
      })
      return [
        act.name,
        name,
        ...counts.map((count) => String(count?.files ?? '–')),
        ...counts.map((count) => String(count?.functions ?? '–')),
      ]
    })
  })
}

function fileTable(act: Touched): string {
  const rows = filesOf(act).map((file) => [
    file,
    ...sidesOf(act).map((side) => String(('files' in side && side.files[file]) || '–')),
  ])
  return table(['file', ...columnsOf([act], 'functions')], rows)
}

const columnsOf = (touched: readonly Touched[], what: string): string[] =>
  touched.some(({ before }) => before) ? [`${what} before`, `${what} now`] : [what]

const sidesOf = ({ before, now }: Touched): Played[] => [...(before ? [before] : []), now]

/** The files of both sides, in order. */
const filesOf = (act: Touched): string[] =>
  [...new Set(sidesOf(act).flatMap((side) => ('files' in side ? Object.keys(side.files) : [])))].toSorted()

const packageOf = (file: string): string => file.split('/')[0] ?? file
