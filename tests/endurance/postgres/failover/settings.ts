/**
 * What dies: Postgres and its Patroni; or the machine, as it were, with its etcd. `freeze`: the former hang, and close
 * no connection.
 */
export type Death = 'postgres' | 'machine' | 'freeze'

/** What is under way when the primary dies. */
export type Part = 'appends' | 'turns'

/** How the primary is killed, and how often. */
export interface Settings {
  /** What each run does, in this order. */
  readonly parts: readonly Part[]
  readonly runs: number
  readonly death: Death
  /** Seconds after which a primary that is not heard of is replaced. */
  readonly ttl: number
  /** Milliseconds for which replicas get nothing before the primary is killed. */
  readonly stall: number
  /** Off: a commit waits for no replica. Then entries get lost, and this must find them. */
  readonly synchronous: boolean
}

/** From the variables PART, RUNS, DEATH, TTL, STALL and SYNCHRONOUS. */
export function readSettings(variables: Readonly<Record<string, string | undefined>>): Settings {
  const number = (name: string, usual: number, least: number): number => {
    const value = Number(variables[name] ?? usual)
    if (Number.isInteger(value) && value >= least) return value
    throw new Error(`${name} must be a whole number from ${least} on.`)
  }
  const word = <W extends string>(name: string, words: readonly [W, ...W[]]): W => {
    const value = words.find((each) => each === (variables[name] ?? words[0]))
    if (value !== undefined) return value
    throw new Error(`${name} must be ${words.join(' or ')}.`)
  }
  const part = word('PART', ['all', 'appends', 'turns'])
  return {
    parts: part === 'all' ? ['appends', 'turns'] : [part],
    runs: number('RUNS', 3, 1),
    death: word('DEATH', ['postgres', 'machine', 'freeze']),
    ttl: number('TTL', 30, 9),
    stall: number('STALL', 0, 0),
    synchronous: word('SYNCHRONOUS', ['on', 'off']) === 'on',
  }
}
