import { useNavigate } from '@tanstack/react-router'
import type { ReactElement } from 'react'
import { useAbout, useMayWrite } from '../api/api.tsx'
import { useExample } from '../api/begin-thread.ts'
import { useModelChoice } from '../api/models.ts'
import { CopyButton } from '../ui/copy.tsx'
import { readable } from '../ui/text.ts'
import { Button } from '../ui/ui.tsx'

/** What a server without conversations shows: what it is for, and three ways to begin. */
export function FirstMinute(): ReactElement {
  const { readOnly } = useAbout()
  const mayWrite = useMayWrite()
  return (
    <div className="h-full overflow-y-auto p-6">
      <div className="mx-auto max-w-2xl space-y-5">
        <div className="space-y-2">
          <h1 className="text-lg font-semibold">No conversations yet</h1>
          <p className="text-muted">
            Minutebook sits between your app and its model. It records every conversation, and keeps long ones inside
            the context window. For each call it shows exactly what the model saw, what was left out, and why.
          </p>
        </div>
        {!readOnly && <Addresses />}
        {mayWrite && <Begin />}
      </div>
    </div>
  )
}

/** Where apps send their requests, and one request to try. */
function Addresses(): ReactElement {
  const { needsKey } = useAbout()
  const models = useModelChoice({ isOn: true })
  const command = curlFor({ origin: location.origin, model: models?.chosen ?? 'MODEL', needsKey })
  return (
    <>
      <section className="space-y-2" aria-labelledby="addresses">
        <h2 id="addresses" className="font-medium">
          Point your app here
        </h2>
        <dl className="divide-y divide-line rounded-md border border-line bg-surface">
          {addresses.map(([name, path]) => (
            <div key={name} className="flex flex-wrap items-center gap-x-3 px-3 py-1.5">
              <dt className="w-36 shrink-0 text-muted">{name}</dt>
              <dd className="flex min-w-0 grow items-center gap-2">
                <code className="min-w-0 grow [overflow-wrap:anywhere]">{location.origin + path}</code>
                <CopyButton text={location.origin + path} label={`Copy the address for ${name}`} />
              </dd>
            </div>
          ))}
        </dl>
      </section>
      <section className="space-y-2" aria-labelledby="try">
        <h2 id="try" className="font-medium">
          Or try it from a terminal
        </h2>
        <div className="flex items-start gap-2 rounded-md border border-line bg-surface px-3 py-2">
          <pre data-curl className="min-w-0 grow whitespace-pre-wrap [overflow-wrap:anywhere]">
            {readable(command)}
          </pre>
          <CopyButton text={command} label="Copy the command" />
        </div>
        {needsKey && (
          <p className="text-xs text-muted">
            Set <code>MINUTEBOOK_KEY</code> to a key with the scope app. <code>minutebook keys create</code> makes one.
          </p>
        )}
      </section>
    </>
  )
}

const addresses: readonly (readonly [name: string, path: string])[] = [
  ['Ollama clients', ''],
  ['OpenAI clients', '/v1'],
  ['Anthropic clients', ''],
]

/** Ways to begin without an app. */
function Begin(): ReactElement {
  const navigate = useNavigate()
  const { mutate, isPending, error } = useExample((thread) => navigate({ to: '/threads/$thread', params: { thread } }))
  return (
    <section className="space-y-2" aria-labelledby="begin">
      <h2 id="begin" className="font-medium">
        Or look around first
      </h2>
      <div className="flex flex-wrap gap-2">
        <Button kind="primary" disabled={isPending} onClick={() => mutate()}>
          Load an example
        </Button>
        <Button onClick={() => void navigate({ to: '/new' })}>Write a message here</Button>
      </div>
      <p className="text-muted">The example is a conversation that outgrew its window. No model is called for it.</p>
      {error && (
        <p role="alert" className="text-bad">
          {error.message}
        </p>
      )}
    </section>
  )
}

/**
 * A command that sends one chat. The name of the model comes from another server, so it is quoted for JSON and for the
 * shell.
 *
 * @example
 * curlFor({ origin: 'http://localhost:11435', model: 'gemma3:4b', needsKey: false })
 */
export function curlFor({
  origin,
  model,
  needsKey,
}: {
  readonly origin: string
  readonly model: string
  readonly needsKey: boolean
}): string {
  const body = JSON.stringify({ model, messages: [{ role: 'user', content: 'What grows in the shade?' }] })
  return [
    `curl ${origin}/v1/chat/completions`,
    ...(needsKey ? ['-H "authorization: Bearer $MINUTEBOOK_KEY"'] : []),
    "-H 'content-type: application/json'",
    `-d '${body.replaceAll("'", String.raw`'\''`)}'`,
  ].join(' \\\n  ')
}
