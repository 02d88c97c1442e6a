// Which parts of which reports does docs/project/benchmarks.md show, and what does a reader have to know of each?

/** A chapter that shows parts of one report. */
export interface ReportChapter {
  /** Of the data file. */
  readonly name: string
  readonly title: string
  readonly says: string
  readonly parts: readonly ReportPart[]
  /** How far a repeated run may be from this one. */
  readonly variance: string
}

export interface ReportPart {
  /** Its heading in the report, or the beginning of it. */
  readonly section: string
  /** A heading of its own on the page. */
  readonly heading?: string
  /** Whether the text of the section is shown, too. */
  readonly notes?: boolean
}

const ratioOfRounds =
  'all sides play in each round, in turns, and each ratio is the median of the rounds. Ratios are steadier than times.'

export const reportChapters: readonly ReportChapter[] = [
  {
    name: 'compile',
    title: 'What compiling a prompt costs',
    says: 'Processor time to add one user message to a log of 100, 10,000 or 1,000,000 entries and to compile the next prompt; then how long other trimmers take to make one prompt from the whole log, as they do for every call.',
    parts: [
      { section: 'The next turn: advance by one user message and compile', heading: 'The next turn' },
      { section: 'Other trimmers: one prompt from the whole log', heading: 'Other trimmers' },
    ],
    variance:
      'each time is the median of 400 turns, and the sizes take turns, so the ratio of the last to the first is what to read.',
  },
  {
    name: 'store-sqlite',
    title: 'SQLite store, compared with bare SQLite',
    says: '`sqliteStore` and plain `node:sqlite` on the same tables, with the same bytes and the same transactions, each on the disk before it counts. The bare side is handed everything ready and checks nothing.',
    parts: [
      { section: 'A turn', heading: 'A turn' },
      { section: 'An append', heading: 'An append' },
    ],
    variance: ratioOfRounds,
  },
  {
    name: 'store-postgres',
    title: 'Postgres store, compared with pgbench',
    says: "`postgresStore` and pgbench, Postgres' own load generator in C, with the same statements on the same durable server and database, under row-level security.",
    parts: [
      { section: 'Append', heading: 'An append' },
      { section: 'Tail', heading: 'The last 50 entries' },
      { section: 'Turn', heading: 'A turn' },
      { section: 'The next turn of a long thread', heading: 'The next turn of a long thread' },
    ],
    variance: ratioOfRounds,
  },
  {
    name: 'gateway',
    title: 'What the gateway adds to a stream',
    says: 'Four sides in one run: the bare upstream; a bare tap, the smallest proxy that `node:http` allows; the tap with one bare append to SQLite before each call; and the gateway. The gateway also finds the thread, counts, plans and records the whole answer.',
    parts: [{ section: 'All of them' }],
    variance: ratioOfRounds,
  },
  {
    name: 'team-cost',
    title: "What a team's server adds to a turn",
    says: 'Turns that two instances run on one Postgres and that clients follow, compared with the tap that appends one row to the same Postgres.',
    parts: [{ section: 'What a native turn costs', notes: true }],
    variance: ratioOfRounds,
  },
  {
    name: 'team-crowd',
    title: 'Many turns at once on two instances',
    says: 'Clients hold conversations on two instances and one durable Postgres, while a few others ask the bare upstream in the same minutes. At the end every turn is looked up in the record.',
    parts: [{ section: '', notes: true }],
    variance: 'quantiles of one run, in which the bare upstream was asked in the same minutes.',
  },
  {
    name: 'scale-sqlite',
    title: 'The length of a thread',
    says: 'Processor time of a turn, of a relayed chat and of dumps on logs of 100 to 1,000,000 entries in an SQLite file. In brackets: the ratio to the smallest log. [Scale](../scale.md) has the same for Postgres, and for a million threads.',
    parts: [{ section: 'Processor time' }],
    variance: 'medians of a few plays, on a machine that others used at the same time; ratios below 2 are within it.',
  },
  {
    name: 'cost',
    title: 'What one turn takes of a server',
    says: 'Conversations of twelve turns, sixteen at once, on a running server, with answers of 100 deltas. The time of the model is not in it.',
    parts: [{ section: 'What one turn takes' }],
    variance: 'the mean of 1,920 turns of one run.',
  },
]
