import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Installs the other libraries from the lock in bench/peers, unless they are there. */
export function installPeers(): void {
  const folder = fileURLToPath(new URL('./peers/', import.meta.url))
  if (existsSync(`${folder}node_modules/.package-lock.json`)) return
  process.stderr.write('Installing the peers in bench/peers …\n')
  execFileSync('npm', ['ci', '--ignore-scripts'], { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] })
}
