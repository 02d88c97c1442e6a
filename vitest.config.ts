import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const source = (path: string): string => fileURLToPath(new URL(`./packages/core/src/${path}`, import.meta.url))

export default defineConfig({
  resolve: {
    alias: [
      { find: /^minutebook$/, replacement: source('index.ts') },
      { find: /^minutebook\/testing$/, replacement: source('testing/index.ts') },
      { find: /^minutebook\/gpt-tokenizer$/, replacement: source('tokenizer/gpt-tokenizer.ts') },
      { find: /^minutebook\/huggingface$/, replacement: source('tokenizer/huggingface.ts') },
    ],
  },
  test: {
    setupFiles: ['packages/core/test/support/seed.ts'],
    include: ['packages/*/test/**/*.test.ts', 'bench/**/*.test.ts', 'engine/**/*.test.ts'],
    // A property that is proved with many runs takes longer than a plain test.
    testTimeout: process.env['PROVE_RUNS'] === undefined ? 300_000 : 6 * 3_600_000,
  },
})
