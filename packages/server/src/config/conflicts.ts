import type { PolicyConfig } from '@minutebook/experiment/run'
import { fieldName, type Problem } from './problems.ts'
import type { Config } from './settings.ts'
import { presets } from './shapes.ts'

/** Settings that are valid alone and invalid together. */
export function findConflicts(config: Config): Problem[] {
  return [
    ...publicWithoutKeys(config),
    ...doubleKeys(config),
    ...opposedRights(config),
    ...ownUpstreams(config),
    ...policyProblems(config),
    ...doubleNames(config),
    ...mcpProblems(config),
    ...unknownStates(config),
    ...keptInDatabase(config),
  ]
}

function keptInDatabase({ keep, database }: Config): Problem[] {
  if (keep === undefined || database === undefined) return []
  return [
    {
      field: 'keep',
      text: 'the role of a server may not remove threads from a database. Leave keep out, and run minutebook prune regularly, as the owner of the tables.',
    },
  ]
}

function publicWithoutKeys({ host, keys }: Config): Problem[] {
  if (isLoopback(host) || keys.length > 0) return []
  return [
    {
      field: 'host',
      text: 'other machines can reach this address, and there are no keys. Keep 127.0.0.1, or run `minutebook keys generate <name>`: it prints a key, and the setting to add.',
    },
  ]
}

function doubleKeys({ keys }: Config): Problem[] {
  return keys.flatMap(({ name, sha256 }, index) => [
    ...(keys.findIndex((key) => key.name === name) < index
      ? [{ field: `keys[${index}].name`, text: 'another key has this name. Give each key its own name.' }]
      : []),
    ...(keys.findIndex((key) => key.sha256 === sha256) < index
      ? [{ field: `keys[${index}].sha256`, text: 'another entry has the same key. Make a key for each entry.' }]
      : []),
  ])
}

/** A key for chats alone has no scope, only an admin can have what belongs to all tenants, and a viewer decides nothing. */
function opposedRights({ keys }: Config): Problem[] {
  return keys.flatMap(({ scope, system, installation, decide }, index) => [
    ...(system === false && scope !== 'app'
      ? [
          {
            field: `keys[${index}].scope`,
            text: 'system: false makes a key for chats alone, whatever its scope. Remove system or scope.',
          },
        ]
      : []),
    ...(installation === true && (scope !== 'admin' || system === false)
      ? [
          {
            field: `keys[${index}].installation`,
            text: 'is only for admins. Write scope: admin, without system: false, or remove installation.',
          },
        ]
      : []),
    ...(decide === true && (scope === 'viewer' || system === false)
      ? [
          {
            field: `keys[${index}].decide`,
            text: 'is only for keys that may write. Write scope: app, without system: false, or remove decide.',
          },
        ]
      : []),
  ])
}

/** A server that is its own upstream would ask itself without end. */
function ownUpstreams({ host, port, upstreams }: Config): Problem[] {
  return upstreams.flatMap(({ url }, index) => {
    const { hostname, port: other, protocol } = new URL(url)
    const isSame =
      Number(other || (protocol === 'https:' ? 443 : 80)) === port &&
      (hostname === host || (isLoopback(hostname) && (isLoopback(host) || host === '0.0.0.0' || host === '::')))
    return isSame
      ? [
          {
            field: `upstreams[${index}].url`,
            text: 'is the address at which Minutebook itself listens. Write the address of the model server, or set another port.',
          },
        ]
      : []
  })
}

function policyProblems({ policy, policies }: Config): Problem[] {
  const named = Object.entries(policies)
  const taken = named.filter(([name]) => presets.some((preset) => preset.toLowerCase() === name.toLowerCase()))
  return [
    ...foreignOptions('policy', policy),
    ...taken.map(([name]) => ({
      field: fieldName(['policies', name]),
      text: 'is the name of a preset. Choose another name.',
    })),
    ...named.flatMap(([name, each]) => foreignOptions(fieldName(['policies', name]), each)),
  ]
}

function foreignOptions(field: string, policy: PolicyConfig): Problem[] {
  const owners = {
    recall: 'default',
    epochs: 'default',
    messages: 'lastMessages',
    verbatim: 'tiered',
    line: 'tiered',
    share: 'tiered',
  } as const
  const foreign = Object.entries(owners).filter(
    ([option, preset]) => policy[option as keyof typeof owners] !== undefined && policy.preset !== preset,
  )
  const problems = foreign.map(([option, preset]) => ({
    field: `${field}.${option}`,
    text: `belongs to the preset ${preset}. Remove it, or use that preset.`,
  }))
  if (policy.preset !== 'lastMessages' || policy.messages !== undefined) return problems
  return [
    ...problems,
    { field: `${field}.messages`, text: 'is required by lastMessages. Write how many messages are kept, such as 50.' },
  ]
}

function doubleNames({ tools, mcp, states, webhooks }: Config): Problem[] {
  return Object.entries({ tools, mcp, states, webhooks }).flatMap(([field, named]) =>
    named.flatMap(({ name }, index) =>
      named.findIndex((other) => other.name === name) < index
        ? [
            {
              field: `${field}[${index}].name`,
              text: 'another entry of this list has the same name. Give each its own.',
            },
          ]
        : [],
    ),
  )
}

function unknownStates({ tools, states }: Config): Problem[] {
  return tools.flatMap(({ states: wanted = [] }, index) =>
    wanted
      .filter((name) => !states.some((state) => state.name === name))
      .map((name) => ({
        field: `tools[${index}].states`,
        text: `no state is called ${JSON.stringify(name)}. Add it to states, or correct the name.`,
      })),
  )
}

function mcpProblems({ mcp }: Config): Problem[] {
  return mcp.flatMap(({ url, command, headers }, index) => {
    if ((url === undefined) === (command === undefined))
      return [
        {
          field: `mcp[${index}]`,
          text: 'must have either url or command. Write the address of the server, or the program to start.',
        },
      ]
    return command && headers
      ? [
          {
            field: `mcp[${index}].headers`,
            text: 'is only for a server with a url, not for a program. Remove headers.',
          },
        ]
      : []
  })
}

/** Returns whether a host, without port, is always this machine: it never reaches another one. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase()
  return name === 'localhost' || name === '::1' || name === '[::1]' || isLoopbackAddress(name)
}

/** The whole of 127.0.0.0/8, in plain dotted form. */
function isLoopbackAddress(name: string): boolean {
  const parts = name.split('.')
  return (
    parts.length === 4 &&
    parts[0] === '127' &&
    parts.every((part) => /^(0|[1-9]\d{0,2})$/.test(part) && Number(part) <= 255)
  )
}

/** A host as part of a URL. */
export function inUrl(host: string): string {
  return host.includes(':') && !host.startsWith('[') ? `[${host}]` : host
}
