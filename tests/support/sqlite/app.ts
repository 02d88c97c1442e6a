// A program with a book in a file, `app.ts <file>`: runs turns of one thread for ever, and names each when it is over.
import { sqliteStore } from '@minutebook/sqlite'
import { MinutebookError, openBook, type Model } from 'minutebook'

/** Answers with the number of the messages that it got. */
const model: Model = async function* ({ messages }) {
  const text = `I have read ${messages.length} messages.`
  yield { type: 'text', text }
  yield { type: 'end', message: { role: 'assistant', content: text }, finish: 'stop' }
}

try {
  const book = openBook({ store: sqliteStore(process.argv[2]!), model, window: 4096, system: 'You count.' })
  for (let turn = 1; ; turn++) {
    await book.thread('garden').send(`Question ${turn}: what grows in the shade?`).done
    console.log(turn)
    await new Promise((resolve) => setImmediate(resolve))
  }
} catch (error) {
  console.log(MinutebookError.isInstance(error) ? error.message : String(error))
}
