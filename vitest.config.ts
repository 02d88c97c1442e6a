import { randomInt } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { defineConfig } from 'vitest/config'
import { measurePatience, patienceFrom, patienceLine } from './tests/support/patience.ts'
import { scratchFolder } from './tests/support/scratch.ts'
import { publicSources } from './tests/support/workshop.ts'

/** Tests run on what is written, not on what was built. */
const alias = [...publicSources()].map(([name, replacement]) => ({ find: new RegExp(`^${name}$`), replacement }))

/**
 * Many tests wait for a browser, a server or a disk: three files at once keep two cores busy. Each then takes longer,
 * so limits of time are longer, too.
 */
const crowding = 1.5
const workers = Math.ceil(availableParallelism() * crowding)

/**
 * What is waited for may take longer on a slow or busy machine. No limit of time is what a test is about: it only ends
 * one that hangs.
 */
async function patienceHere(): Promise<number> {
  const given = process.env['TEST_PATIENCE']
  if (given !== undefined) return patienceFrom(given)
  const measured = await measurePatience()
  console.log(patienceLine(measured))
  return measured.factor
}

/** Properties try the same cases in every run, so that a red run is about the change at hand. To prove, new ones. */
function seedHere(): string {
  const { PROVE_SEED: given, PROVE_RUNS: runs = '' } = process.env
  const seed = given ?? (runs === '' ? '20261115' : String(randomInt(2 ** 31)))
  console.log(`properties: seed ${seed}; the same cases again with PROVE_SEED=${seed}`)
  return seed
}

/**
 * `unit`: what needs no browser, database or process of its own; a few minutes. `system`: all else, with the real parts.
 * `endurance`: kills, crashes, soaks and the like, in their short form. Run one with `--project unit`.
 */
const system = [
  'packages/{console,cli,postgres}/test/**/*.test.ts',
  'packages/server/test/*.test.ts',
  'packages/server/test/{abuse,attacks,database,faults}/**/*.test.ts',
  'packages/*/test/{package,bundle,readme,browser,*-browser,docs,lint,types}.test.ts',
  'tests/{deploy,real-model,reference,release,runtimes,seeds,walks}/**/*.test.ts',
  'bench/**/*.test.ts',
  'examples/**/*.test.ts',
]
const projects: Readonly<Record<string, { readonly include: string[]; readonly exclude?: string[] }>> = {
  unit: { include: ['packages/*/test/**/*.test.ts', 'site/test/*.test.ts'], exclude: system },
  system: { include: system },
  endurance: { include: ['tests/endurance/**/*.test.ts'] },
}

export default defineConfig(async () => {
  const patience = (await patienceHere()) * crowding
  return {
    resolve: { alias },
    test: {
      // Nothing of ours keeps state in a module, so test files may share a process.
      isolate: false,
      maxWorkers: workers,
      restoreMocks: true,
      // For limits that stand in tests: `within` of tests/support/patience.ts.
      env: { TEST_PATIENCE: String(patience), PROVE_SEED: seedHere(), TMPDIR: scratchFolder() },
      expect: { poll: { timeout: 60_000 * patience } },
      setupFiles: ['tests/support/seed.ts'],
      projects: Object.entries(projects).map(([name, files]) => ({ extends: true as const, test: { name, ...files } })),
      // A property that is proved with many runs takes longer than a plain test.
      testTimeout: process.env['PROVE_RUNS'] === undefined ? 300_000 * patience : 6 * 3_600_000,
      hookTimeout: 300_000 * patience,
    },
  }
})
