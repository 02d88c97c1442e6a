import { spawn, spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../../support/postgres/cluster-port.ts'
import { ready, type Instance } from './team.ts'
import { within } from '../../../support/patience.ts'

const folder = fileURLToPath(new URL('../../../../deploy/', import.meta.url))
const PATH = `${process.env['PATH']}:/usr/sbin`

/** Whether Debian's package is installed. */
export function hasProxy(): boolean {
  return spawnSync('haproxy', ['-v'], { env: { PATH } }).status === 0
}

export interface Proxy {
  readonly url: string
  /** Waits until it sends requests to an instance again. */
  sees(instance: Instance): Promise<void>
  close(): Promise<void>
}

/** The proxy of `deploy/`, with its own file, before these instances. */
export async function startProxy([one, two]: readonly Instance[]): Promise<Proxy> {
  const address = `127.0.0.1:${await freePort()}`
  const env = {
    PATH,
    MINUTEBOOK_PROXY_ADDRESS: address,
    MINUTEBOOK_PROXY_FOLDER: folder,
    MINUTEBOOK_ONE: hostOf(one),
    MINUTEBOOK_TWO: hostOf(two),
  }
  const child = spawn('haproxy', ['-db', '-f', `${folder}haproxy.cfg`], { env, stdio: 'ignore' })
  const ended = new Promise<void>((resolve) => void child.once('exit', () => resolve()))
  const url = `http://${address}`
  await ready(url)
  return {
    url,
    sees: async (instance) => {
      const own = await nameAt(instance.url)
      for (let waited = 0; (await nameAt(url)) !== own; waited += 20) {
        if (waited > within(60_000)) throw new Error(`The proxy does not see ${instance.name}.`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
    close: () => {
      child.kill('SIGKILL')
      return ended
    },
  }
}

async function nameAt(url: string): Promise<unknown> {
  const answer = await fetch(`${url}/livez`).then(
    (response) => response.json() as Promise<{ readonly instance?: unknown }>,
    () => ({ instance: undefined }),
  )
  return answer.instance
}

function hostOf(instance: Instance | undefined): string {
  return new URL(instance?.url ?? 'http://127.0.0.1:1').host
}
