/** One thing that was looked at. */
export interface Check {
  readonly what:
    | 'configuration'
    | 'server'
    | 'upstream'
    | 'models'
    | 'window'
    | 'template'
    | 'counter'
    | 'tools'
    | 'store'
    | 'record'
    | 'clock'
  readonly state: 'ok' | 'warn' | 'bad'
  /** What was found. */
  readonly says: string
  /** What to change; where all is well, nothing. */
  readonly fix?: string
}

export function ok(what: Check['what'], says: string): Check {
  return { what, state: 'ok', says }
}

export function warn(what: Check['what'], says: string, fix: string): Check {
  return { what, state: 'warn', says, fix }
}

export function bad(what: Check['what'], says: string, fix: string): Check {
  return { what, state: 'bad', says, fix }
}
