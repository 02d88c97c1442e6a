import { Option } from 'commander'
import { generateKey, printableLine, scopes, type GeneratedKey, type KnownKey, type Scope } from '@minutebook/server'
import { isActive } from '../connection/active-key.ts'
import { tellFailure } from '../terminal/failure.ts'
import { ago, shellQuoted } from '../terminal/text.ts'
import { table } from '../terminal/table.ts'
import type { Terminal } from '../terminal/terminal.ts'
import { type DefineCommand, resultCommand, type RecordOptions, show, withConnection } from './command.ts'

export const define: DefineCommand = (command, terminal, setExitCode) => {
  defineCreate(command.command('create'), terminal, setExitCode)
  defineGenerate(command.command('generate'), terminal, setExitCode)
  defineList(command.command('list', { isDefault: true }), terminal, setExitCode)
  defineRevoke(command.command('revoke'), terminal, setExitCode)
}

interface CreateOptions extends RecordOptions {
  readonly tenant: string
  readonly scope: Scope
  readonly decide?: true
}

const defineCreate: DefineCommand = (command, terminal, setExitCode) => {
  resultCommand(command)
    .description('Create a key and print it once')
    .argument('<name>', 'name of the key, also used in logs')
    .option('--tenant <name>', 'tenant whose threads it can read and write', 'default')
    .addOption(new Option('--scope <scope>', 'what the key is allowed to do').choices(scopes).default('app'))
    .option('--decide', decideText)
    .action((name: string, { tenant, scope, decide, ...options }: CreateOptions) =>
      withConnection(terminal, options, setExitCode, async ({ keys }) => {
        const isFirst = (await keys.list()).length === 0
        const made = await keys.create({ name, tenant, scope, decide })
        if (options.json !== true)
          terminal.remark(
            `${terminal.paintErrors.green('✓')} ${printableLine(made.name)}: ${made.scope} of ${made.tenant}. Store the key now: only its SHA-256 hash is recorded.`,
          )
        if (isFirst)
          terminal.remark(
            `${terminal.paintErrors.yellow('!')} This is the first key. From now on every client needs a key, also after this one is revoked.`,
          )
        show(terminal, options, made, () => [made.key])
      }),
    )
}

const decideText = 'let a key with the scope app decide about calls that need approval'

interface GenerateOptions {
  readonly scope: Scope
  readonly installation?: boolean
  readonly decide?: boolean
  readonly json?: boolean
}

const defineGenerate: DefineCommand = (command, terminal, setExitCode) => {
  command
    .description('Print a new key, and the setting that admits it. Records nothing')
    .argument('<name>', 'name of the key, also used in logs')
    .addOption(new Option('--scope <scope>', 'what the key is allowed to do').choices(scopes).default('admin'))
    .option('--installation', 'let it also manage what belongs to all tenants, with the scope admin')
    .option('--decide', decideText)
    .option('--json', 'print JSON')
    .action((name: string, { json = false, ...wanted }: GenerateOptions) => {
      try {
        const made = generateKey({ name, ...wanted })
        if (!json) terminal.remark(settingLines(made, terminal).join('\n'))
        show(terminal, { json }, made, () => [made.key])
        setExitCode(0)
      } catch (error) {
        setExitCode(tellFailure(terminal, error, json))
      }
    })
}

function settingLines({ setting }: GeneratedKey, { paintErrors }: Terminal): string[] {
  return [
    `${paintErrors.green('✓')} Store the key now: it is not recorded. Start the server with the setting, which has only its hash:`,
    `  export MINUTEBOOK_KEYS=${shellQuoted(JSON.stringify([setting]))}`,
    'Or write it into minutebook.yaml:',
    `  keys: ${JSON.stringify([setting])}`,
  ]
}

const defineList: DefineCommand = (command, terminal, setExitCode) => {
  resultCommand(command)
    .description('List keys, including revoked ones')
    .action((options: RecordOptions) =>
      withConnection(terminal, options, setExitCode, async ({ keys }) => {
        const known = await keys.list()
        show(terminal, options, { keys: known }, () => keyLines(known, terminal, Date.now()))
      }),
    )
}

interface RevokeOptions extends RecordOptions {
  readonly tenant?: string
  readonly sha256?: string
}

const defineRevoke: DefineCommand = (command, terminal, setExitCode) => {
  resultCommand(command)
    .description('Revoke a key; takes effect on every instance within seconds')
    .argument('<name>', 'name of the key')
    .option('--tenant <name>', 'tenant of the key, if several have a key of this name')
    .option('--sha256 <hash>', 'only the key with this SHA-256, if several runs have keys of this name')
    .action((name: string, { tenant, sha256, ...options }: RevokeOptions) =>
      withConnection(terminal, options, setExitCode, async ({ keys }) => {
        const revoked = await keys.revoke(tenant === undefined ? name : `${tenant}:${name}`, sha256)
        if (!(await keys.list()).some((key) => isActive(key)))
          terminal.remark(
            `${terminal.paintErrors.yellow('!')} No key is active, so no client has access. Create another: ${terminal.command('keys create <name>')}`,
          )
        show(terminal, options, revoked, () => [
          `${terminal.paint.green('✓')} ${printableLine(revoked.name)} is revoked`,
        ])
      }),
    )
}

function keyLines(keys: readonly KnownKey[], { paint, textColumns, command }: Terminal, now: number): string[] {
  if (keys.length === 0) return [`There are no keys yet. Create one with: ${command('keys create <name>')}`]
  const rows = keys.map((key) => [
    printableLine(key.name),
    key.decide ? `${key.scope}, decides` : key.scope,
    printableLine(key.tenant),
    key.source === 'configured'
      ? 'in the settings'
      : ago(key.time ?? null, now) + (key.expires === undefined ? '' : `, until ${key.expires.slice(0, 10)}`),
    endOf(key, now),
  ])
  return table(
    [
      { title: 'key', paint: paint.bold, flexible: true },
      { title: 'scope' },
      { title: 'tenant' },
      { title: 'created' },
      { title: '', paint: paint.red },
    ],
    rows,
    textColumns(),
    paint.dim,
  )
}

/** How a key ended, if it has. */
function endOf(key: KnownKey, now: number): string {
  if (key.revoked !== undefined) return `revoked ${ago(key.revoked, now)}`
  return isActive(key, now) ? '' : `ended ${ago(key.expires ?? null, now)}`
}
