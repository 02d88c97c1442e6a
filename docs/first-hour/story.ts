import { copyFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../tests/support/workshop.ts'
import type { Installed } from './packed.ts'
import { runIn, watchIn, type Shell } from './shell.ts'
import type { Transcript } from './transcript.ts'

/** What exists when the tutorial begins. */
export interface Scene {
  readonly shell: Shell
  /** Replaces the addresses on the page by those of this run. */
  readonly here: (text: string) => string
  readonly installed: Installed
}

/** The steps of the tutorial, with two terminals. */
export async function tell({ shell, here, installed }: Scene, { say, file, command }: Transcript): Promise<void> {
  const run = (typed: string): Promise<string> => runIn(shell, here(typed))
  say(opening)

  say('## Install')
  say(notYet)
  command('npm install --global @minutebook/cli', installed.commands, { expect: [/added \d+ packages/] })
  say('And in an empty folder, what the two programs below need:')
  command('npm install minutebook @minutebook/sqlite ollama', installed.programs, { expect: [/added \d+ packages/] })

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
      expect: [/^minutebook-recorded: yes/m, /^minutebook-window: 2048; source="\/api\/ps"/m, /"role":"assistant"/],
      words: true,
    })

    say('## Go on with a long chat')
    say(
      'This app goes on with an old chat, `chat.json`, which is in `docs/first-hour` of the repository: 365 messages, about 6,000 tokens, three times as much as the window. Somewhere in it the user said who plays which instrument. Like all chat apps, it sends the whole conversation with each question. It knows nothing of Minutebook but its address.',
    )
    file('ts no-run', app)
    writeFileSync(join(shell.folder, 'chat.ts'), app)
    copyFileSync(join(root, 'docs/first-hour/chat.json'), join(shell.folder, 'chat.json'))
    say('First without Minutebook. This model server drops the oldest messages, as Ollama does, and says nothing:')
    const direct = 'node chat.ts http://127.0.0.1:11434'
    command(direct, await run(direct), { expect: [/^Which instrument does Corwin play\? ./m], words: true })
    say('Now with the address of Minutebook:')
    const kept = 'node chat.ts http://127.0.0.1:11435'
    command(kept, await run(kept), { expect: [/^Which instrument does Corwin play\? .*\bharp\b/m], words: true })
    const [long = ''] = /\d{8}-\d{9}-\w+/.exec(await run('minutebook threads')) ?? []

    say('This says what happened to each message in the last call, and why:')
    command('minutebook explain', await run('minutebook explain'), {
      expect: [/· tinyllama · rewritten/, /✓ exactly what was sent/, /recalled .*matches the question/, /current turn/],
      words: true,
    })
    say(
      'And this is exactly what the model saw. The message with the harp is among those that the question brought back:',
    )
    command('minutebook dump', await run('minutebook dump'), {
      expect: [/--- RECALL \(user\)/, /Corwin plays the harp/, /Which instrument does Corwin play\?/],
      words: true,
    })
    const about = "minutebook explain --about 'the harp'"
    say('What happened to one message, in each call:')
    command(about, await run(about), { expect: [/Corwin plays the harp/], words: true })

    say('## Chat in the terminal')
    say('The bar below each answer is the context window.')
    command('minutebook chat', await chat(shell), { expect: [/latest \d+/, /V \d+/], words: true })

    say('## Read the record')
    command('minutebook threads', await run('minutebook threads'), {
      expect: [/What is compost/, / 3\d\d /],
    })
    command('minutebook show', await run('minutebook show'), {
      expect: [/1 you +What is compost/, /2 you +How do I make it/],
      words: true,
    })
    say('The last turn of that chat, while `serve` runs in the first terminal:')
    command('minutebook explain', await run('minutebook explain'), {
      expect: [/turn 2 · tinyllama · unchanged/, /✓ exactly what was sent/],
      words: true,
    })
    say('Or use a browser: `serve` has a [web console](console.md). This prints a link that logs you in once:')
    command('minutebook console', await run('minutebook console'), { expect: [/\/console#login=\S+$/m] })
    await opensConsole(here('http://127.0.0.1:11435/console'))
    command('minutebook doctor', await run('minutebook doctor'), { expect: [/✓ upstream/, /✓ record/] })
    command('minutebook verify --all', await run('minutebook verify --all'), {
      expect: [/2 prompts as they were sent/],
    })

    say('## Stop')
    say('Meanwhile the first terminal has printed a line for each chat. Ctrl-C stops the gateway:')
    server.type('\u0003')
    await server.over
    command('minutebook serve', `…\n${lastLines(server.seen(), 5)}`, { expect: [/rewritten/, /unchanged/] })
    say('The record is still there: without a server, commands open the file themselves.')
    command(`minutebook verify ${long}`, await run(`minutebook verify ${long}`), { expect: [/✓/] })

    say('## Look into the file of your own program')
    say('The same commands read every file that the [library](guide.md) writes, also while the program runs:')
    file('ts no-run', program)
    writeFileSync(join(shell.folder, 'ann.ts'), here(program))
    command('node ann.ts', await run('node ann.ts'), { expect: [/What did the model see\?/], words: true })
    const asked = 'minutebook explain garden.db'
    command(asked, await run(asked), { expect: [/^ann$/m, /✓ exactly what was sent/], words: true })
    say('`minutebook console garden.db` opens the web console over the file. Nothing is written to it.')
  } finally {
    server.kill()
  }
}

const opening = `# Tutorial: the gateway in 15 minutes

What a new user sees. \`npm run docs:first-hour\` wrote this page: it packed the packages, installed them and ran the commands after each \`$\`. Only ids, times, ports and folders are replaced, so that they are the same in every run.

The model is a real one, but the smallest that talks: TinyLlama 1.1B Chat, with a context window of 2,048 tokens and at temperature 0. So it is quick, and often wrong. Its answers were recorded once (\`npm run docs:first-hour -- --record\`), and are played back whenever this page is checked. To follow with the same model, on Linux, start it in a clone:

\`\`\`sh
sh bench/answers/install.sh    # once: 410 MB, from npm
node bench/answers/serve-model.ts --port 11434 --name tinyllama
\`\`\`

Or use Ollama: \`ollama pull tinyllama\`. Its answers will be others.`

const notYet =
  '> Not on npm yet: clone this repository and run `npm ci && npm run build && npm link -w @minutebook/cli` in its folder, once, in place of the first command. Then install its folders, `npm install ~/minutebook/packages/core ~/minutebook/packages/sqlite ollama`, in place of the second one.'

const curl = `curl -si http://127.0.0.1:11435/v1/chat/completions -d '{ "model": "tinyllama", "messages": [{ "role": "user", "content": "What is compost?" }] }'`

const app = `
import { readFileSync } from 'node:fs'
import { Ollama, type Message } from 'ollama'

const ollama = new Ollama({ host: process.argv[2] ?? 'http://127.0.0.1:11435' })
const messages = JSON.parse(readFileSync('chat.json', 'utf8')) as Message[]
for (const content of ['What is the dog of Tobias called?', 'Which instrument does Corwin play?']) {
  messages.push({ role: 'user', content })
  const { message } = await ollama.chat({ model: 'tinyllama', messages, options: { num_predict: 48 } })
  messages.push(message)
  console.log(content, message.content.trim())
}
`

const program = `
import { sqliteStore } from '@minutebook/sqlite'
import { openBook } from 'minutebook'
import { ollamaModel } from 'minutebook/ollama'
import { Ollama } from 'ollama'

const book = openBook({
  store: sqliteStore('garden.db'),
  model: ollamaModel(new Ollama({ host: 'http://127.0.0.1:11434' }), { model: 'tinyllama' }),
  window: 2048,
  system: 'You help to plan a garden.',
})
for await (const piece of book.thread('ann').send('What is compost?').text) process.stdout.write(piece)
console.log('\\nWhat did the model see?  minutebook explain garden.db')
`

/** Two questions, and Ctrl-D. */
async function chat(shell: Shell): Promise<string> {
  const talk = watchIn(shell, 'minutebook chat')
  try {
    for (const keys of ['What is compost?\r', 'How do I make it?\r', '\u0004']) {
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
