import { startFleet } from '../../../support/postgres/fleet.ts'
import { spawnScript } from '../../../support/process/script.ts'
import type { Deed } from '../../../support/postgres/trace.ts'
import type { Group } from './group.ts'
import type { PrimaryDeath } from './primary-death.ts'

/** Three processes that run turns, and what they say of it. */
export interface Instances extends AsyncDisposable {
  /** What they did, as far as it was acknowledged. */
  readonly deeds: readonly HeardDeed[]
  /** What failed in them, and which of them ended. */
  readonly complaints: readonly string[]
  /** Complains of those that did nothing since then. */
  readonly silentSince: (moment: number) => readonly string[]
  /** The turns that a death fell into, and how many of them another instance went on with. */
  readonly cutBy: (
    death: PrimaryDeath,
    answeredAt: (message: string) => number | undefined,
  ) => { readonly underWay: number; readonly handedOver: number }
}

interface HeardDeed extends Deed {
  readonly instance: string
  readonly time: number
}

export async function startInstances({ home, url }: Group, run: number): Promise<Instances> {
  const folder = home.makeFolder(`instances ${run}`)
  const deeds: HeardDeed[] = []
  const complaints: string[] = []
  let over = false
  const { instances } = await startFleet(3, {
    start: (name) => {
      const child = spawnScript('postgres/crash-instance.ts', [url, name, '40'], folder)
      child.process.once('exit', (code, signal) => {
        if (!over) complaints.push(`${name} ended with ${code ?? signal}`)
      })
      return child
    },
    hear: (instance, line) => {
      if (line.startsWith('did '))
        deeds.push({ ...(JSON.parse(line.slice(4)) as Deed), instance, time: performance.now() })
      else complaints.push(`${instance}: ${line}`)
    },
  })
  return {
    deeds,
    complaints,
    silentSince: (moment) =>
      [...instances.keys()]
        .filter((name) => !deeds.some(({ instance, time }) => instance === name && time > moment))
        .map((name) => `${name} ran nothing after the failover`),
    cutBy: ({ killed, dead }, answeredAt) => {
      const before = new Map(
        deeds
          .filter(({ message, time }) => time < killed && (answeredAt(message) ?? Infinity) > dead)
          .map(({ message, instance }) => [message, instance]),
      )
      const elsewhere = deeds.filter(
        ({ message, instance, time }) => time > dead && before.has(message) && before.get(message) !== instance,
      )
      return { underWay: before.size, handedOver: new Set(elsewhere.map(({ message }) => message)).size }
    },
    [Symbol.asyncDispose]: async () => {
      over = true
      for (const { process: child } of instances.values()) child.kill('SIGKILL')
      await Promise.all([...instances.values()].map(({ ended }) => ended))
    },
  }
}
