import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { fromSources, root } from '../tests/support/workshop.ts'

/** An example that is a server, and the address that it printed. */
export interface StartedServer {
  readonly child: ChildProcess
  readonly url: string
}

/** Starts an example as a person would, on a free port. It ends with the test. */
export async function started(
  name: string,
  settings: Readonly<Record<string, string>>,
  words: readonly string[] = [],
): Promise<StartedServer> {
  const file = fileURLToPath(new URL(`./${name}/${name}.ts`, import.meta.url))
  const child = spawn(process.execPath, ['--no-warnings', '--import', fromSources, file, ...words], {
    cwd: root,
    env: { ...process.env, PORT: '0', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const [said] = (await once(child.stdout, 'data')) as [Buffer]
  return { child, url: String(said).trim() }
}
