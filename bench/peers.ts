import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Installs the other libraries from the lock in bench/peers, unless they are there. */
export function installPeers(): void {
  const folder = fileURLToPath(new URL('./peers/', import.meta.url))
  if (existsSync(`${folder}node_modules/.package-lock.json`)) return
  process.stderr.write('Installing the peers in bench/peers …\n')
  execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}

/** The versions of packages that are installed there. */
export function peerVersions(names: readonly string[]): Record<string, string> {
  const versionOf = (name: string): string => {
    const file = new URL(`./peers/node_modules/${name}/package.json`, import.meta.url)
    return (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
  }
  return Object.fromEntries(names.map((name) => [name, versionOf(name)]))
}
