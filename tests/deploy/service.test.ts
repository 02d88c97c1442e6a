import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test, type TestContext } from 'vitest'
import { readConfig } from '../../packages/server/src/index.ts'
import { folder, read } from './compose.ts'

const unit = read('minutebook.service')
const scratch = mkdtempSync(join(tmpdir(), 'minutebook-service-'))
afterAll(() => rmSync(scratch, { recursive: true, force: true }))

/** What systemd's own tool prints; skips where it is missing, but not in CI. */
function analyze(context: TestContext, ...args: readonly string[]): string {
  const { error, stdout, stderr } = spawnSync('systemd-analyze', args, { encoding: 'utf8' })
  if (error && process.env['CI'] === undefined) context.skip('systemd-analyze is not installed here')
  if (error) throw error
  return `${stdout}${stderr}`
}

test('systemd understands every line of the unit', (context) => {
  expect(analyze(context, 'verify', join(folder, 'minutebook.service'))).toBe('')
  const misspelt = join(scratch, 'misspelt.service')
  writeFileSync(misspelt, unit.replace('ProtectHome=', 'ProtectHom='))
  expect(analyze(context, 'verify', misspelt)).toContain('ProtectHom')
})

test('systemd calls what the unit is exposed to small: 2 of 10 at most', (context) => {
  const exposure = (file: string): number =>
    Number(/exposure level for \S+ ([\d.]+)/.exec(analyze(context, 'security', '--offline=yes', file))?.[1])
  expect(exposure(join(folder, 'minutebook.service'))).toBeLessThanOrEqual(2)
  const bare = join(scratch, 'bare.service')
  writeFileSync(bare, unit.replaceAll(/^(?:Protect|Private|Restrict|SystemCall|Dynamic|Capab|NoNew).*\n/gm, ''))
  expect(exposure(bare)).toBeGreaterThan(5)
})

test('the unit sets variables that the server knows, and gives it long enough to stop', () => {
  const variables = Object.fromEntries(
    Array.from(unit.matchAll(/(MINUTEBOOK_\w+)=(\S+)/g), ([, name = '', value = '']) => [name, value]),
  ) as Record<string, string>
  const config = readConfig({ environment: variables, folder: '/' })
  expect(config.data).toBe('/%S/minutebook')
  expect(unit).toMatch(/^StateDirectory=minutebook$/m)
  const [, seconds] = /^TimeoutStopSec=(\d+)$/m.exec(unit) ?? []
  expect(Number(seconds) * 1000).toBeGreaterThan(config.drainNotice + 35_000)
})
