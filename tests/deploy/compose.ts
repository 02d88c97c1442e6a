// What do the compose files of deploy/ say, once the variables of .env are filled in?
import { execFileSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parse } from 'yaml'
import { root } from '../support/workshop.ts'

export const folder: string = join(root, 'deploy')
export const read = (name: string): string => readFileSync(join(folder, name), 'utf8')

/** As much of a service as tests look at. dclint checks the whole form. */
export interface Service {
  readonly image: string
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly environment?: Readonly<Record<string, string>>
  readonly profiles?: readonly string[]
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>
  readonly healthcheck?: object
  readonly volumes?: readonly string[]
  readonly ports?: readonly string[]
  readonly tmpfs?: readonly string[]
  readonly stop_grace_period?: string
  readonly init?: boolean
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
}

export interface Compose {
  readonly name: string
  readonly services: Readonly<Record<string, Service>>
  readonly volumes: Readonly<Record<string, object>>
}

export const files = ['compose.yaml', 'compose.team.yaml'] as const

export function composeOf(file: string): Compose {
  return parse(read(file), { merge: true }) as Compose
}

export type Variables = Readonly<Record<string, string>>

/** What compose makes of a text: `${A:-b}` and `${A:?why}`. */
export function filledIn(text: string, given: Variables): string {
  return text.replaceAll(/\$\{(\w+)(?::([-?])([^}]*))?\}/g, (_, name: string, kind?: string, other?: string) => {
    const value = given[name] ?? ''
    if (value !== '') return value
    if (kind !== '-') throw new Error(`${name} is not set.`)
    return other ?? ''
  })
}

/** The variables that a text uses. */
export function variablesIn(text: string): readonly string[] {
  return [...new Set(Array.from(text.matchAll(/\$\{(\w+)/g), ([, name = '']) => name))].toSorted()
}

/** The lines `NAME=value` of an .env file; also those that are commented out, if asked. */
export function linesOf(text: string, { commented = false } = {}): Variables {
  const lines = text.matchAll(commented ? /^#?([A-Z]\w+)=(.*)$/gm : /^([A-Z]\w+)=(.*)$/gm)
  return Object.fromEntries(Array.from(lines, ([, name = '', value = '']) => [name, value]))
}

/** What `new-env.sh` writes and prints, in a copy of the folder. */
export function newEnvironment(): { readonly variables: Variables; readonly printed: string } {
  const scratch = mkdtempSync(join(tmpdir(), 'minutebook-deploy-'))
  try {
    for (const name of ['new-env.sh', '.env.example']) cpSync(join(folder, name), join(scratch, name))
    const printed = execFileSync('sh', [join(scratch, 'new-env.sh')], { encoding: 'utf8' })
    return { variables: linesOf(readFileSync(join(scratch, '.env'), 'utf8')), printed }
  } finally {
    rmSync(scratch, { recursive: true, force: true })
  }
}

/** The variables of Minutebook that a container of a service has: those of the image, and those of compose. */
export function settingsOf(service: Service | undefined, given: Variables): Record<string, string> {
  const image = Array.from(read('Dockerfile').matchAll(/(MINUTEBOOK_\w+)=(\S+)/g), ([, name = '', value = '']) => [
    name,
    value,
  ])
  const own = Object.entries(service?.environment ?? {}).map(([name, value]) => [name, filledIn(value, given)])
  return Object.fromEntries([...image, ...own]) as Record<string, string>
}
