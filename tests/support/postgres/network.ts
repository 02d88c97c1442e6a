import { spawnSync } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { onTestFinished, type TestContext } from 'vitest'

/** A machine of its own for a server, as far as the network goes: a cable leads to it, and what passes can be dropped. */
export interface Network {
  /** Of the server, seen from this machine. */
  readonly address: string
  /** To enter it: `nsenter --net=…`. */
  readonly path: string
  /** Drops all that is sent from and to a port, in both directions. Nobody is told. */
  readonly silence: (port: number) => void
  /** Drops only what belongs to the connections that existed when the silence began: new ones work. */
  readonly answerNewConnections: (port: number) => void
}

/** For one test, which is skipped where no such network can be made. Make it before the cluster that lives in it. */
export function testNetwork(context: TestContext): Network {
  if (process.getuid?.() !== 0) context.skip('only root can make a network namespace')
  const missing = ['ip', 'nft', 'ss', 'nsenter'].filter((name) => spawnSync('which', [name]).status !== 0)
  if (missing.length > 0) context.skip(`there is no ${missing.join(', no ')}: install iproute2 and nftables`)
  const id = randomBytes(4).toString('hex')
  const [name, here, there] = [`minutebook-${id}`, `mb${id}a`, `mb${id}b`]
  // A range that is set aside for tests between networks, four addresses for each cable.
  const net = `198.18.${randomInt(256)}.`
  const first = randomInt(64) * 4
  const address = `${net}${first + 2}`
  onTestFinished(() => {
    spawnSync('ip', ['netns', 'del', name])
    spawnSync('ip', ['link', 'del', here])
  })
  const isMade = [
    ['netns', 'add', name],
    ['link', 'add', here, 'type', 'veth', 'peer', 'name', there, 'netns', name],
    ['address', 'add', `${net}${first + 1}/30`, 'dev', here],
    ['link', 'set', here, 'up'],
    ['-n', name, 'address', 'add', `${address}/30`, 'dev', there],
    ['-n', name, 'link', 'set', there, 'up'],
    ['-n', name, 'link', 'set', 'lo', 'up'],
  ].every((step) => spawnSync('ip', step).status === 0)
  if (!isMade) context.skip('no network namespace can be made here')

  const inside = (command: readonly string[], input = ''): string => {
    const { status, stdout, stderr } = spawnSync('ip', ['netns', 'exec', name, ...command], { encoding: 'utf8', input })
    if (status !== 0) throw new Error(`${command.join(' ')} failed: ${stderr}`)
    return stdout
  }
  /** All rules at once, in place of those before. */
  const drop = (incoming: string, outgoing: string, set = ''): void => {
    const rules = `table inet silence {
      ${set}
      chain in { type filter hook input priority 0; ${incoming} drop; }
      chain out { type filter hook output priority 0; ${outgoing} drop; }
    }`
    inside(['nft', '-f', '-'], `table inet silence {}\ndelete table inet silence\n${rules}`)
  }
  if (spawnSync('ip', ['netns', 'exec', name, 'nft', 'add', 'table', 'inet', 'silence']).status !== 0)
    context.skip('nftables do not work in a network namespace here')
  let old: readonly string[] = []
  return {
    address,
    path: `/run/netns/${name}`,
    silence: (port) => {
      drop(`tcp dport ${port}`, `tcp sport ${port}`)
      old = inside(['ss', '-Htn', `( sport = :${port} )`])
        .split('\n')
        .map((line) => line.trim().split(/\s+/)[4]?.split(':').at(-1))
        .filter((peer) => peer !== undefined)
    },
    answerNewConnections: (port) => {
      drop(
        `tcp dport ${port} tcp sport @old`,
        `tcp sport ${port} tcp dport @old`,
        `set old { type inet_service; elements = { ${[0, ...old].join(', ')} } }`,
      )
    },
  }
}
