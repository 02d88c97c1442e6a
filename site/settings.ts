// What does a build of the site depend on? The options of its command.
import { parseArgs } from 'node:util'

export interface SiteSettings {
  /** The address of the repository, for "Edit this page" and for links to sources. Without it there are none. */
  readonly repository?: string
  /** The folder of the site on its host: `/` or `/minutebook/`. */
  readonly base: string
  /** Whether the built site is served until the command is stopped. */
  readonly serve: boolean
  /** Where `serve` listens. */
  readonly port: number
}

export function readSettings(args: readonly string[] = process.argv.slice(2)): SiteSettings {
  const { values } = parseArgs({
    args: [...args],
    options: {
      repository: { type: 'string' },
      base: { type: 'string', default: '/' },
      serve: { type: 'boolean', default: false },
      port: { type: 'string', default: '4173' },
    },
  })
  const { repository, base, serve, port } = values
  if (!/^\/(.*\/)?$/.test(base))
    throw new Error(`--base begins and ends with "/", such as /minutebook/, unlike "${base}".`)
  return {
    base,
    serve,
    port: Number(port),
    ...(repository === undefined ? {} : { repository: repository.replace(/\/$/, '') }),
  }
}
