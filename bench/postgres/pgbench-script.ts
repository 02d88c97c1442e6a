import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { payloadOf } from 'minutebook/store'
import { makeEntry } from './entries.ts'
import { tailLength, type Operation } from './operation.ts'
import { firstName, parties, pgbenchHead, pgbenchParty, tenant, term, type SeededThreads } from './threads.ts'

/** What pgbench is told on its command line: values that stay the same. */
export function pgbenchValues(): Readonly<Record<string, string>> {
  const payload = payloadOf(makeEntry(pgbenchHead))
  return {
    tenant,
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
  const work = [fill('tenant', [':tenant']), ...steps[operation].map((step) => step())]
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

const tail = (): string => fill('read', [':thread', ':tenant', ':from', ':to', ':last'])
/** pgbench only has numbers that change, so an id is put together of four. */
const append =
  (...numbers: readonly string[]) =>
  (): string => {
    const id = numbers.map((name) => `int8send(:${name})`).join(' || ')
    return fill('append', [
      ':thread',
      ':tenant',
      `array[${id}]`,
      ':payloads',
      ':checksums',
      ':head',
      ':term',
      ':yes',
      ':head',
      ':keys',
    ])
  }
const steps: Readonly<Record<Operation, readonly (() => string)[]>> = {
  append: [append('a', 'b', 'c', 'd')],
  tail: [tail],
  turn: [tail, append('a', 'b', 'c', 'd'), append('e', 'f', 'g', 'h')],
}

/** The types of the parameters, as Postgres finds them: pgbench sends a parameter that comes twice as two. */
const types: Readonly<Record<string, readonly string[]>> = {
  tenant: ['text'],
  read: ['text', 'text', 'integer', 'integer', 'bigint'],
  append: ['text', 'text', 'bytea[]', 'text[]', 'bytea[]', 'bytea', 'integer', 'boolean', 'bytea', 'text[]'],
}

function fill(name: string, values: readonly string[]): string {
  const text = readFileSync(new URL(`../../packages/postgres/sql/${name}.sql`, import.meta.url), 'utf8')
  const last = Math.max(...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))
  if (last !== values.length || last !== types[name]!.length)
    throw new Error(`${name}.sql has ${last} parameters now: say in pgbench-script.ts what they are.`)
  return text.trim().replaceAll(/\$(\d+)(::[a-z]+(\[\])?)?/g, (_, number: string) => {
    const place = Number(number) - 1
    return `(${values[place]})::${types[name]![place]}`
  })
}
