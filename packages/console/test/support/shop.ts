import { expect } from 'vitest'
import type { UpstreamAnswer, UpstreamCall, UpstreamRequest } from '@minutebook/testing/server'
import type { Locator, Page } from 'playwright-core'
import type { ToolConfig } from '../../../server/src/config/config.ts'
import { plainUpstream } from '../../../../tests/support/server/raw.ts'
import { consoleServer, type ConsoleServer, type ConsoleServerOptions } from './server.ts'

/** A server whose tools ask first, and what they were run with. */
export interface Shop extends ConsoleServer {
  readonly ordered: readonly unknown[]
  /** Lets the model make these calls in a thread, and waits until they wait. Returns their ids. */
  readonly call: (thread: string, ...calls: readonly UpstreamCall[]) => Promise<readonly string[]>
  readonly decide: (thread: string, call: string, decision: object, by?: string) => Promise<number>
}

const parameters = { type: 'object', properties: {} }

/** `order` needs approval, `hurry` within an hour; `ask_user` and `measure` need answers. */
export async function shop(settings: ConsoleServerOptions['settings'] = {}): Promise<Shop> {
  const ordered: unknown[] = []
  const { url } = await plainUpstream((request, response) => {
    let text = ''
    request.on('data', (piece: Buffer) => (text += piece.toString()))
    request.on('end', () => {
      ordered.push((JSON.parse(text) as { readonly input: unknown }).input)
      response.writeHead(200, { 'content-type': 'application/json' }).end('"done"')
    })
  })
  const tools: ToolConfig[] = [
    { name: 'order', parameters, url, approve: true },
    { name: 'hurry', parameters, url, approve: true, decideWithin: 3_600_000 },
    { name: 'ask_user', parameters },
    { name: 'measure', parameters },
  ]
  const server = await consoleServer({
    upstream: { answer },
    settings: { tools, models: { strict: { window: 200_000 } }, ...settings },
  })
  const app = server.as('app')
  return {
    ...server,
    ordered,
    call: async (thread, ...calls) => {
      const setup = { tools: tools.map(({ name }) => name) }
      await app.ask('POST', '/threads', { thread, setup })
      const seen = await app.stream('POST', `/threads/${thread}/turns`, { body: { message: JSON.stringify(calls) } })
      expect(seen.at(-1)).toMatchObject({ event: 'end', data: { status: 'waiting' } })
      return (seen.at(-1)!.data['waiting'] as readonly { readonly id: string }[]).map(({ id }) => id)
    },
    decide: async (thread, call, decision, by) =>
      (await app.ask('POST', `/threads/${thread}/decisions`, { call, decision, by })).status,
  }
}

/** The model makes the calls that it is told, and then repeats their results. */
function answer({ messages }: UpstreamRequest): UpstreamAnswer {
  const text = String(messages.at(-1)?.content)
  if (messages.at(-1)?.role === 'user') return { calls: JSON.parse(text) as readonly UpstreamCall[] }
  return { text: `I heard: ${text}` }
}

/** The call that waits in a list or a transcript, by the name of its tool. */
export function waitingCall(page: Page, name: string): Locator {
  return page.locator('[data-open-call]').filter({ has: page.getByText(name, { exact: true }) })
}

/** Waits for what a row says was decided. */
export async function says(row: Locator, text: string | RegExp): Promise<void> {
  await row.getByRole('status').filter({ hasText: text }).waitFor()
}

/** In this page the list stays as it is now, as between two looks at it. Returns what ends that. */
export async function frozen(page: Page, server: ConsoleServer): Promise<() => Promise<void>> {
  const { body } = await server.as('app').ask('GET', '/waiting?limit=100')
  const json = { calls: body['calls'] }
  await page.route(list, (route) => route.fulfill({ json }))
  return () => page.unroute(list)
}

const list = '**/minutebook/v1/waiting*'
