import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { strictUpstream, type UpstreamRequest } from '@minutebook/testing/server'
import { root, run, type Outcome } from '../support/workshop.ts'

/** The hello world as it stands in the examples. */
export const hello: string = readFileSync(join(root, 'examples/hello/hello.ts'), 'utf8')

/** What the hello world prints with the model of `sayHello`. */
export const greeting = 'Spinach is in bed 3.\n\nWhat did the model see?  npx @minutebook/cli explain garden.db\n'

/** What the tool returned to the model. */
export const sown = '{"bed":3,"plant":"spinach","sown":true}'

/** How a runtime is started: its program, and what comes before the name of a script. */
export type Command = readonly [program: string, ...args: string[]]

/**
 * Runs the hello world in a folder that has its packages, with a new file, against a strict model server. Only the
 * address of that server is another one than users have.
 */
export async function sayHello(
  [program, ...args]: Command,
  folder: string,
): Promise<{ readonly outcome: Outcome; readonly requests: readonly UpstreamRequest[] }> {
  const call = { name: 'sow', arguments: { bed: 3, plant: 'spinach' } }
  await using upstream = await strictUpstream({ answer: [{ calls: [call] }, 'Spinach is in bed 3.'], window: 8192 })
  const [before, after] = hello.split('new Ollama()')
  if (after === undefined) throw new Error('The hello world does not make its client as this test knows it.')
  writeFileSync(join(folder, 'hello.ts'), `${before}new Ollama({ host: '${upstream.url}' })${after}`)
  for (const end of ['', '-wal', '-shm', '-lock']) rmSync(join(folder, `garden.db${end}`), { force: true })
  const outcome = await run(program, [...args, 'hello.ts'], folder)
  return { outcome, requests: upstream.requests.filter(({ path }) => path === '/api/chat') }
}
