import { freePort } from '../../../support/postgres/cluster-port.ts'

/** Where a node can be reached. */
export interface Place {
  readonly name: string
  readonly postgres: number
  /** Patroni's own questions and answers. */
  readonly patroni: number
  readonly etcd: number
  /** Where the etcds talk with each other. */
  readonly peers: number
}

export async function choosePlaces(
  names: readonly string[],
): Promise<{ readonly places: readonly Place[]; readonly haproxy: number }> {
  const ports = new Set<number>()
  while (ports.size < names.length * 4 + 1) ports.add(await freePort())
  const [haproxy, ...rest] = [...ports] as [number, ...number[]]
  const places = names.map((name, index) => {
    const [postgres, patroni, etcd, peers] = rest.slice(index * 4) as [number, number, number, number]
    return { name, postgres, patroni, etcd, peers }
  })
  return { places, haproxy }
}

export function local(port: number): string {
  return `127.0.0.1:${port}`
}
