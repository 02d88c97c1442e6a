// Does the Next.js example work as a user installs it? Packs, installs, builds and starts it, and chats in a browser: npm run test:next-chat
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { strictUpstream } from '@minutebook/testing/server'
import { chromium, type Page } from 'playwright-core'
import { packAll } from '../support/packed.ts'
import { root, run } from '../support/workshop.ts'

const {
  values: { built },
} = parseArgs({ options: { built: { type: 'string' } } })
/** For what a busy machine does, in milliseconds. */
const patience = 120_000
const port = 3907
const scratch = mkdtempSync(join(tmpdir(), 'minutebook-next-'))
try {
  // `--built FOLDER`: a folder in which all this was done before.
  const folder = built ?? (await build())
  await chat(folder)
} finally {
  rmSync(scratch, { recursive: true, force: true })
}

async function build(): Promise<string> {
  const folder = join(scratch, 'examples/next-chat')
  const tarballs = await step('pack', () => packAll(['core', 'sqlite', 'ai-sdk'], scratch))
  mkdirSync(join(scratch, 'packed'))
  for (const file of tarballs) cpSync(file, join(scratch, 'packed', basename(file)))
  const from = join(root, 'examples/next-chat')
  const made = ['node_modules', '.next', 'next-env.d.ts'].map((name) => join(from, name))
  cpSync(from, folder, { recursive: true, filter: (file) => !made.includes(file) })
  await step('npm install', () => succeeds('npm', ['install', '--prefer-offline', '--loglevel=error'], folder))
  await step('next build', () => succeeds('npm', ['run', 'build'], folder))
  return folder
}

async function succeeds(command: string, words: readonly string[], folder: string): Promise<void> {
  const { code, stdout, stderr } = await run(command, words, folder, { NEXT_TELEMETRY_DISABLED: '1' })
  if (code !== 0) throw new Error(`${command} ${words.join(' ')} ended with ${code}:\n${stdout}\n${stderr}`)
}

async function chat(folder: string): Promise<void> {
  await using upstream = await strictUpstream({ answer: ['Ferns and hostas.', 'Moss.', 'Clover.'], window: 4096 })
  const server = spawn(process.execPath, ['node_modules/next/dist/bin/next', 'start', '--port', String(port)], {
    cwd: folder,
    env: {
      ...process.env,
      NEXT_TELEMETRY_DISABLED: '1',
      CHAT_UPSTREAM: `${upstream.url}/v1`,
      CHAT_FILE: join(scratch, 'chats.db'),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const program = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((file) => existsSync(file))
  const browser = await chromium.launch({
    ...(program !== undefined && { executablePath: program }),
    args: ['--no-sandbox'],
  })
  try {
    const page = await browser.newPage()
    page.setDefaultTimeout(patience)
    const complaints: string[] = []
    page.on('pageerror', ({ message }) => void complaints.push(message))
    await step('next start', () => opened(page, `http://127.0.0.1:${port}/`))
    await step('a chat has an address', () => page.waitForURL(/\/chat\/[0-9a-f-]{36}$/))
    await step('an answer streams', async () => {
      await says(page, 'What grows in the shade?')
      await shows(page, ['What grows in the shade?', 'Ferns and hostas.'])
    })
    await step('a reload in the middle of an answer goes on with it', async () => {
      upstream.next({ answer: 'one two three', stallAfter: 4 })
      await says(page, 'And then?')
      await page.getByText('one two').waitFor()
      await page.reload()
      await page.getByText('one two').waitFor()
    })
    await step('a stop ends the turn', async () => {
      await page.getByText('Stop').click()
      await page.locator('main[data-status=ready]').waitFor()
    })
    await step('another answer is a branch', async () => {
      await page.getByText('Answer again').click()
      await shows(page, ['What grows in the shade?', 'Ferns and hostas.', 'And then?', 'Moss.'])
      await page.reload()
      await shows(page, ['What grows in the shade?', 'Ferns and hostas.', 'And then?', 'Moss.'])
    })
    if (complaints.length > 0) throw new Error(complaints.join('\n'))
  } finally {
    await browser.close()
    server.kill()
  }
}

/** Waits until the server listens, and opens the page. */
async function opened(page: Page, address: string): Promise<void> {
  const deadline = Date.now() + patience
  for (;;) {
    const answer = await fetch(address, { redirect: 'manual' }).catch(() => undefined)
    if (answer !== undefined) break
    if (Date.now() > deadline) throw new Error(`Nothing listens at ${address}.`)
    await pause(200)
  }
  await page.goto(address)
}

async function says(page: Page, text: string): Promise<void> {
  await page.locator('main[data-status=ready]').waitFor()
  await page.locator('input').fill(text)
  await page.getByText('Send').click()
}

async function shows(page: Page, lines: readonly string[]): Promise<void> {
  const deadline = Date.now() + patience
  for (;;) {
    const shown = await page.locator('main > p').allTextContents()
    if (JSON.stringify(shown) === JSON.stringify(lines)) return
    if (Date.now() > deadline) throw new Error(`The page shows ${JSON.stringify(shown)}, not ${JSON.stringify(lines)}.`)
    await pause(100)
  }
}

async function step<T>(name: string, act: () => Promise<T>): Promise<T> {
  const start = performance.now()
  const result = await act()
  console.log(`✓ ${name}, ${((performance.now() - start) / 1000).toFixed(0)} s`)
  return result
}
