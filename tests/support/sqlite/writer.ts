import type { Entry } from 'minutebook'
import { entryOf } from 'minutebook/store'
import { assistant, user } from '@minutebook/testing'
import { sqliteStore } from '@minutebook/sqlite'

// Appends two entries at a time, for ever, and names each pair as soon as it is acknowledged.
const store = sqliteStore(process.argv[2]!)
let after: Entry | undefined = (await store.read('t', { last: 1 }))[0]
console.log('open')
for (let count = 0; ; count++) {
  const question = entryOf(user(`question ${process.pid} ${count} ${'lorem ipsum '.repeat(count % 40)}`), after)
  const answer: Entry = entryOf(assistant(`answer ${process.pid} ${count}`), question)
  const appended = await store.append('t', [question, answer], { head: after?.id ?? null })
  if (!appended.ok) throw new Error(appended.reason)
  process.stdout.write(`${question.id} ${answer.id}\n`)
  after = answer
  if (count % 20 === 0) await new Promise((resolve) => setImmediate(resolve))
}
