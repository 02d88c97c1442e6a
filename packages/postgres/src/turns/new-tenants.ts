import { nameFrom } from '../connection/key.ts'

type Introduce = (tenant: string) => Promise<() => Promise<void>>

/** Tenants without a worker here whose threads were woken, and the callback that is asked to work for them. */
export interface Strangers {
  /** Whether a callback is set. */
  readonly areWelcome: boolean
  /** Whether this tenant is one of them. */
  has(tenant: string): boolean
  /** Calls `introduce` for such tenants from now on. The returned function stops that, and ends the work for them. */
  welcome(introduce: Introduce): () => Promise<void>
  /**
   * Introduces a tenant by its name: once, however many of its threads are woken. `called`: its name as JSON, if the
   * key does not contain it.
   */
  introduce(tenant: string, called: string | undefined): Promise<void>
}

export function createStrangers(isKnown: (tenant: string) => boolean): Strangers {
  let hosts: Introduce[] = []
  const guests = new Map<string, Promise<() => Promise<void>>>()
  return {
    get areWelcome() {
      return hosts.length > 0
    },
    has: (tenant) => guests.has(tenant),
    welcome: (introduce) => {
      hosts = [...hosts, introduce]
      return async () => {
        hosts = hosts.filter((host) => host !== introduce)
        if (hosts.length > 0) return
        const leaving = [...guests.values()]
        guests.clear()
        await Promise.allSettled(leaving.map(async (stop) => (await stop)()))
      }
    },
    introduce: async (tenant, called) => {
      const host = hosts.at(-1)
      if (!host) return
      const introduced =
        guests.get(tenant) ?? host(called === undefined ? nameFrom(tenant, null) : (JSON.parse(called) as string))
      guests.set(tenant, introduced)
      try {
        await introduced
      } catch (error) {
        guests.delete(tenant)
        throw error
      }
      // Their book was not opened with what these turns gave.
      if (!isKnown(tenant)) guests.delete(tenant)
    },
  }
}
