import { readFileSync, readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const packages = fileURLToPath(new URL('./packages/', import.meta.url))

/** Every name that a package exports, with its source: tests run on what is written, not on what was built. */
const alias = readdirSync(packages).flatMap((folder) => {
  const { name, exports } = JSON.parse(readFileSync(`${packages}${folder}/package.json`, 'utf8')) as { name: string; exports: Record<string, { default: string }> }
  return Object.entries(exports).map(([subpath, { default: built }]) => ({
    find: new RegExp(`^${name}${subpath.slice(1)}$`),
    replacement: `${packages}${folder}/${built.replace('./dist/', 'src/').replace(/\.js$/, '.ts')}`,
  }))
})

export default defineConfig({
  resolve: { alias },
  test: {
    setupFiles: ['packages/core/test/support/seed.ts'],
    include: ['packages/*/test/**/*.test.ts', 'bench/**/*.test.ts', 'engine/**/*.test.ts', 'examples/**/*.test.ts'],
    // A property that is proved with many runs takes longer than a plain test.
    testTimeout: process.env['PROVE_RUNS'] === undefined ? 300_000 : 6 * 3_600_000,
  },
})
