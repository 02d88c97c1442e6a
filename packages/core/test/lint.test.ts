import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { root, run } from '../../../tests/support/workshop.ts'

/** What the linter must object to, and by which rule. The last one is in order. */
const examples: readonly { name: string; files: Record<string, string>; rule?: string }[] = [
  {
    name: 'a promise that nobody waits for',
    files: { 'a.ts': `const later = async (): Promise<void> => {}\nexport function now(): void {\n  later()\n}\n` },
    rule: 'typescript(no-floating-promises)',
  },
  {
    name: 'an explicit any',
    files: { 'a.ts': `export const a = (b: any): unknown => b\n` },
    rule: 'typescript(no-explicit-any)',
  },
  {
    name: 'a cycle',
    files: {
      'a.ts': `import { b } from './b.ts'\nexport const a = (): number => b()\n`,
      'b.ts': `import { a } from './a.ts'\nexport const b = (): number => a()\n`,
    },
    rule: 'import(no-cycle)',
  },
  {
    name: 'a promise that is awaited',
    files: {
      'a.ts': `const later = async (): Promise<void> => {}\nexport async function now(): Promise<void> {\n  await later()\n}\n`,
    },
  },
]

for (const { name, files, rule } of examples) {
  test(`the linter ${rule === undefined ? 'accepts' : 'refuses'} ${name}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'minutebook-lint-'))
    try {
      writeFileSync(
        join(folder, 'tsconfig.json'),
        `{ "extends": ${JSON.stringify(join(root, 'tsconfig.base.json'))}, "compilerOptions": { "noEmit": true, "allowImportingTsExtensions": true } }`,
      )
      for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, file), text)
      const linter = join(root, 'node_modules/oxlint/bin/oxlint')
      const { code, stdout, stderr } = await run(
        process.execPath,
        [linter, '--type-aware', '--deny-warnings', '--config', join(root, '.oxlintrc.json'), '.'],
        folder,
      )
      expect(`${stdout}${stderr}`).toContain(rule ?? 'Found 0 warnings and 0 errors')
      expect(code).toBe(rule === undefined ? 0 : 1)
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
}
