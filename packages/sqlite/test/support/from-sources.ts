import { readFileSync, readdirSync } from 'node:fs'
import { registerHooks } from 'node:module'

// For `node --import`: child processes run on the sources of all packages, as the tests do, not on what was built.
const packages = new URL('../../../', import.meta.url)
const sources = new Map<string, string>()
for (const folder of readdirSync(packages)) {
  const { name, exports } = JSON.parse(readFileSync(new URL(`${folder}/package.json`, packages), 'utf8')) as { name: string; exports: Record<string, { default: string }> }
  for (const [subpath, { default: built }] of Object.entries(exports)) {
    sources.set(`${name}${subpath.slice(1)}`, new URL(`${folder}/${built.replace('./dist/', 'src/').replace(/\.js$/, '.ts')}`, packages).href)
  }
}

registerHooks({
  resolve: (specifier, context, next) => next(sources.get(specifier) ?? specifier, context),
})
