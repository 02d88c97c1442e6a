import type { UpstreamLook } from '../upstream-look.ts'
import { bad, ok, warn, type Check } from './check.ts'

/** Whether an upstream answers, what it is, what it has, and whether its clock and ours agree. */
export function upstreamChecks({ url, kind, version, models, loaded, why, ahead = 0 }: UpstreamLook): Check[] {
  if (kind === undefined) {
    return [
      bad(
        'upstream',
        `${url} does not answer (${why ?? 'no answer'})`,
        'Start it (such as: ollama serve), or name another: minutebook serve --upstream, upstreams in minutebook.yaml, or MINUTEBOOK_UPSTREAMS.',
      ),
    ]
  }
  const found =
    models.length === 0
      ? warn(
          'models',
          `${url} has none`,
          kind === 'Ollama' ? 'Get one, such as: ollama pull gemma3:4b' : 'Start the upstream with a model.',
        )
      : ok(
          'models',
          `${listed(models)}${kind === 'Ollama' ? ` · loaded: ${loaded.length === 0 ? 'none' : listed(loaded)}` : ''}`,
        )
  return [ok('upstream', `${url} is ${kind}${version ? ` ${version}` : ''}`), found, ...skew(url, ahead)]
}

const tolerated = 60_000

function skew(url: string, ahead: number): Check[] {
  if (Math.abs(ahead) <= tolerated) return []
  const seconds = Math.round(Math.abs(ahead) / 1000)
  return [
    warn(
      'clock',
      `${url} is ${seconds} seconds ${ahead > 0 ? 'ahead of' : 'behind'} this machine`,
      'Set the clock of one of them: the times on record are those of this machine.',
    ),
  ]
}

function listed(names: readonly string[]): string {
  return names.length <= 8 ? names.join(', ') : `${names.slice(0, 8).join(', ')} and ${names.length - 8} more`
}
