import { hash } from 'node:crypto'
import { payloadOf } from 'minutebook/store'
import { statement } from '../../packages/postgres/src/connection/statement.ts'
import { makeEntry } from './entries.ts'
import { tailLength, type Operation } from './operation.ts'
import { firstName, parties, pgbenchHead, pgbenchParty, tenant, term, type SeededThreads } from './threads.ts'

/** What pgbench is told on its command line: values that stay the same. */
export function pgbenchValues(): Readonly<Record<string, string>> {
  const payload = payloadOf(makeEntry(pgbenchHead))
  return {
    tenant,
    longest: '10000',
    from: '0',
    to: '2147483647',
    last: String(tailLength),
    none: '{}',
    head: `\\x${pgbenchHead}`,
    term: String(term),
    yes: 'true',
    payloads: `{"${payload.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"}`,
    keys: '{null}',
    checksums: `{"\\\\x${hash('sha256', payload)}"}`,
  }
}

/**
 * One transaction in pgbench's words: the very statements of our store with their parameters filled in. `pipelined`:
 * sent without waiting in between, as we do; they are a transaction then without saying so.
 */
export function pgbenchScript(operation: Operation, { count }: SeededThreads, pipelined: boolean): string {
  const work = [
    fill('tenant', { 1: '(:tenant)::text', 2: '(:longest)::text', 3: '(:longest)::text' }),
    ...steps[operation].map((step) => step()),
  ]
  const statements = pipelined ? work : ['begin', ...work, 'commit']
  return [
    `\\set thread ${firstName} + ${pgbenchParty} + ${parties} * random(0, ${Math.floor((count - 1 - pgbenchParty) / parties)})`,
    ...['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((name) => `\\set ${name} random(0, 9000000000000000000)`),
    ...(pipelined ? ['\\startpipeline'] : []),
    ...statements.map((statement) => `${statement};`),
    ...(pipelined ? ['\\endpipeline'] : []),
    '',
  ].join('\n')
}

const tail = (): string =>
  fill('read', {
    1: '(:thread)::text',
    2: '(:tenant)::text',
    3: '(:from)::integer',
    4: '(:to)::integer',
    5: '(:last)::bigint',
  })
/** pgbench only has numbers that change, so an id is put together of four. */
const append =
  (...numbers: readonly string[]) =>
  (): string => {
    const id = numbers.map((name) => `int8send(:${name})`).join(' || ')
    return fill('append', {
      ids: `(array[${id}])::bytea[]`,
      new_head: '(:head)::bytea',
      thread: '(:thread)::text',
      tenant: '(:tenant)::text',
      term: '(:term)::integer',
      has_head: '(:yes)::boolean',
      head: '(:head)::bytea',
      payloads: '(:payloads)::text[]',
      checksums: '(:checksums)::bytea[]',
      keys: '(:keys)::text[]',
    })
  }
const steps: Readonly<Record<Operation, readonly (() => string)[]>> = {
  append: [append('a', 'b', 'c', 'd')],
  tail: [tail],
  turn: [tail, append('a', 'b', 'c', 'd'), append('e', 'f', 'g', 'h')],
}

/**
 * The statement with a value for each parameter, by its name or its number. Each value has its type, since pgbench sends
 * a parameter that comes twice as two.
 */
function fill(name: string, values: Readonly<Record<string, string>>): string {
  const { text, parameters } = statement(name)
  const changed = new Error(`${name}.sql has other parameters now: list them in pgbench-script.ts.`)
  const last = Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))
  if (last !== Object.keys(values).length) throw changed
  return text.trim().replaceAll(/\$(\d+)(::[a-z]+(\[\])?)?/g, (_, number: string) => {
    const value = values[parameters[Number(number) - 1] ?? number]
    if (value === undefined) throw changed
    return value
  })
}
