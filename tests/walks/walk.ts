// What does somebody do who follows a page, from an empty folder to the first result? The commands are those of the
// page: a test holds that.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../support/workshop.ts'

/** Somebody who follows a page. */
export interface Walk {
  readonly name: string
  /** The page that is followed. */
  readonly page: string
  /** Seconds that it may take on an idle machine, from the installation on. */
  readonly limit: number
  readonly steps: readonly Step[]
}

export type Step = Typed | Saved

/** A command of the page. */
export interface Typed {
  readonly type: string
  /** What is printed in the end or, by a command that goes on, what the next step waits for. */
  readonly prints: RegExp
  /** It goes on, such as a server. */
  readonly goesOn?: boolean
  /** Variables that are then set for all later steps: the first group of what was printed. */
  readonly sets?: Readonly<Record<string, RegExp>>
}

/** The first block of the page in this language that has this text, saved as a file. */
export interface Saved {
  readonly save: string
  readonly language: string
  readonly with: string
}

/** What the note of each page has somebody type in a clone, as long as no registry has the packages. */
export const inTheClone = 'npm ci && npm run build && npm link -w @minutebook/cli'

/** The four people whom the first page of the documentation sends on their way. */
export const walks: readonly Walk[] = [
  {
    name: 'library',
    page: 'docs/start/library.md',
    limit: 60,
    steps: [
      { type: 'npm install minutebook', prints: /added \d+ package/ },
      { save: 'garden.mts', language: 'ts', with: 'compile(messages' },
      { type: 'node garden.mts', prints: /recalled[\s\S]* messages of 802/ },
      { type: 'npm install @minutebook/sqlite ollama', prints: /added \d+ package/ },
      { save: 'store.mts', language: 'ts', with: 'openBook(' },
      { type: 'node store.mts', prints: /Ferns/ },
      { type: 'npx @minutebook/cli explain garden.db', prints: /turn 1 .*exactly what was sent/s },
    ],
  },
  {
    name: 'gateway',
    page: 'docs/start/gateway.md',
    limit: 90,
    steps: [
      { type: 'npm install --global @minutebook/cli', prints: /added \d+ package/ },
      { type: 'minutebook serve', prints: /Minutebook is listening/, goesOn: true },
      { type: 'minutebook chat "What grows in the shade?"', prints: /Ferns/ },
      { type: 'minutebook explain', prints: /sent unchanged/ },
      { type: 'minutebook dump', prints: /What grows in the shade/ },
      { type: 'minutebook console', prints: /http:\/\/127\.0\.0\.1:\d+\/console/ },
    ],
  },
  {
    name: 'server',
    page: 'docs/start/server.md',
    limit: 180,
    steps: [
      { type: 'npm install --global @minutebook/cli', prints: /added \d+ package/ },
      {
        type: `psql -U postgres -c "create role minutebook login password 'choose-one'" -c "create database minutebook owner minutebook"`,
        prints: /CREATE DATABASE/,
      },
      {
        type: 'minutebook keys generate admin --installation',
        prints: /MINUTEBOOK_KEYS/,
        sets: { MINUTEBOOK_KEY: /^(mb_\S+)$/m, MINUTEBOOK_KEYS: /MINUTEBOOK_KEYS='(.*)'/ },
      },
      {
        type: 'minutebook serve --database postgres://minutebook:choose-one@127.0.0.1/minutebook',
        prints: /Minutebook is listening/,
        goesOn: true,
      },
      {
        type: 'minutebook keys create website --scope app',
        prints: /mb_/,
        sets: { APP_KEY: /(mb_[\w-]{20,})/ },
      },
      {
        type: `curl -s $MINUTEBOOK_SERVER/v1/chat/completions -H "authorization: Bearer $APP_KEY" -H 'content-type: application/json' -d '{ "model": "gemma3:4b", "messages": [{ "role": "user", "content": "What grows in the shade?" }] }'`,
        prints: /Ferns/,
      },
      {
        type: `curl -sX POST $MINUTEBOOK_SERVER/minutebook/v1/threads -H "authorization: Bearer $APP_KEY" -H 'content-type: application/json' -d '{ "thread": "garden", "setup": { "system": "You help with a garden." } }'`,
        prints: /garden/,
      },
      {
        type: `curl -sNX POST $MINUTEBOOK_SERVER/minutebook/v1/threads/garden/turns -H "authorization: Bearer $APP_KEY" -H 'content-type: application/json' -H 'accept: text/event-stream' -d '{ "message": "What grows in the shade?", "id": "first" }'`,
        prints: /Ferns/,
      },
      { type: 'minutebook explain garden', prints: /turn 1 .*exactly what was sent/s },
    ],
  },
  {
    name: 'experiments',
    page: 'docs/start/experiments.md',
    limit: 180,
    steps: [
      { type: 'npm install --global @minutebook/cli', prints: /added \d+ package/ },
      { save: 'stand.yaml', language: 'yaml', with: 'name: lemonade stand' },
      { type: 'minutebook run stand.yaml --check', prints: /can be run/ },
      { type: 'minutebook run stand.yaml --name stand-1', prints: /round/i },
      { type: 'minutebook runs show stand-1', prints: /stand-1/ },
      { type: 'minutebook explain run/stand-1/vendor', prints: /exactly what was sent/ },
      {
        type: 'minutebook runs fork stand-1 --round 2 --as warmer --set participants.vendor.model.temperature=1',
        prints: /warmer/,
      },
      { type: 'minutebook compare stand-1 warmer', prints: /stand-1/ },
    ],
  },
]

export function pageOf({ page }: Walk): string {
  return readFileSync(join(root, page), 'utf8')
}

/** What of a walk is not on its page. */
export function missingOn(text: string, { steps }: Pick<Walk, 'steps'>): string[] {
  const commands = new Set(commandsOf(text))
  return steps.flatMap((step) => {
    if ('save' in step) return blockOf(text, step) === undefined ? [step.save] : []
    return commands.has(step.type) ? [] : [step.type]
  })
}

/** The text of the file that is saved. */
export function blockOf(text: string, { language, with: part }: Saved): string | undefined {
  return blocksOf(text, language).find((block) => block.includes(part))
}

/** The lines of the `sh` blocks, without comments at their ends, and each text between backticks; continued lines are one. */
function commandsOf(text: string): string[] {
  const lines = blocksOf(text, 'sh').flatMap((block) => block.replaceAll(/\\\n\s*/g, '').split('\n'))
  const typed = lines.map((line) => line.replace(/\s+# .*$/, '').trim())
  return [...typed, ...[...text.matchAll(/`([^`\n]+)`/g)].map(([, inline = '']) => inline)]
}

function blocksOf(text: string, language: string): string[] {
  return [...text.matchAll(/^```(\w+)[^\n]*\n([\s\S]*?)^```/gm)].flatMap(([, marked, block]) =>
    marked === language && block !== undefined ? [block] : [],
  )
}
