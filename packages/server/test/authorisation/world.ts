import { createHash, randomBytes } from 'node:crypto'
import { onTestFinished } from 'vitest'
import type { Config, KeyConfig, Running } from '../../src/index.ts'
import { scopes } from '../../src/config/caller.ts'
import { gateway } from '../../../../tests/support/server/gateway.ts'
import { native, type Native } from '../../../../tests/support/server/native.ts'
import { plainUpstream } from '../../../../tests/support/server/raw.ts'
import { strictUpstream, type StrictUpstream } from '@minutebook/testing/server'

export const tenants = ['garden', 'kitchen'] as const
export type Tenant = (typeof tenants)[number]

/** What only some may see, each to be looked for in everything that leaves the server. */
export interface Canaries {
  /** Said in a thread of the tenant. */
  readonly said: Readonly<Record<Tenant, string>>
  /** Hidden in a note of the model's. */
  readonly note: Readonly<Record<Tenant, string>>
  readonly keys: readonly string[]
}

/** All kinds of keys: one of each scope, one for chats alone, and one of an operator who is also the installation's. */
export const holders = [...scopes, 'chats', 'installation'] as const
export type Holder = (typeof holders)[number]

/** What a key of that kind is, in the settings. */
const rights: Readonly<Record<Holder, Pick<KeyConfig, 'scope' | 'system' | 'installation' | 'decide'>>> = {
  admin: { scope: 'admin' },
  app: { scope: 'app', decide: true },
  viewer: { scope: 'viewer' },
  chats: { scope: 'app', system: false },
  installation: { scope: 'admin', installation: true },
}

/** A server with two tenants, each with a key of every kind and a thread with a hidden note. */
export interface World {
  readonly running: Running
  readonly canaries: Canaries
  readonly logged: readonly string[]
  /** Spans as they were sent. */
  readonly traced: readonly string[]
  /** As somebody with a key of that kind; `undefined`: with none. */
  readonly as: (tenant: Tenant, holder: Holder | undefined) => Native
  readonly keyOf: (tenant: Tenant, holder: Holder) => string
  readonly upstream: StrictUpstream
}

const word = (): string => randomBytes(8).toString('hex')

export async function openWorld(settings: Partial<Config> = {}): Promise<World> {
  const canaries = {
    said: { garden: `said${word()}`, kitchen: `said${word()}` },
    note: { garden: `note${word()}`, kitchen: `note${word()}` },
  }
  const keys = new Map(
    tenants.flatMap((tenant) => holders.map((holder) => [`${tenant} ${holder}`, `canary-key-${word()}`] as const)),
  )
  const upstream = await strictUpstream({ answer: ({ messages }) => answerTo(JSON.stringify(messages), canaries) })
  onTestFinished(() => upstream.close())
  const logged: string[] = []
  const traced: string[] = []
  const collector = await plainUpstream((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      traced.push(Buffer.concat(pieces).toString('latin1'))
      response.end('{}')
    })
  })
  const running = await gateway(
    {
      upstreams: [{ url: upstream.url, key: 'upstream-canary-key' }],
      defaultModel: 'strict',
      policy: { preset: 'default', notes: true, journal: true },
      states: [{ name: 'basket', tools: ['put'] }],
      telemetry: { endpoint: `${collector.url}/v1/traces` },
      keys: [...keys].map(([place, key]) => {
        const [tenant = '', holder] = place.split(' ')
        return {
          name: place.replace(' ', '-'),
          tenant,
          ...rights[holder as Holder],
          sha256: createHash('sha256').update(key).digest('hex'),
        }
      }),
      ...settings,
    },
    { log: { write: (line) => void logged.push(line) } },
  )
  const keyOf = (tenant: Tenant, holder: Holder): string => keys.get(`${tenant} ${holder}`) ?? ''
  const world: World = {
    running,
    canaries: { ...canaries, keys: [...keys.values(), 'upstream-canary-key', running.token] },
    logged,
    traced,
    keyOf,
    upstream,
    as: (tenant, holder) => native(running.url, holder ? keyOf(tenant, holder) : ''),
  }
  for (const tenant of tenants) await furnish(world, tenant)
  return world
}

/** The threads of a tenant: one that both have under the same name, and one of its own. */
export const sharedThread = 'shared'
export const ownThread = (tenant: Tenant): string => `own-${tenant}`

/** A run of the tenant, which is over. */
export const ownRun = (tenant: Tenant): string => `run-${tenant}`
export const experiment = 'name: talk\nparticipants: { ann: { model: strict } }\nlimits: { rounds: 1 }\n'

async function furnish({ as, canaries }: World, tenant: Tenant): Promise<void> {
  for (const thread of [sharedThread, ownThread(tenant)]) {
    await as(tenant, 'app').ask('POST', '/threads', { thread, setup: { system: `You work in the ${tenant}.` } })
    await as(tenant, 'app').stream('POST', `/threads/${thread}/turns`, {
      body: { message: `Remember ${canaries.said[tenant]}.`, id: `first-${thread}` },
    })
  }
  await as(tenant, 'app').ask('POST', '/runs', {
    definition: experiment.replace('strict }', `strict, system: "Remember ${canaries.said[tenant]}." }`),
    run: ownRun(tenant),
  })
  await as(tenant, 'app').stream('GET', `/runs/${ownRun(tenant)}/events`)
}

/** The note of whichever tenant is speaking. */
function answerTo(asked: string, { said, note }: Pick<Canaries, 'said' | 'note'>): string {
  const tenant = tenants.find((each) => asked.includes(said[each]))
  return tenant ? `I will. [NOTE TO SELF: ${note[tenant]}]` : 'Fine.'
}
