import { table } from '../markdown.ts'

// What does a load cost? A calculation from what one turn took: nothing here is measured.

/** What one turn takes. */
export interface TurnCost {
  /** Microseconds of processor time of the instances. */
  readonly instances: number
  /** The same of the database server. 0 with SQLite: the instance does that work itself. */
  readonly database: number
  /** Bytes by which the store grows. */
  readonly stored: number
  /** Bytes of write-ahead log. */
  readonly logged: number
}

/** What a load needs. */
export interface Need {
  readonly turnsASecond: number
  readonly instanceCores: number
  readonly databaseCores: number
  readonly bytesADay: number
  readonly loggedASecond: number
}

/** The busiest hour of a day has so many times the turns of its mean. */
export const peak = 3
/** The share of a core that is planned to be busy in the busiest hour: the rest is for retries, failover and vacuum. */
export const busy = 0.5

const secondsADay = 86_400

/** For the busiest hour of a day. */
export function needOf(cost: TurnCost, turnsADay: number): Need {
  const turnsASecond = (turnsADay / secondsADay) * peak
  const cores = (microseconds: number): number => (turnsASecond * microseconds) / 1e6 / busy
  return {
    turnsASecond,
    instanceCores: cores(cost.instances),
    databaseCores: cores(cost.database),
    bytesADay: turnsADay * cost.stored,
    loggedASecond: turnsASecond * cost.logged,
  }
}

export interface Demand {
  readonly name: string
  readonly turnsADay: number
}

/** The last one is what the largest chat services are said to have. */
export const demands: readonly Demand[] = [
  { name: '1,000 a day', turnsADay: 1e3 },
  { name: '100,000 a day', turnsADay: 1e5 },
  { name: '10,000,000 a day', turnsADay: 1e7 },
  { name: '30,000 a second', turnsADay: 30_000 * secondsADay },
]

export function needTable(cost: TurnCost): string {
  return table(
    [
      'turns',
      'at the peak',
      'cores of instances',
      'cores of the database',
      'store, a day',
      'a year',
      'WAL at the peak',
    ],
    demands.map(({ name, turnsADay }) => {
      const need = needOf(cost, turnsADay)
      return [
        name,
        `${number(need.turnsASecond)}/s`,
        number(need.instanceCores),
        cost.database === 0 ? '–' : number(need.databaseCores),
        bytes(need.bytesADay),
        bytes(need.bytesADay * 365),
        cost.logged === 0 ? '–' : `${bytes(need.loggedASecond)}/s`,
      ]
    }),
  )
}

/** Two digits are as much as a plan can promise. */
function number(value: number): string {
  if (value < 0.01) return 'under 0.01'
  return Number(value.toPrecision(2)).toLocaleString('en')
}

export function bytes(value: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB']
  const unit = value < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(value) / 3))
  return `${Number((value / 1000 ** unit).toPrecision(2)).toLocaleString('en')} ${units[unit]}`
}
