import { existsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from 'playwright-core'
import { beforeAll, onTestFinished } from 'vitest'
import { within } from '../patience.ts'

/** A real browser. */
export interface TestBrowser {
  /** A page of its own, with cookies of its own, that is closed when the test is done. */
  open(address: string, options?: OpenOptions): Promise<Visit>
}

export interface OpenOptions {
  readonly theme?: 'light' | 'dark'
  readonly width?: number
  readonly height?: number
  /** What the page takes for now. */
  readonly now?: string
  /** Run in the page before anything else. */
  readonly before?: string
  /** With which somebody logged in before. */
  readonly key?: string
  /** Pixels of the screen for each of the page. */
  readonly scale?: number
}

/** A page, and what happened in it. */
export interface Visit {
  readonly page: Page
  readonly context: BrowserContext
  /** Addresses that were asked for outside of the server. */
  readonly strayed: readonly string[]
  /** Errors that the page reported, refusals of its content security policy among them. */
  readonly complaints: readonly string[]
  /** Answers with a status of 400 and more, as "status path". */
  readonly refused: readonly string[]
}

/** What pages looked like when their test failed. */
const failures = join(tmpdir(), 'minutebook-console-failures')

/** For the tests of a file; to be called there, not in a test. */
export function testBrowser(): TestBrowser {
  beforeAll(async () => void (await running()))
  return { open: async (address, options = {}) => visit(await running(), address, options) }
}

const chromiumFile = '/usr/bin/chromium'
/** The same without windows: to open a page takes it a third of the processor time. Debian installs each by itself. */
const withoutWindows = '/usr/bin/chromium-headless-shell'

/** One for all test files of a process, which ends with it. */
let shared: Promise<Browser> | undefined

async function running(): Promise<Browser> {
  const browser = await shared?.catch(() => undefined)
  if (browser?.isConnected() === true) return browser
  shared = chromium.launch({
    executablePath: process.env['CHROMIUM'] ?? (existsSync(withoutWindows) ? withoutWindows : chromiumFile),
    args: ['--no-sandbox', '--disable-gpu', '--font-render-hinting=none'],
  })
  return shared
}

async function visit(
  browser: Browser,
  address: string,
  { theme = 'light', width = 1360, height = 860, now, before, key, scale = 1 }: OpenOptions,
): Promise<Visit> {
  const { origin } = new URL(address)
  const context = await browser.newContext({
    colorScheme: theme,
    viewport: { width, height },
    deviceScaleFactor: scale,
    reducedMotion: 'reduce',
    locale: 'en-GB',
    timezoneId: 'UTC',
    permissions: [],
    ...(key !== undefined && { storageState: await loggedIn(origin, key) }),
  })
  const strayed: string[] = []
  const complaints: string[] = []
  const refused: string[] = []
  context.on('request', (request) => {
    const asked = new URL(request.url())
    if (asked.origin !== origin && !['data:', 'blob:', 'about:'].includes(asked.protocol)) strayed.push(request.url())
  })
  context.on('response', (response) => {
    if (response.status() >= 400) refused.push(`${response.status()} ${new URL(response.url()).pathname}`)
  })
  if (now !== undefined) await context.clock.setFixedTime(now)
  if (before !== undefined) await context.addInitScript(before)
  const page = await context.newPage()
  page.setDefaultTimeout(within(60_000))
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail')
      await page
        .screenshot({
          path: join(
            failures,
            `${task.name.replaceAll(/\W+/g, '-')}-${context.browser()?.contexts().indexOf(context) ?? 0}.png`,
          ),
        })
        .catch(() => undefined)
    await context.close()
  })
  page.on('pageerror', (error) => void complaints.push(`thrown: ${error.message}`))
  page.on('dialog', (dialog) => {
    complaints.push(`dialog: ${dialog.message()}`)
    // The page may be closed before.
    dialog.dismiss().catch(() => undefined)
  })
  page.on('console', (message) => {
    // An answer that is an error is in `refused`.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      complaints.push(message.text())
  })
  await page.goto(address)
  return { page, context, strayed, complaints, refused }
}

/** What a browser keeps after the login page: one half of the session in a cookie, one in the storage of the page. */
async function loggedIn(
  origin: string,
  key: string,
): Promise<Exclude<BrowserContextOptions['storageState'], string | undefined>> {
  const answer = await fetch(`${origin}/console/session`, {
    method: 'POST',
    headers: { origin },
    body: JSON.stringify({ key }),
  })
  if (!answer.ok) throw new Error(`The server does not take the key: ${answer.status}.`)
  const { session } = (await answer.json()) as { readonly session: string }
  const [, name = '', value = ''] = /^([^=]+)=([^;]+);/.exec(answer.headers.get('set-cookie') ?? '') ?? []
  return {
    cookies: [
      {
        name,
        value,
        domain: new URL(origin).hostname,
        path: '/minutebook/v1',
        expires: -1,
        httpOnly: true,
        secure: false,
        sameSite: 'Strict',
      },
    ],
    origins: [{ origin, localStorage: [{ name: 'minutebook-session', value: session }] }],
  }
}
