import { defineConfig } from 'vitest/config'
import { publicSources } from './packages/core/test/support/workshop.ts'

/** Tests run on what is written, not on what was built. */
const alias = [...publicSources()].map(([name, replacement]) => ({ find: new RegExp(`^${name}$`), replacement }))

export default defineConfig({
  resolve: { alias },
  test: {
    // Nothing of ours keeps state in a module, so test files may share a process; both cores of a small machine work.
    isolate: false,
    maxWorkers: '100%',
    restoreMocks: true,
    // What is waited for may take longer on a busy machine; a second is a bet.
    expect: { poll: { timeout: 15_000 } },
    setupFiles: ['packages/core/test/support/seed.ts'],
    include: ['packages/*/test/**/*.test.ts', 'bench/**/*.test.ts', 'engine/**/*.test.ts', 'examples/**/*.test.ts'],
    // A property that is proved with many runs takes longer than a plain test.
    testTimeout: process.env['PROVE_RUNS'] === undefined ? 300_000 : 6 * 3_600_000,
  },
})
