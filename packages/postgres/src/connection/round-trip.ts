import pg, { type Connection, type PoolClient } from 'pg'
import type { Request, Statement } from './statement.ts'

/**
 * Sends statements at once, with one sync after them, and returns the rows of each. For Postgres that is one
 * transaction without `begin` and `commit`: all or nothing. It rejects with the error of the first that failed.
 */
export async function roundTrip(client: PoolClient, requests: readonly Request[]): Promise<unknown[][]> {
  // What cannot be sent must fail before anything is.
  const written = requests.map(({ statement, values }) => ({ statement, values: values.map(parameter) }))
  return new Promise((resolve, reject) => {
    client.query(new RoundTrip(written, resolve, reject))
  })
}

type Column = readonly [name: string, parse: (text: string) => unknown]

/** The statements that a connection has prepared, with the columns of their rows. */
const prepared = new WeakMap<Connection, Map<string, readonly Column[]>>()

/**
 * As the driver runs it: it calls these methods as answers come. On a pipelined connection it takes only queries of its
 * own kind.
 */
export class RoundTrip extends pg.Query {
  requests: readonly Request[]
  /** Set by a driver with a `query_timeout`: it must be told that the time is no longer counted. */
  callback?: () => void
  readonly #done: (answers: unknown[][]) => void
  readonly #failed: (error: Error) => void
  readonly #answers: unknown[][] = []
  #known = new Map<string, readonly Column[]>()
  #columns: readonly Column[] = []
  #rows: unknown[] = []

  constructor(requests: readonly Request[], done: (answers: unknown[][]) => void, failed: (error: Error) => void) {
    super('')
    this.requests = requests
    this.#done = done
    this.#failed = failed
  }

  override submit = (connection: Connection): void => {
    const wire = connection as unknown as Wire
    this.#known = prepared.get(connection) ?? new Map<string, readonly Column[]>()
    prepared.set(connection, this.#known)
    wire.stream.cork()
    for (const { statement, values } of this.requests) {
      const name = nameOf(statement)
      if (!this.#known.has(name)) prepare(wire, name, statement.text)
      this.#known.set(name, this.#known.get(name) ?? [])
      wire.bind({ statement: name, values, valueMapper: (value) => value })
      wire.execute({})
    }
    wire.sync()
    wire.stream.uncork()
    this.#begin()
  }

  handleRowDescription({
    fields,
  }: {
    readonly fields: readonly { readonly name: string; readonly dataTypeID: number }[]
  }): void {
    this.#known.set(
      nameOf(this.requests[this.#answers.length]!.statement),
      fields.map(({ name, dataTypeID }) => [name, answerParser(dataTypeID)]),
    )
    this.#begin()
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {}
    for (const [place, [name, parse]] of this.#columns.entries()) {
      const text = fields[place] ?? null
      row[name] = text === null ? null : parse(text)
    }
    this.#rows.push(row)
  }

  handleCommandComplete(): void {
    this.#answers.push(this.#rows)
    this.#begin()
  }

  handleError(error: Error): void {
    // Some statements that were to be prepared now may be prepared, and some not.
    for (const { statement } of this.requests) this.#known.delete(nameOf(statement))
    this.#failed(error)
    this.callback?.()
  }

  handleReadyForQuery(): void {
    this.#done(this.#answers)
    this.callback?.()
  }

  /** The next statement's answer comes. */
  #begin(): void {
    const next = this.requests[this.#answers.length]
    this.#columns = (next && this.#known.get(nameOf(next.statement))) ?? []
    this.#rows = []
  }
}

/** Not the name under which the driver prepares it, which keeps a list of its own. */
function nameOf({ name }: Statement): string {
  return `${name}, at once`
}

function prepare(wire: Wire, name: string, text: string): void {
  // It may be there from a trip that failed; to close what is not there is no error.
  wire.close({ type: 'S', name })
  wire.parse({ name, text })
  wire.describe({ type: 'S', name })
}

/** What the driver's connection does, although its types do not declare it. */
export interface Wire {
  readonly stream: { cork(): void; uncork(): void }
  close(what: { readonly type: 'S'; readonly name: string }): void
  parse(what: { readonly name: string; readonly text: string }): void
  describe(what: { readonly type: 'S'; readonly name: string }): void
  bind(what: {
    readonly statement: string
    readonly values: readonly unknown[]
    readonly valueMapper: (value: unknown) => unknown
  }): void
  execute(what: object): void
  sync(): void
}

/** A value as Postgres takes it: bytes as they are, all else as text, and a list as the text of an array. */
function parameter(value: unknown): string | Buffer | null {
  if (value === null || value === undefined) return null
  if (Buffer.isBuffer(value)) return value
  if (Array.isArray(value)) return `{${value.map(element).join(',')}}`
  return value instanceof Date ? value.toISOString() : plain(value)
}

function element(value: unknown): string {
  if (Buffer.isBuffer(value)) return `"\\\\x${value.toString('hex')}"`
  return typeof value === 'string' ? `"${value.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"` : plain(value)
}

function plain(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/**
 * What our statements answer: numbers, truth, bytes (ids and checksums, as hex), and else texts. Our own, because
 * a program may have taught the driver others. By Postgres's own numbers for its types.
 */
function answerParser(type: number): (text: string) => unknown {
  return parsers.get(type) ?? asText
}

const parsers: ReadonlyMap<number, (text: string) => unknown> = new Map<number, (text: string) => unknown>([
  [16, (text) => text === 't'],
  [17, (text) => text.slice(2)],
  [23, Number],
  [701, Number],
])

const asText = (text: string): string => text
