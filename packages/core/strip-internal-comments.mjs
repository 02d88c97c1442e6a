// For `prepack`: takes the comments out of those type declarations that no entry point exports from. Editors show
// comments of public names only, and an installation is smaller without the others.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const dist = fileURLToPath(new URL('dist/', import.meta.url))
const { exports, imports } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8'))
const read = (file) => readFileSync(join(dist, file), 'utf8')

const doors = Object.values(exports).flatMap(({ types }) => (types ? [types.slice('./dist/'.length)] : []))
// An entry point may export from a name of `imports`, too.
const shown = new Set([...doors, ...Object.values(imports).map(({ types }) => types.slice('./dist/'.length))])
for (const door of doors)
  for (const [, from] of read(door).matchAll(/from '(\.[^']+)\.[jt]s'/g)) shown.add(`${join(dirname(door), from)}.d.ts`)

for (const file of readdirSync(dist, { recursive: true }))
  if (file.endsWith('.d.ts') && !shown.has(file))
    writeFileSync(join(dist, file), read(file).replaceAll(/^[ \t]*\/\*\*[\s\S]*?\*\/\n/gm, ''))
