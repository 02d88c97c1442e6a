import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StrictUpstreamOptions } from '@minutebook/testing/server'

/** Ann counts with a tool, bob cheers. `secret` is seen by nobody. */
export const counting = `name: counting
environment: { total: 0, secret: hidden }
participants:
  ann: { model: { name: strict, seed: 7 }, system: Count., sees: [total], tools: [add] }
  bob: { model: strict, sees: [total], hears: all }
tools:
  add: { description: Adds., parameters: { count: integer }, changes: { total: total + input.count } }
hooks:
  roundEnd: { secret: "secret + '!'" }
goals: { success: { three: total >= 3 } }
limits: { rounds: 5, tokens: 5000 }
`

/** The same with a tool that only whoever has the file can run. */
export const withModule: string = counting.replace(
  'changes: { total: total + input.count }',
  'module: "./tools.ts#add", mayRepeat: true, changes: { total: total + result }',
)

export const answer: NonNullable<StrictUpstreamOptions['answer']> = ({ messages, tools }) => {
  if (tools.length === 0) return 'Go on, ann.'
  return messages.at(-1)?.role === 'tool' ? 'I added one.' : { calls: [{ name: 'add', arguments: { count: 1 } }] }
}

/** Writes an experiment, with a module beside it, and gives its path. */
export function experimentFile(folder: string, text: string = counting): string {
  const place = join(folder, 'experiments')
  mkdirSync(place, { recursive: true })
  writeFileSync(
    join(place, 'tools.ts'),
    'export function add({ count }: { count: number }): number {\n  return count\n}\n',
  )
  writeFileSync(join(place, 'counting.yaml'), text)
  return join(place, 'counting.yaml')
}
