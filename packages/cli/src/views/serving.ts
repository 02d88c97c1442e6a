import { printableLine } from '@minutebook/server'
import { counted } from '../figures.ts'
import { homePath } from '../home-path.ts'
import type { Terminal } from '../terminal.ts'
import { padded } from '../text-width.ts'
import type { UpstreamLook } from '../upstream-look.ts'

/** What there is to know about a server that has just begun to listen. */
export interface Serving {
  readonly url: string
  /** The console, with a code that logs the operator in once; undefined if others may read what is printed. */
  readonly login: string | undefined
  /** Where the record is kept. */
  readonly record: string
  readonly upstreams: readonly UpstreamLook[]
}

export function servingLines({ url, login, record, upstreams }: Serving, { paint }: Terminal): string[] {
  const line = (name: string, text: string): string => `  ${paint.dim(padded(name, 16))}${text}`
  return [
    `${paint.green('●')} ${paint.bold('Minutebook is listening.')} Change the address in your app, and nothing else:`,
    '',
    line('Ollama clients', paint.cyan(url)),
    line('OpenAI clients', paint.cyan(`${url}/v1`)),
    line(
      'Console',
      login === undefined
        ? `${paint.cyan(`${url}/console`)} ${paint.dim('(for a link that logs you in: minutebook console)')}`
        : `${paint.cyan(login)} ${paint.dim('(logs you in, once)')}`,
    ),
    line('Record', printableLine(homePath(record))),
    ...upstreams.map((look, index) => line(index === 0 ? 'Upstream' : '', upstreamText(look, paint))),
    '',
    `  ${paint.dim('What did the model see? In another terminal:')} minutebook explain${paint.dim('; or in the console. To stop: Ctrl-C.')}`,
  ]
}

function upstreamText({ url, kind, version, models, why }: UpstreamLook, paint: Terminal['paint']): string {
  if (kind === undefined)
    return `${url} ${paint.red(`does not answer yet (${why ?? 'no answer'})`)}; start it whenever you like`
  const name = `${kind}${version ? ` ${printableLine(version)}` : ''}`
  return `${url} · ${name} · ${models.length === 0 ? paint.red('no models yet') : counted(models.length, 'model')}`
}
