import { segmentOf } from '@minutebook/client'

/** The search parameters of an address: ids, names and filters, never text of a conversation. */
interface Search {
  /** The branch that is shown, by the id of its newest entry. */
  readonly head?: string | undefined
  /** The entry to scroll to. */
  readonly at?: string | undefined
  /** The model call that the lab shows, by its receipt. */
  readonly call?: string | undefined
  /** The entry that the lab shall bring back. */
  readonly entry?: string | undefined
  /** What the lab changes: tokens, a number of messages or exchanges, shares from 0 to 1, and names of ours. */
  readonly window?: number | undefined
  readonly reserve?: number | undefined
  readonly preset?: 'default' | 'tiered' | 'lastMessages' | 'firstAndRecent' | undefined
  readonly verbatim?: number | undefined
  readonly outline?: number | undefined
  readonly recall?: number | undefined
  readonly notes?: number | undefined
  readonly profile?: string | undefined
  /** The cell of a run that is open. */
  readonly round?: number | undefined
  readonly participant?: string | undefined
  /** How much of a run is on the screen. Default: wide columns. */
  readonly zoom?: 'fit' | 'overview' | undefined
  /** The runs that are compared. */
  readonly left?: string | undefined
  readonly right?: string | undefined
  /** How the listed calls ended, and what is special of them: words with commas between them. */
  readonly ended?: string | undefined
  readonly flag?: string | undefined
  readonly model?: string | undefined
  /** The name of a key. */
  readonly owner?: string | undefined
  readonly range?: '1h' | '24h' | '7d' | undefined
  /** The sorts of threads that are shown, and the marks that they must have: words with commas between them. */
  readonly show?: string | undefined
  readonly marks?: string | undefined
  /** Several runs, with a blank between two. */
  readonly runs?: string | undefined
  /** The variables that are drawn, likewise. */
  readonly variables?: string | undefined
  /** Whether runs with other seeds share a line. Default: if they are many. */
  readonly lines?: 'each' | 'mean' | undefined
  /** The column that a table is sorted by, with `-` before it if the largest comes first. */
  readonly sort?: string | undefined
  /** Of two runs, only what differs in more than prompts and words. */
  readonly only?: 'effects' | undefined
  /** Only runs that are in one of these states. */
  readonly status?: string | undefined
  /** The range of time of the overview, until now, and the name of the key whose calls it sums up. */
  readonly last?: '7d' | '30d' | '90d' | undefined
  readonly key?: string | undefined
}

type Parameter = keyof Search

/** How each parameter is read; undefined if it is not one. An address never gets a parameter that is not here. */
const readers: { readonly [P in Parameter]-?: (value: unknown) => Search[P] } = {
  head: id,
  at: id,
  call: id,
  entry: id,
  window: round,
  reserve: round,
  preset: (value) =>
    value === 'default' || value === 'tiered' || value === 'lastMessages' || value === 'firstAndRecent'
      ? value
      : undefined,
  verbatim: round,
  outline: share,
  recall: share,
  notes: share,
  profile: (value) => (typeof value === 'string' && /^[a-zA-Z]{1,20}$/.test(value) ? value : undefined),
  round,
  participant: id,
  zoom: (value) => (value === 'fit' || value === 'overview' ? value : undefined),
  left: id,
  right: id,
  ended: words,
  flag: words,
  model: name,
  owner: name,
  show: words,
  marks: words,
  range: (value) => (value === '1h' || value === '24h' || value === '7d' ? value : undefined),
  runs: ids(100),
  variables: ids(8),
  lines: (value) => (value === 'each' || value === 'mean' ? value : undefined),
  sort: (value) => (typeof value === 'string' && id(value.replace(/^-/, '')) !== undefined ? value : undefined),
  only: (value) => (value === 'effects' ? value : undefined),
  status: ids(9),
  last: (value) => (value === '7d' || value === '30d' || value === '90d' ? value : undefined),
  key: name,
}

/** Ids of entries, participants and runs have no spaces or quotes, and at most 128 characters. */
function id(value: unknown): string | undefined {
  return typeof value === 'string' && /^[A-Za-z0-9][\w.-]{0,127}$/.test(value) ? value : undefined
}

function words(value: unknown): string | undefined {
  return typeof value === 'string' && /^[a-z-]{1,12}(,[a-z-]{1,12}){0,11}$/.test(value) ? value : undefined
}

/** The name of a model or of a key. */
function name(value: unknown): string | undefined {
  return typeof value === 'string' && /^[^\p{C}]{1,200}$/u.test(value) ? value : undefined
}

/** Several ids with blanks between them, each once. Everything else is dropped. */
function ids(most: number): (value: unknown) => string | undefined {
  return (value) => {
    const all = typeof value === 'string' ? value.split(' ').filter((each) => id(each) !== undefined) : []
    return all.length === 0 ? undefined : [...new Set(all)].slice(0, most).join(' ')
  }
}

function round(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined
}

function share(value: unknown): number | undefined {
  const number = typeof value === 'string' && /^[01](?:\.\d{1,4})?$/.test(value) ? Number(value) : value
  return typeof number === 'number' && number >= 0 && number <= 1 ? number : undefined
}

/** Only these parameters, without anything else in the value. */
function only<P extends Parameter>(value: Readonly<Record<string, unknown>>, names: readonly P[]): Pick<Search, P> {
  const read = names.map((name) => [name, Object.hasOwn(value, name) ? readers[name](value[name]) : undefined] as const)
  return Object.fromEntries(read.filter(([, found]) => found !== undefined)) as Pick<Search, P>
}

/**
 * The parameters of a route. Links to it lose all others.
 *
 * @example
 * createRoute({ path: '/runs/$run', ...holding('round', 'participant') })
 */
export function holding<const P extends Parameter>(...names: readonly P[]) {
  return {
    validateSearch: (search: Readonly<Record<string, unknown>>): Pick<Search, P> => only(search, names),
    search: {
      middlewares: [
        ({
          search,
          next,
        }: {
          readonly search: Pick<Search, P>
          readonly next: (search: Pick<Search, P>) => Pick<Search, P>
        }): Pick<Search, P> => only(next(search), names),
      ],
    },
  }
}

const all = Object.keys(readers) as readonly Parameter[]

/** How the router reads and writes search parameters. Unknown ones are dropped on every route. */
export const searchText = {
  parseSearch: (text: string): Search => only(Object.fromEntries(new URLSearchParams(text)), all),
  stringifySearch: (search: Readonly<Record<string, unknown>>): string => {
    const text = new URLSearchParams(
      Object.entries(only(search, all)).map(([name, value]) => [name, String(value)]),
    ).toString()
    return text === '' ? '' : `?${text}`
  },
}

/** The name of a thread in an address. */
export const threadParams = {
  parse: ({ thread }: { thread: string }): { thread: string } => ({ thread: nameIn(thread) }),
  stringify: ({ thread }: { thread: string }): { thread: string } => ({ thread: segmentOf(thread) }),
}

/** The name of a run in an address. */
export const runParams = {
  parse: ({ run }: { run: string }): { run: string } => ({ run: nameIn(run) }),
  stringify: ({ run }: { run: string }): { run: string } => ({ run: segmentOf(run) }),
}

/** The name in a segment that `segmentOf` of the client made. */
export function nameIn(segment: string): string {
  if (!segment.startsWith('~')) return segment
  try {
    const bytes = atob(segment.slice(1).replaceAll('-', '+').replaceAll('_', '/'))
    return new TextDecoder().decode(Uint8Array.from(bytes, (character) => character.charCodeAt(0)))
  } catch {
    return segment
  }
}
