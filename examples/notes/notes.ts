// An assistant that leaves itself notes. You see what it says; it sees what it noted, for as long as the thread lives.
//
//   node examples/notes/notes.ts "Add a footer to the page"
//   node examples/notes/notes.ts --dump          what the model would see next, notes included

import { sqliteStore } from '@minutebook/sqlite'
import { openBook } from 'minutebook'
import { ollamaModel } from 'minutebook/ollama'
import { Ollama } from 'ollama'

const { OLLAMA_HOST = 'http://127.0.0.1:11434', NOTES_MODEL = 'qwen3:8b', NOTES_FILE = 'notes.db' } = process.env

const store = sqliteStore(NOTES_FILE)
const thread = openBook({
  store,
  model: ollamaModel(new Ollama({ host: OLLAMA_HOST }), { model: NOTES_MODEL }),
  window: 4096,
  system: 'You edit a small web site.',
  // Asks for the note, takes it out of the answer before a letter of it is shown, and keeps it: also one in bold, in a
  // code block or without its bracket.
  notes: 'block',
}).thread('site')

const [said = '--show'] = process.argv.slice(2)
if (said === '--dump') console.log((await thread.dump()).text)
else if (said === '--show') for (const { kind, text } of await thread.visible()) console.log(`${kind}: ${text}`)
else {
  const turn = thread.send(said)
  for await (const event of turn) if (event.type === 'text') process.stdout.write(event.text)
  const { status, reason } = await turn.done
  console.log(status === 'complete' ? '' : `\n(${status}: ${reason?.message ?? 'the answer was cut off'})`)
}
store.close()
