import pg, { type Connection, type PoolClient, type QueryResult, type QueryResultRow } from 'pg'
import type { Wire } from './round-trip.ts'

/** How long something may take, in milliseconds. */
export interface Limits {
  /** One statement, and a pause between two statements of a transaction. Postgres itself ends what takes longer. */
  readonly statement: number
  /** The wait for a lock of another transaction. Postgres ends that, too. */
  readonly lock: number
  /** The time without a byte from Postgres. After that the connection is closed here, and what was asked on it fails. */
  readonly silence: number
}

/**
 * Sends a text as the driver would, and its limits before it, in one round trip and one transaction. Postgres itself then
 * ends what takes too long: if only the connection were closed, the statement would go on there. Answers with the rows
 * of all statements of the text.
 */
export async function limitedQuery<Row extends QueryResultRow>(
  client: PoolClient,
  limits: Limits,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  if (values.length === 0 && needsNoTransaction.test(text)) return (await client.query<Row>(text)).rows
  const asked =
    values.length > 0 ? new LimitedQuery<Row>(limits, text, values) : new pg.Query<Row>(`${literal(limits)};\n${text}`)
  // A list of results, since there are several statements: the limits are the first.
  const [, ...results] = await new Promise<readonly QueryResult<Row>[]>((resolve, reject) => {
    const over = (error: Error | null | undefined, answered: unknown): void => {
      if (error) reject(error)
      else resolve(answered as readonly QueryResult<Row>[])
    }
    Object.assign(asked, { callback: over })
    client.query(asked)
  })
  return results.flatMap(({ rows }) => rows)
}

/** What Postgres refuses in a transaction: pg-boss builds indexes anew in this way. */
const needsNoTransaction = /\bconcurrently\b/i

/** Rows without columns: an answer that needs no description. */
const setLimits = `select from set_config('statement_timeout', $1, true) as longest, set_config('lock_timeout', $2, true) as lock`

function literal({ statement, lock }: Limits): string {
  return setLimits.replace('$1', `'${statement}'`).replace('$2', `'${lock}'`)
}

class LimitedQuery<Row extends QueryResultRow> extends pg.Query<Row> {
  readonly #limits: Limits

  constructor(limits: Limits, text: string, values: readonly unknown[]) {
    super({ text, values: [...values] })
    this.#limits = limits
  }

  override submit = (connection: Connection): void => {
    const wire = connection as unknown as Wire
    const { statement, lock } = this.#limits
    wire.stream.cork()
    wire.parse({ name: '', text: setLimits })
    wire.bind({ statement: '', values: [String(statement), String(lock)], valueMapper: (value) => value })
    wire.execute({})
    pg.Query.prototype.submit.call(this, connection)
    wire.stream.uncork()
  }
}
