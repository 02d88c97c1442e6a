import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runIn, watchIn, type Shell } from './shell.ts'
import type { Transcript } from './transcript.ts'

/** What exists when the tutorial begins. */
export interface Scene {
  readonly shell: Shell
  /** Replaces the addresses on the page by those of this run. */
  readonly here: (text: string) => string
  /** What npm printed. */
  readonly installed: string
}

/** The steps of the tutorial, with two terminals. */
export async function tell({ shell, here, installed }: Scene, { say, file, command }: Transcript): Promise<void> {
  const run = (typed: string): Promise<string> => runIn(shell, here(typed))
  say(opening)

  say('## Install')
  say(
    'In an empty folder, install the tarballs of `npm pack`, and the client that the app below uses. From the npm registry it is `npm install --global @minutebook/cli`.',
  )
  command('npm install ../packages/*.tgz ollama', installed, { expect: [/added \d+ packages/] })

  say('## Start the gateway')
  say(
    'It needs no settings: it listens on this machine only, uses the model server on port 11434, and keeps the record in the data folder of the user.',
  )
  const server = watchIn(shell, 'minutebook serve')
  try {
    await server.until(/To stop: Ctrl-C\.\s*$/)
    command('minutebook serve', server.seen(), { expect: [/Minutebook is listening/, /1 model/] })

    say('## Send a request with curl')
    say(
      'In a second terminal, in the protocol of OpenAI. The headers name the thread that records the chat, its tokens, and the real size of the context window.',
    )
    command(curl, await run(curl), {
      expect: [/^minutebook-recorded: yes/m, /^minutebook-window: 512; source="\/api\/ps"/m, /"role":"assistant"/],
      words: true,
    })

    say('## Chat with the ollama client')
    say(
      'This app knows nothing of Minutebook but its address. It sends the whole conversation every time. After about twenty questions, that is more than the context window of 512 tokens.',
    )
    file('ts no-run', app)
    writeFileSync(join(shell.folder, 'garden.ts'), here(app))
    command('node garden.ts', await run('node garden.ts'), { expect: [/^Week 1: /m, /^Week 20: /m], words: true })
    const [garden = ''] = /\d{8}-\d{9}-\w+/.exec(await run('minutebook threads')) ?? []

    say(
      'No request was refused, although the conversation no longer fits. This shows why the model saw what it saw in the last call:',
    )
    command('minutebook explain', await run('minutebook explain'), {
      expect: [
        /turn 20 · tiny · rewritten/,
        /✓ exactly what was sent/,
        /(?:digested|outlined|omitted)/,
        /current turn/,
      ],
      words: true,
    })
    say(
      'While the conversation fitted, it was sent unchanged, as in the third week. The tokens of each row are then estimates:',
    )
    command('minutebook explain --turn 3', await run('minutebook explain --turn 3'), {
      expect: [/unchanged/, /≈ \d+ {2}sent unchanged/],
      words: true,
    })
    say('And this is exactly what the model saw in the last call:')
    command('minutebook dump', await run('minutebook dump'), {
      expect: [/--- USER/, /Week 20: what do I sow/],
      words: true,
    })

    say('## Chat in the terminal')
    say('The bar below each answer is the context window.')
    command('minutebook chat', await chat(shell), { expect: [/latest \d+/, /verbatim \d+/], words: true })

    say('## Read the record')
    command('minutebook threads', await run('minutebook threads'), { expect: [/What grows in the shade/, /Week 1/] })
    command('minutebook show', await run('minutebook show'), {
      expect: [/1 you +What grows in the shade/, /2 you +And under the old oak/],
      words: true,
    })
    say('The last turn of that chat, while `serve` runs in the first terminal:')
    command('minutebook explain', await run('minutebook explain'), {
      expect: [/turn 2 · tiny · unchanged/, /✓ exactly what was sent/],
      words: true,
    })
    say('Or use a browser: `serve` has a [web console](console.md). This prints a link that logs you in once:')
    command('minutebook console', await run('minutebook console'), { expect: [/\/console#login=\S+$/m] })
    await opensConsole(here('http://127.0.0.1:11435/console'))
    command('minutebook doctor', await run('minutebook doctor'), { expect: [/✓ upstream/, /✓ record/] })
    command('minutebook verify --all', await run('minutebook verify --all'), {
      expect: [/20 prompts as they were sent/],
    })

    say('## Stop')
    say('Meanwhile the first terminal has printed a line for each chat. Ctrl-C stops the gateway:')
    server.type('\u0003')
    await server.over
    command('minutebook serve', `…\n${lastLines(server.seen(), 5)}`, { expect: [/rewritten/, /unchanged/] })
    say('The record is still there: without a server, commands open the file themselves.')
    command(`minutebook verify ${garden}`, await run(`minutebook verify ${garden}`), { expect: [/✓/] })

    say('## Look into the file of your own program')
    say('The same commands read every file that the [library](guide.md) writes, also while the program runs:')
    file('ts no-run', program)
    writeFileSync(join(shell.folder, 'ann.ts'), here(program))
    command('node ann.ts', await run('node ann.ts'), { expect: [/What did the model see\?/], words: true })
    const asked = 'npx @minutebook/cli explain garden.db'
    command(asked, await run(asked), { expect: [/^ann$/m, /✓ exactly what was sent/], words: true })
    say('`npx @minutebook/cli console garden.db` opens the web console over the file. Nothing is written to it.')
  } finally {
    server.kill()
  }
}

const opening = `# Tutorial: the gateway in 15 minutes

What a new user sees, starting in an empty folder. \`npm run docs:first-hour\` wrote this page: it packed the packages, installed the tarballs and ran the commands after each \`$\`. Only ids, times, ports and folders are replaced, so that they are the same in every run.

The model server is \`node tests/real-model/serve.ts --n-ctx 512\` of this repository: llama.cpp with a tiny model of random weights, so its answers make no sense. It speaks both protocols on port 11434, as Ollama does.`

const curl = `curl -si http://127.0.0.1:11435/v1/chat/completions -d '{ "model": "tiny", "messages": [{ "role": "user", "content": "What grows in the shade?" }] }'`

const app = `
import { Ollama, type Message } from 'ollama'

const ollama = new Ollama({ host: 'http://127.0.0.1:11435' })
const messages: Message[] = [{ role: 'system', content: 'You help to plan a garden.' }]
for (let week = 1; week <= 20; week++) {
  messages.push({ role: 'user', content: \`Week \${week}: what do I sow in bed \${week % 7} after the beans?\` })
  const { message } = await ollama.chat({ model: 'tiny', messages })
  messages.push(message)
  if (week % 5 < 2) console.log(\`Week \${week}: \${message.content.trim()}\`)
}
`

const program = `
import { sqliteStore } from '@minutebook/sqlite'
import { openBook } from 'minutebook'
import { ollamaModel } from 'minutebook/ollama'
import { Ollama } from 'ollama'

const book = openBook({
  store: sqliteStore('garden.db'),
  model: ollamaModel(new Ollama({ host: 'http://127.0.0.1:11434' }), { model: 'tiny' }),
  window: 512,
  system: 'You help to plan a garden.',
})
for await (const piece of book.thread('ann').send('What grows in the shade?').text) process.stdout.write(piece)
console.log('\\nWhat did the model see?  npx @minutebook/cli explain garden.db')
`

/** Two questions, and Ctrl-D. */
async function chat(shell: Shell): Promise<string> {
  const talk = watchIn(shell, 'minutebook chat')
  try {
    for (const keys of ['What grows in the shade?\r', 'And under the old oak?\r', '\u0004']) {
      await talk.until(/\n> $/)
      talk.type(keys)
    }
    await talk.over
    return talk.seen()
  } finally {
    talk.kill()
  }
}

/** Checks that the page and its script are served, as a browser requests them. */
async function opensConsole(address: string): Promise<void> {
  const page = await fetch(address)
  const script = /<script[^>]* src="([^"]+)"/.exec(await page.text())?.[1]
  const loaded = script === undefined ? undefined : await fetch(new URL(script, address))
  if (!page.ok || loaded?.headers.get('content-type')?.startsWith('text/javascript') !== true)
    throw new Error(
      `The console is not served: the page answers ${page.status}, its script ${loaded?.status ?? 'is missing'}.`,
    )
}

function lastLines(text: string, count: number): string {
  return text.trimEnd().split('\n').slice(-count).join('\n')
}
