import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { blocksOf, isScript } from '../../../tests/support/blocks.ts'
import { publicNamesOf } from '../../../tests/support/public-names.ts'
import { core, filesBelow, mustRun, root, sourceFolder } from '../../../tests/support/workshop.ts'

/** Files of the sources that a program loads with one import. */
async function modulesOf(entry: string): Promise<string[]> {
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })
    await import('${entry}')
    console.log(JSON.stringify(loaded))`
  const hooks = join(root, 'tests/support/from-sources.ts')
  const printed = await mustRun(
    process.execPath,
    ['--no-warnings', '--import', hooks, '--input-type=module', '--eval', script],
    core,
  )
  return (JSON.parse(printed) as string[])
    .filter((url) => url.startsWith('file:'))
    .map((url) => relative(sourceFolder, fileURLToPath(url)))
    .toSorted((one, other) => (one < other ? -1 : 1))
}

/** Names that blocks of the documentation import together with `compile`. */
function namesShown(): Set<string> {
  const files = ['README.md', ...filesBelow(join(root, 'docs')).map((file) => `docs/${file}`)]
  const blocks = files
    .filter((file) => file.endsWith('.md'))
    .flatMap((file) => blocksOf(file, readFileSync(join(root, file), 'utf8')))
  const imported = blocks
    .filter(isScript)
    .flatMap(({ text }) => [...text.matchAll(/import (?:type )?\{([^}]*)\} from 'minutebook(?:\/compile)?'/g)])
    .map(([, names = '']) => names.split(',').map((name) => name.trim().replace('type ', '')))
  return new Set(imported.filter((names) => names.includes('compile')).flat())
}

describe('minutebook/compile', () => {
  test('loads what compile needs and nothing else', async () => {
    const modules = await modulesOf('minutebook/compile')
    expect(modules.filter((file) => !/^(?:compile\.ts$|(?:log|tokens|compiler)\/)/.test(file))).toEqual([])
    expect(modules.length, modules.join('\n')).toBeLessThanOrEqual(36)
  })

  test('has every name that the documentation imports with compile', () => {
    const names = publicNamesOf(core)
      .get('minutebook/compile')
      ?.map(({ name }) => name)
    const shown = namesShown()
    expect(shown.size).toBeGreaterThan(8)
    expect(names).toEqual(expect.arrayContaining([...shown]))
  })
})
